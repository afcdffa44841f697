// A file that grows outside the database: on another disk, or better one that only takes additions. Whoever rewrites the
// database's past would have to rewrite this too.
import { createHash } from 'node:crypto'
import { lstat, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defaultDatabaseFile } from '../../default-file.ts'
import { errnoOf } from '../../failure.ts'
import { isPostgresAddress } from '../../postgres/address.ts'
import { formatAnchor, hasNoAnchors, parseAnchors, type Anchor } from './anchor.ts'
import { surroundings } from '../../../model/surroundings.ts'

/**
 * Where heads are anchored: the file that was named, or one beside the database. PostgreSQL has no such place; there it is
 * a file of its own in the user's data directory, one for each database. A database in memory has none.
 */
export const anchorPlace = (named: string | undefined, database: string): string | undefined => {
  if (named !== undefined) return named
  if (database === ':memory:') return undefined
  if (!isPostgresAddress(database)) return `${database}.anchor`
  const name = createHash('sha256').update(withoutPassword(database)).digest('hex').slice(0, 16)
  return join(dirname(defaultDatabaseFile(surroundings().env)), `postgres-${name}.anchor`)
}

/** Options stay: they may name another schema, which is another database to us. */
const withoutPassword = (address: string): string => {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.password = ''
  return url.href
}

/**
 * Appends heads as one write, durable when it returns; several processes may append to one file. Creates it for the user
 * alone. What a process that died left of a line ends with it.
 */
export const appendAnchors = async (file: string, heads: readonly Anchor[]): Promise<void> => {
  if (heads.length === 0) return
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    const torn = size > 0 && last.toString() !== '\n'
    await handle.write(`${torn ? '\n' : ''}${heads.map(formatAnchor).join('')}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export type AnchorsRead =
  | { readonly ok: true; readonly value: readonly Anchor[] }
  | { readonly ok: false; readonly failure: { readonly message: string; readonly next: string } }

/** Reads what was appended. */
export const readAnchors = async (file: string): Promise<AnchorsRead> => {
  try {
    const parsed = parseAnchors(await readFile(file, 'utf8'), file)
    if (parsed.ok) return parsed
    const message = `Line ${parsed.line} of ${file} is not an anchor.`
    return { ok: false, failure: { message, next: 'Name the file that `countersign activity anchor` wrote.' } }
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    const message = `The anchor file ${file} cannot be read (${code}).`
    return { ok: false, failure: { message, next: 'Check its path and its permissions.' } }
  }
}

/**
 * The same of a place where nothing may have been appended yet: no file has no anchors, and neither has an empty one or
 * one of which no line was ever finished.
 */
export const readAnchorsSoFar = async (file: string | undefined): Promise<AnchorsRead> => {
  if (file === undefined) return { ok: true, value: [] }
  const text = await readFile(file, 'utf8').catch((error: unknown) => (errnoOf(error) === 'ENOENT' ? '' : undefined))
  return text !== undefined && hasNoAnchors(text) ? { ok: true, value: [] } : await readAnchors(file)
}

/**
 * Takes an anchor file out of the way; answers its new name, or nothing where it is no file and stays.
 * @throws what the file system says when it refuses.
 */
export const setAnchorsAside = async (file: string, at: number): Promise<string | undefined> => {
  // What was named by mistake, a directory or a device, is not ours to move.
  if (!(await lstat(file)).isFile()) return undefined
  const aside = `${file}.aside-${new Date(at).toISOString().replaceAll(':', '-')}`
  await rename(file, aside)
  return aside
}
