// The driver is loaded only where it is used: most servers keep a file.
import { unlessMissing, withPackages } from '../../errors/optional-package.ts'
import { refuse, type StoreResult } from '../failure.ts'
import type { OpenDatabase } from '../open-database.ts'
import { shownAddress } from './address.ts'

/** Connects to a database, or says that the driver is not installed. */
export async function openPostgres(address: string): Promise<StoreResult<OpenDatabase>> {
  const loaded = await unlessMissing(() => withPackages(['pg'], () => import('./open.ts')))
  if (!loaded.ok) return refuse('cannot-open', shownAddress(address), loaded.failure.message, loaded.failure.next)
  return loaded.value.openPostgresDatabase(address)
}
