// What a program costs in the sandbox.
import { fuelOverhead } from './fuel.ts'
import { sessionCosts } from './sessions.ts'

/** Prints what is measured of the sandbox. */
export async function sandbox(): Promise<void> {
  await sessionCosts()
  await fuelOverhead()
}
