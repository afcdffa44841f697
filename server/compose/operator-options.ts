// A person who decides opens a terminal of their own, in another folder and with other variables than the server was
// started with. So the command that an agent passes on to them names the settings file and the database of this server.
import { resolve } from 'node:path'
import type { Config } from '../config/file.ts'
import { isPostgresAddress, shownDatabase } from './open-records.ts'

/**
 * The options by which `countersign …` works on the records of a server with these settings, quoted for a shell: `--config`
 * where it has a file, `--db` where the database was named elsewhere. Empty where it has neither. Never a password: of a
 * PostgreSQL address only what may be shown.
 */
export function operatorOptions({
  server: { db },
  text,
  originOf,
}: Pick<Config, 'server' | 'text' | 'originOf'>): string {
  const config = text === undefined ? [] : ['--config', resolve(text.file)]
  const named = db !== undefined && db !== ':memory:' && originOf(['db']).kind === 'override'
  const database = named ? ['--db', isPostgresAddress(db) ? shownDatabase(db) : resolve(db)] : []
  return [...config, ...database].map((word) => quoted(word, process.platform)).join(' ')
}

/** One word of a command line: for a POSIX shell, or on Windows for `cmd` and PowerShell. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  // A path on Windows has no quotation marks.
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
