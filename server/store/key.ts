// Where the key comes from: COUNTERSIGN_SECRET, or a file beside the database that only its owner may read.
import { hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { errnoOf, refuse } from './failure.ts'
import type { StoreResult } from './failure.ts'
import { createPrivateFile, exposedMode } from './private-file.ts'

const KEY = 32
const SHORTEST_SECRET = 16

/** The file that holds the key of a database. */
const keyFileOf = (database: string): string => `${database}.key`

/** The key that a secret stands for. */
export const keyFromSecret = (file: string, secret: string): StoreResult<Uint8Array> =>
  secret.length < SHORTEST_SECRET
    ? refuse(
        'secret-too-short',
        file,
        `The secret has ${secret.length} characters; it needs at least ${SHORTEST_SECRET}.`,
        'Set COUNTERSIGN_SECRET to a longer random text, for example the output of `openssl rand -base64 32`.',
      )
    : { ok: true, value: Buffer.from(hkdfSync('sha256', secret, 'countersign', 'countersign secret 1', KEY)) }

/** Reads the key beside a database; creates it where there is none and `mayCreate` says that nothing is sealed yet. */
export const keyFromFile = async (database: string, mayCreate: boolean): Promise<StoreResult<Uint8Array>> => {
  const file = keyFileOf(database)
  try {
    // Also where there is one: its name must be on the disk before anything is sealed with it.
    if (mayCreate) await createPrivateFile(file, randomBytes(KEY))
    const found = await read(file)
    if (found !== undefined) return found
    if (mayCreate) return refuse('key-unreadable', file, `${file} vanished while it was read.`, 'Start again.')
    return refuse(
      'key-unreadable',
      file,
      `The key of the database is not at ${file}, and the plans in it are sealed with it.`,
      'Put the key file back, or set COUNTERSIGN_SECRET if the database was made with one.',
    )
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    return refuse(
      'key-unreadable',
      file,
      `The key file ${file} cannot be read or created (${code}).`,
      'Make it readable for the user that runs Countersign, or set COUNTERSIGN_SECRET instead.',
    )
  }
}

const read = async (file: string): Promise<StoreResult<Uint8Array> | undefined> => {
  let exposed: string | undefined
  try {
    exposed = await exposedMode(file)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  if (exposed !== undefined)
    return refuse(
      'key-exposed',
      file,
      `The key file ${file} has permissions ${exposed}: other users may read it.`,
      `Run \`chmod 600 ${file}\`. If somebody may have read it already, move database and key away and start afresh.`,
    )
  const key = await readFile(file)
  if (key.length !== KEY)
    return refuse(
      'key-malformed',
      file,
      `The key file ${file} has ${key.length} bytes; a key has ${KEY}.`,
      'Put the right key file back. If nothing in the database is needed any more, move both files away.',
    )
  return { ok: true, value: key }
}
