// What a program costs in the sandbox.
import { fuelOverhead } from './sandbox-fuel.ts'

/** Prints what is measured of the sandbox. */
export async function sandbox(): Promise<void> {
  await fuelOverhead()
}
