// A client for HTTP, and what signs messages, are much for a server that tells nobody.
import { packageOnFirstUse } from '../../errors/optional-package.ts'

/** Loads what sends notifications. @throws {PackageMissing} where the package that signs them is not installed. */
export const loadSending = packageOnFirstUse('standardwebhooks', () => import('./send.ts'))
