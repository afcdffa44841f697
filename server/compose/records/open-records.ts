// A database without its server. Commands that only look into one, or only need its place, must not pay for loading the
// engine and the doors.
import { dirname, join, parse, resolve } from 'node:path'
import { fail, type Result } from '../../errors/result.ts'
import { defaultDatabaseFile, isPostgresAddress, openStore, type Store } from '../../store/store.ts'
import { surroundings } from '../../model/surroundings.ts'

export { isPostgresAddress, shownDatabase } from '../../store/store.ts'

/** What went wrong, and what to do about it. */
export interface ComposeFailure {
  readonly message: string
  readonly next: string
}

/** The database to open: the one that was named, or a file in the user's data directory. */
export const databaseFile = (named: string | undefined): string => named ?? defaultDatabaseFile(surroundings().env)

/**
 * A folder of this name beside a database, or where one would lie by default: only this user writes there. `undefined`
 * for a database in memory, which keeps nothing.
 */
export const folderBeside = (file: string, name: string): string | undefined =>
  file === ':memory:'
    ? undefined
    : join(dirname(isPostgresAddress(file) ? databaseFile(undefined) : resolve(file)), name)

/** A database beside another one: `desk-mail.db` beside `desk.db`. `undefined` where the other is no file, nor in memory. */
export function databaseBeside(file: string, name: string): string | undefined {
  if (file === ':memory:') return file
  if (isPostgresAddress(file)) return undefined
  const { dir, name: stem, ext } = parse(file)
  return join(dir, `${stem}-${name}${ext}`)
}

/** The records of a server without the server: for operators at a terminal. */
export async function openRecords(options: {
  readonly file: string
  readonly secret?: string | undefined
}): Promise<Result<Store, ComposeFailure>> {
  const opened = await openStore(options)
  return opened.ok ? opened : fail({ message: opened.failure.message, next: opened.failure.next })
}
