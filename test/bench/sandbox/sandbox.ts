// What a program costs in the sandbox.
import { firstPrograms } from './first-calls.ts'
import { fuelOverhead } from './fuel.ts'
import { sessionCosts } from './sessions.ts'

/** Prints what is measured of the sandbox. */
export async function sandbox(): Promise<void> {
  await firstPrograms()
  await sessionCosts()
  await fuelOverhead()
}
