// What reads the conditions of grants is loaded for the first one: most servers have no grant.
import { packageOnFirstUse } from '../errors/optional-package.ts'

/** @throws {PackageMissing} where the language of conditions is not installed. */
export const loadConditions = packageOnFirstUse('@marcbachmann/cel-js', () => import('./grant-condition.ts'))

/** The same for what proposes one. @throws {PackageMissing} */
export const loadProposals = packageOnFirstUse('@marcbachmann/cel-js', () => import('./grant-proposal.ts'))
