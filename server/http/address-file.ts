// What a server writes where nobody sits at a terminal ends in a journal or in the log of a container, which others read
// and which is kept. The addresses hold the secret of the start, so they go into a file that only this OS user may read,
// and the log names that file. It is there for as long as the server listens.
import { fail, ok, type Result } from '../errors/result.ts'
import { defaultDatabaseFile, isPostgresAddress, replaceFile } from '../store/store.ts'
import { surroundings } from '../model/surroundings.ts'

/** The addresses of one server, with its secret. */
export interface Addresses {
  readonly mcp: string
  readonly playground?: string | undefined
}

/** Beside the database, as the admin token is; where there is none or it is no file, in the user's data directory. */
export const addressFile = (database: string | undefined, port: number): string => {
  const isFile = database !== undefined && database !== ':memory:' && !isPostgresAddress(database)
  return `${isFile ? database : defaultDatabaseFile(surroundings().env)}.addresses-${port}.json`
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
