// What a server writes where nobody sits at a terminal ends in a journal or in the log of a container, which others read
// and which is kept. The addresses hold the secret of the start, so they go into a file that only this OS user may read,
// and the log names that file. It is there for as long as the server listens, and `countersign admin open` finds the
// server by it.
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import { defaultDatabaseFile, isPostgresAddress, replaceFile } from '../store/store.ts'
import { surroundings } from '../model/surroundings.ts'

/** The addresses of one server. Those with its secret are left out where it was shown to a person at a terminal. */
export interface Addresses {
  readonly mcp?: string
  readonly playground?: string | undefined
  /** The operators' pages, as a browser reaches them. */
  readonly operators: string
  /** The same server, as this machine reaches it. */
  readonly listens: string
}

/** Beside the database, as the admin token is; where there is none or it is no file, in the user's data directory. */
export const addressFile = (database: string | undefined, port: number): string =>
  `${besideDatabase(database)}${middle}${port}.json`

const noted = z.object({ listens: z.url(), operators: z.url() })

/**
 * What servers on this database have written; where it is no file, those of every such database. One that was killed has
 * left its file behind.
 */
export async function readAddressesOf(database: string): Promise<readonly z.infer<typeof noted>[]> {
  const texts = await Promise.all(
    (await addressFilesOf(database)).map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  return texts.flatMap((text) => {
    try {
      return [noted.parse(JSON.parse(text))]
    } catch {
      // Half written, or not ours.
      return []
    }
  })
}

async function addressFilesOf(database: string): Promise<readonly string[]> {
  const beside = besideDatabase(database)
  const folder = dirname(beside)
  const begins = `${basename(beside)}${middle}`
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.startsWith(begins) && /^\d{1,5}\.json$/.test(name.slice(begins.length)))
    .map((name) => join(folder, name))
}

const middle = '.addresses-'

const besideDatabase = (database: string | undefined): string => {
  const isFile = database !== undefined && database !== ':memory:' && !isPostgresAddress(database)
  return isFile ? database : defaultDatabaseFile(surroundings().env)
}

/** Writes the file, or says why it cannot. One that a server left behind which was killed is replaced, never written into. */
export async function writeAddresses(file: string, addresses: Addresses): Promise<Result<void, string>> {
  try {
    await replaceFile(file, `${JSON.stringify(addresses, null, 2)}\n`)
    return ok(undefined)
  } catch (error) {
    return fail(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
}
