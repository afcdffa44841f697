// A file that grows outside the database: on another disk, or better one that only takes additions. Whoever rewrites the
// database's past would have to rewrite this too.
import { open, readFile } from 'node:fs/promises'
import { errnoOf } from '../failure.ts'
import { formatAnchor, parseAnchors } from './anchor.ts'
import type { Anchor } from './verify.ts'

/** Appends heads as one write, durable when it returns. Creates the file for the user alone. */
export const appendAnchors = async (file: string, heads: readonly Anchor[]): Promise<void> => {
  if (heads.length === 0) return
  const handle = await open(file, 'a', 0o600)
  try {
    await handle.write(heads.map(formatAnchor).join(''))
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
    const parsed = parseAnchors(await readFile(file, 'utf8'))
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
