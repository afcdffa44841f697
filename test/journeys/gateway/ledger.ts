// What the misbehaving server really did: it writes each deed into a file, and a test asks the file instead of the server.
import { existsSync, readFileSync } from 'node:fs'

/** Its deeds, oldest first. */
export const ledgerOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

/** Waits until something holds, without asserting how long that takes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
