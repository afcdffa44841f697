// What lies in the storage may be lost or changed by others, and a link promises what a person has seen. So a content has a
// hash of each piece, and a piece is compared before any of it is handed on: a range costs one piece of memory, and of a
// changed content not one byte is served.
import { createHash } from 'node:crypto'
import { fail, ok, type Result } from '../../../errors/result.ts'
import { isGone, type Storage } from './storage.ts'

export const pieceBytes = 1024 * 1024
const hashBytes = 32

/** A content, as the row of a version has it. */
export interface Content {
  readonly storage_key: string
  readonly bytes: number
  readonly sha256: string
  /** The SHA-256 of each piece, one behind the other, in base64. */
  readonly pieces: string
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** What a version says of these bytes. */
export function measured(bytes: Uint8Array): Omit<Content, 'storage_key'> {
  const hashes = Array.from({ length: Math.ceil(bytes.byteLength / pieceBytes) }, (_, at) =>
    sha256(bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)),
  )
  return {
    bytes: bytes.byteLength,
    sha256: sha256(bytes).toString('hex'),
    pieces: Buffer.concat(hashes).toString('base64'),
  }
}

/** Why a content cannot be handed on. */
export type Unreadable = 'gone' | 'changed'

/** Ends a stream of pieces. */
export class UnreadableContent extends Error {
  readonly why: Unreadable
  constructor(content: Pick<Content, 'storage_key'>, why: Unreadable) {
    super(`The stored content ${content.storage_key} ${why === 'gone' ? 'is gone' : 'is not what was uploaded'}.`)
    this.why = why
  }
}

/**
 * The bytes from `first` to `last`, in pieces that are as they were uploaded.
 * @throws {UnreadableContent} instead of the first piece that is not.
 */
export async function* piecesOf(
  storage: Storage,
  content: Content,
  { first, last }: { readonly first: number; readonly last: number } = { first: 0, last: content.bytes - 1 },
): AsyncGenerator<Uint8Array, undefined> {
  if (last < first) return
  const hashes = Buffer.from(content.pieces, 'base64')
  let at = 0
  for await (const piece of inPieces(storage, content)) {
    const start = at * pieceBytes
    const end = start + piece.byteLength - 1
    if (end >= first) {
      if (!sha256(piece).equals(hashes.subarray(at * hashBytes, (at + 1) * hashBytes)))
        throw new UnreadableContent(content, 'changed')
      yield piece.subarray(Math.max(first - start, 0), Math.min(last - start, piece.byteLength - 1) + 1)
    }
    if (end >= last) return
    at += 1
  }
  throw new UnreadableContent(content, 'changed')
}

/** The stored bytes, cut as they were when they were measured. */
async function* inPieces(storage: Storage, content: Content): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of (await storage.read(content.storage_key)) as AsyncIterable<Buffer>) {
      held.push(chunk)
      size += chunk.byteLength
      if (size < pieceBytes) continue
      let rest = Buffer.concat(held)
      for (; rest.byteLength >= pieceBytes; rest = rest.subarray(pieceBytes)) yield rest.subarray(0, pieceBytes)
      held = [rest]
      size = rest.byteLength
    }
  } catch (error) {
    if (isGone(error)) throw new UnreadableContent(content, 'gone')
    throw error
  }
  if (size > 0) yield Buffer.concat(held)
}

/** The first piece; what of a content a person is shown. */
export async function beginningOf(storage: Storage, content: Content): Promise<Result<Uint8Array, Unreadable>> {
  try {
    const pieces = piecesOf(storage, content)
    const { value } = await pieces.next()
    await pieces.return(undefined)
    return ok(value ?? new Uint8Array())
  } catch (error) {
    if (error instanceof UnreadableContent) return fail(error.why)
    throw error
  }
}

/** All of it. */
export async function wholeOf(storage: Storage, content: Content): Promise<Result<Uint8Array, Unreadable>> {
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of piecesOf(storage, content)) pieces.push(piece)
    return ok(Buffer.concat(pieces))
  } catch (error) {
    if (error instanceof UnreadableContent) return fail(error.why)
    throw error
  }
}
