// A person who decides opens a terminal of their own, in another folder and with other variables than the server was
// started with. So the command that an agent passes on to them names the settings file and the database of this server.
import { resolve } from 'node:path'
import type { Config } from '../../config/file.ts'
import { databaseFile, isPostgresAddress } from '../records/open-records.ts'

/**
 * The options by which `countersign …` works on the records of a server with these settings, quoted for a shell: `--config`
 * where it has a file, `--db` where the database is a file that this does not name. The address of a PostgreSQL database is
 * never among them: it cannot be shown whole, and in part it would stand in for the one in `operatorVariables`.
 */
export function operatorOptions({
  server: { db },
  text,
  originOf,
}: Pick<Config, 'server' | 'text' | 'originOf'>): string {
  const config = text === undefined ? [] : ['--config', resolve(text.file)]
  const file = databaseFile(db)
  const named = originOf(['db']).kind === 'override' || text === undefined
  const database = named && liesInFile(file) ? ['--db', resolve(file)] : []
  return [...config, ...database].map((word) => quoted(word, process.platform)).join(' ')
}

/** Whether another process finds this database by its name: not in memory, nor at an address that is not shown whole. */
export const liesInFile = (database: string): boolean => database !== ':memory:' && !isPostgresAddress(database)

/** The variables without which that command does not reach a PostgreSQL database: those whose value is in no settings file. */
export function operatorVariables({
  server: { db },
  originOf,
}: Pick<Config, 'server' | 'originOf'>): readonly string[] {
  if (db === undefined || !isPostgresAddress(db)) return []
  const variables = [
    ['db', 'COUNTERSIGN_DB'],
    ['secret', 'COUNTERSIGN_SECRET'],
  ] as const
  return variables.filter(([key]) => originOf([key]).kind !== 'file').map(([, variable]) => variable)
}

/** One word of a command line: for a POSIX shell, or on Windows for `cmd` and PowerShell. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  // A path on Windows has no quotation marks.
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
