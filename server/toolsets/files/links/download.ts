// Where links lead: for anyone, so nothing here tells more than a link may. What does not work looks the same, whatever the
// reason; what is served is never run by a browser at this address, and is compared before it is sent.
import { onFirstUse } from '../../../on-first-use.ts'
import type { RouteVisitor, ToolsetRoute } from '../../toolset.ts'
import { piecesOf, UnreadableContent } from '../contents/content.ts'
import { attachment } from '../contents/names.ts'
import type { FilesParts } from '../parts.ts'
import { findShared, type Shared } from '../queries.ts'
import { recordDownload } from './downloads-on-record.ts'
import { askedRange } from './range.ts'
import { createRequestLimits } from './request-limits.ts'
import { createReaders, type Reader, type Readers } from './readers.ts'
import { downloadPath, hashOf } from './token.ts'

/** Of every answer: a page at this address may do nothing, and nobody in between keeps it. */
const guarded = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
} as const

const page = (status: number, sentence: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta name="color-scheme" content="light dark"><title>Download</title><p>${sentence}</p></html>\n`,
    { status, headers: { ...guarded, 'content-type': 'text/html; charset=utf-8', ...headers } },
  )

/** The same for a token that never was, one that is over or revoked, and a file that was deleted. */
const nothingHere = (): Response =>
  page(404, 'This link does not work. It may be over, revoked, or mistyped: ask whoever sent it for a new one.')

type DownloadParts = Pick<FilesParts, 'db' | 'recording' | 'storage' | 'now' | 'report' | 'downloadsPerMinute'>

/** `GET` and `HEAD /d/<token>`. */
export function downloadRoute(parts: DownloadParts, readers: Readers = createReaders()): ToolsetRoute {
  const limited = onFirstUse(() => createRequestLimits(parts.downloadsPerMinute))
  return {
    path: downloadPath,
    open: 'anyone',
    handle: async (request, visitor) => {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return page(405, 'A link can only be downloaded from.', { allow: 'GET, HEAD' })
      const hash = hashOf(new URL(request.url).pathname.slice(downloadPath.length + 1))
      const wait = await (await limited())(visitor.address, hash)
      if (wait !== undefined) return tooMany('Too many downloads from your address. Try again in a minute.', wait)
      try {
        const shared = await findShared(parts.db, hash, parts.now())
        return shared === undefined ? nothingHere() : await serve({ ...parts, ...visitor, readers }, request, shared)
      } catch (error) {
        parts.report(error, 'files: download')
        return notNow()
      }
    },
  }
}

const tooMany = (sentence: string, wait: number): Response => page(429, sentence, { 'retry-after': String(wait) })

interface ServingParts extends DownloadParts, RouteVisitor {
  readonly readers: Readers
}

async function serve(parts: ServingParts, { method, headers: asked }: Request, shared: Shared): Promise<Response> {
  const etag = `"${shared.sha256}"`
  const headers = { ...guarded, etag, 'accept-ranges': 'bytes' }
  if (isAmong(asked.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const condition = asked.get('if-range')
  // A range belongs to the content that its asker has seen; RFC 9110 defines it for GET alone.
  const isRange = method === 'GET' && (condition === null || condition === etag)
  const range = askedRange(isRange ? asked.get('range') : null, shared.bytes)
  if (range.kind === 'unsatisfiable')
    return page(416, 'The file has no such part.', { 'content-range': `bytes */${shared.bytes}` })
  const part = range.kind === 'part' ? range : undefined
  const { first, last } = part ?? { first: 0, last: shared.bytes - 1 }
  const described = {
    ...headers,
    'content-type': shared.type,
    'content-disposition': attachment(shared.name),
    'content-length': String(last - first + 1),
    ...(part !== undefined ? { 'content-range': `bytes ${first}-${last}/${shared.bytes}` } : {}),
  }
  if (method === 'HEAD') return new Response(null, { headers: described })
  const reader = parts.readers.begin(parts.address, shared.link_id)
  if (reader === undefined)
    return tooMany('Too many downloads at a time from your address. Try again when one of them has ended.', 10)
  const pieces = slicesOf(piecesOf(parts.storage, shared, { first, last }))
  const nothing = async (answer: Response): Promise<Response> => {
    reader.end()
    await pieces.return(undefined)
    return answer
  }
  try {
    // The first piece before the first header: of what cannot be read nothing is begun.
    const beginning = await pieces.next()
    const visit = { address: parts.address, userAgent: asked.get('user-agent'), part }
    // What is not on record is not given.
    if (!(await recordDownload(parts, shared, visit))) return await nothing(nothingHere())
    return new Response(streamOf(parts, reader, pieces, beginning.value), {
      status: part === undefined ? 200 : 206,
      headers: described,
    })
  } catch (error) {
    parts.report(error, 'files: download')
    return await nothing(error instanceof UnreadableContent ? unreadable() : notNow())
  }
}

const unreadable = (): Response =>
  page(500, 'The file cannot be read at the moment. The people who run this server have been told.')

const notNow = (): Response =>
  page(503, 'The file cannot be given out at the moment. Try again in a minute.', { 'retry-after': '60' })

/** Whether an `If-None-Match` names this tag. */
const isAmong = (header: string | null, etag: string): boolean =>
  header !== null && header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

/**
 * The connection asks for more when it has handed all of this to the system, so a slow line must take no more than this in the
 * patience for it, beside what the system itself holds back (1.6 MB between two turns, measured on loopback).
 */
const sliceBytes = 64 * 1024

async function* slicesOf(pieces: AsyncGenerator<Uint8Array, undefined>): AsyncGenerator<Uint8Array, undefined> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.byteLength; at += sliceBytes) yield piece.subarray(at, at + sliceBytes)
}

const streamOf = (
  { report, breakOff }: ServingParts,
  reader: Reader,
  pieces: AsyncGenerator<Uint8Array, undefined>,
  beginning: Uint8Array | undefined,
): ReadableStream<Uint8Array> => {
  // The connection breaks off before the length that was promised: nobody takes it for the whole. An error in its place
  // would be printed by the web server with its stack.
  const giveUp = (controller: ReadableStreamDefaultController<Uint8Array>, why: unknown): void => {
    if (breakOff === undefined) controller.error(why)
    else breakOff()
  }
  const hand = (controller: ReadableStreamDefaultController<Uint8Array>, piece: Uint8Array | undefined): void => {
    if (piece === undefined) {
      reader.end()
      controller.close()
      return
    }
    controller.enqueue(piece)
    reader.waits(() => {
      giveUp(controller, new Error('The reader took nothing for too long.'))
      void pieces.return(undefined)
    })
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => hand(controller, beginning),
      pull: async (controller) => {
        reader.takes()
        try {
          const { value } = await pieces.next()
          // Given up while it was read.
          if (!reader.hasEnded()) hand(controller, value)
        } catch (error) {
          reader.end()
          report(error, 'files: download')
          giveUp(controller, error)
        }
      },
      cancel: () => {
        reader.end()
        void pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
