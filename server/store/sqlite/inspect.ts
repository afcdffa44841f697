// A path that somebody typed may name a spreadsheet, half a backup or another program's file, and opening it for writing
// may already change it. So what lies there is looked at first: by its bytes, then through a read-only connection.
import { access, constants, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from './node-sqlite.ts'
import { errnoOf, refuse } from '../failure.ts'
import type { StoreResult } from '../failure.ts'
import { sqliteCode, whileBusy } from './busy.ts'

const MAGIC = Buffer.from('SQLite format 3\0')
const HEADER = 100
/** Up to this size every page is checked at start; it takes milliseconds. Beyond, only header and schema are. */
const SMALL = 8 * 1024 * 1024
const READ_ONLY = 8

/** Looks at a database file without changing it. An empty file, like none at all, is a new database. */
export const inspect = async (file: string): Promise<StoreResult<'new' | 'existing'>> => {
  const directory = dirname(file)
  const found = await kindOf(directory)
  if (found !== 'directory')
    return refuse(
      'directory-missing',
      file,
      found === 'nothing' ? `The directory ${directory} does not exist.` : `${directory} is not a directory.`,
      `Create it (\`mkdir -p ${directory}\`), or name another database file.`,
    )
  try {
    await access(directory, constants.W_OK)
    const kind = await kindOf(file)
    if (kind === 'directory')
      return refuse('cannot-open', file, `${file} is a directory.`, 'Name a file in it as the database.')
    if (kind === 'nothing') {
      // Created here, for the user alone; the files that SQLite puts beside it take over its permissions.
      await (await open(file, 'a', 0o600)).close()
      return { ok: true, value: 'new' }
    }
    await (await open(file, 'r+')).close()
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    return refuse(
      'read-only',
      file,
      `The database ${file} or its directory cannot be written (${code}).`,
      'Give the user that runs Countersign the right to write both, or name another database file.',
    )
  }
  return await inspectContent(file)
}

const kindOf = async (path: string): Promise<'directory' | 'other' | 'nothing'> => {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'other'
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    // ENOTDIR: a file stands where the path has a directory further up.
    return code === 'ENOTDIR' ? 'other' : 'nothing'
  }
}

const inspectContent = async (file: string): Promise<StoreResult<'new' | 'existing'>> => {
  const handle = await open(file, 'r')
  const head = Buffer.alloc(HEADER)
  let read: number
  let size: number
  try {
    read = (await handle.read(head, 0, HEADER, 0)).bytesRead
    size = (await handle.stat()).size
  } finally {
    await handle.close()
  }
  if (read === 0) return { ok: true, value: 'new' }
  // What a power cut leaves of a database that is being made: its size without its content, and the journal by which a
  // writing connection takes that back.
  if (head.every((byte) => byte === 0) && (await kindOf(`${file}-journal`)) === 'other')
    return { ok: true, value: 'existing' }
  if (!head.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, read)))
    return refuse(
      'not-a-database',
      file,
      `${file} is not a SQLite database (${size} bytes, starting with ${JSON.stringify(head.toString('latin1', 0, Math.min(read, 16)))}).`,
      'It was not changed. Name another database file.',
    )
  if (read < HEADER) return corrupt(file, `the file ends after ${size} bytes`)
  return await checkPages(file, size)
}

const checkPages = async (file: string, size: number): Promise<StoreResult<'existing'>> => {
  try {
    const problem = await whileBusy(() => {
      const database = new DatabaseSync(file, { readOnly: true })
      try {
        if (size > SMALL) return database.prepare('select count(*) from sqlite_master').get() && undefined
        const row = database.prepare('pragma quick_check(1)').get()
        return row?.['quick_check'] === 'ok' ? undefined : String(row?.['quick_check'])
      } finally {
        database.close()
      }
    })
    if (problem !== undefined) return corrupt(file, problem)
  } catch (error) {
    // A writer that died left work to roll back, which only a writing connection can do; it will find what is wrong.
    if (sqliteCode(error) !== READ_ONLY) return refuseSqlite(file, error)
  }
  return { ok: true, value: 'existing' }
}

const corrupt = (file: string, problem: string) =>
  refuse(
    'corrupt',
    file,
    `The database ${file} is damaged: ${problem}.`,
    'It was not changed. Restore a backup with its key file, or move it away and start with a new database.',
  )

/** What SQLite's error means to the person who named the file. Anything else goes on as an exception. */
export const refuseSqlite = (file: string, error: unknown): ReturnType<typeof refuse> => {
  const code = sqliteCode(error)
  if (code === undefined) throw error
  const reason = error instanceof Error ? error.message : String(error)
  switch (code) {
    case 5:
    case 6:
      return refuse(
        'busy',
        file,
        `Another process held the lock of ${file} for more than five seconds (${reason}).`,
        'Wait for it to finish or end it, then start again.',
      )
    case READ_ONLY:
      return refuse(
        'read-only',
        file,
        `The database ${file} cannot be written (${reason}).`,
        'Give the user that runs Countersign the right to write it and its directory, or name another database file.',
      )
    case 11:
      return corrupt(file, reason)
    case 26:
      return refuse(
        'not-a-database',
        file,
        `${file} is not a SQLite database (${reason}).`,
        'It was not changed. Name another database file.',
      )
    default:
      return refuse(
        'cannot-open',
        file,
        `The database ${file} cannot be opened (${reason}, SQLite code ${code}).`,
        'Check the disk and the permissions, or name another database file.',
      )
  }
}
