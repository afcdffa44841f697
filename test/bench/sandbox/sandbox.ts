// What a program costs in the sandbox, and whether that is what it is meant to cost.
import { explanationShares } from '../guidance/cost.ts'
import { javascriptPrograms } from '../guidance/javascript-programs.ts'
import { mutants } from '../guidance/mutations.ts'
import { pythonPrograms } from '../guidance/python-programs.ts'
import type { Aim } from '../aims.ts'
import { firstPrograms } from './first-calls.ts'
import { fuelOverhead } from './fuel.ts'
import { sessionCosts } from './sessions.ts'

/** Prints what is measured of the sandbox. */
export async function sandbox(): Promise<readonly Aim[]> {
  const first = await firstPrograms()
  const sessions = await sessionCosts()
  const metering = await fuelOverhead()
  const shares = await explanationShares([
    ...mutants(pythonPrograms, 'python', 2, 1),
    ...mutants(javascriptPrograms, 'javascript', 2, 1),
  ])
  return [...first, ...sessions, ...metering, ...shares]
}
