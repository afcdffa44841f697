// Packages of clients that others have written. They are large, so they are installed for full runs alone.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Their folder, with the programs that use them. */
export const clients = join(import.meta.dirname, '..', '..', 'clients')

/** @throws where they are not installed, saying how they are. */
export function checkInstalled(): void {
  if (existsSync(join(clients, 'node_modules'))) return
  throw new Error('These clients are not installed. Do it with: npm ci --ignore-scripts --prefix test/clients')
}
