// A person who judges a file wants to see it. What is shown is made once for each content, in a thread of its own
// (`picture-worker.ts`), and kept; of what cannot be shown it is said why.
import { fail, type Result } from '../../errors/result.ts'
import { FairQueue } from '../../sandbox/sessions/fair-queue.ts'
import { drawApart } from './draw-apart.ts'
import { ways, type Drawn, type DrawRequest } from './picture.ts'

/** Contents that are larger are not read for a picture. */
const mostBytes = 64 * 1024 * 1024
/** Time that a picture may take once its turn has come, and that it may wait for that. */
const drawMs = 30_000
const waitMs = 10_000
/** Pictures that are kept, of up to 64,000 characters each. */
const mostKept = 200

/** Threads at a time, of this process: each takes a processor and up to 512 MB. */
const queue = new FairQueue(2)
/** By the digest of their contents, those that were asked for last at the end. */
const kept = new Map<string, Promise<Drawn>>()

/** A content that a card is about. */
export interface Pictured {
  /** By the content, never by the name. */
  readonly type: string
  readonly bytes: number
  readonly sha256: string
  /** Asked only where a picture has to be made. */
  readonly read: () => Promise<Result<Uint8Array, unknown>>
}

/** Whether people expect to see contents of this type. */
export const isPictured = (type: string): boolean => ways.has(type) || type.startsWith('image/')

/**
 * A picture of a content, or why there is none; `undefined` of what nobody expects to see, as an archive.
 * @param owner for whom it is made: nobody waits for the pictures of one who asks for many.
 */
export async function pictureOf(content: Pictured, owner: string): Promise<Drawn | undefined> {
  if (!isPictured(content.type)) return undefined
  const way = ways.get(content.type)
  if (way === undefined) return fail({ why: content.type === 'image/svg+xml' ? 'svg' : 'unknown-type' })
  if (content.bytes > mostBytes) return fail({ why: 'too-large' })
  const { sha256 } = content
  const before = kept.get(sha256)
  kept.delete(sha256)
  const drawing = before ?? inTurn(owner, way, content)
  kept.set(sha256, drawing)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size > mostKept) kept.delete(oldest)
  try {
    const drawn = await drawing
    if (!drawn.ok && passing.has(drawn.failure.why)) forget(sha256, drawing)
    return drawn
  } catch (error) {
    forget(sha256, drawing)
    throw error
  }
}

/** What may be otherwise the next time. */
const passing: ReadonlySet<string> = new Set(['busy', 'unreadable', 'not-installed'])

function forget(sha256: string, drawing: Promise<Drawn>): void {
  if (kept.get(sha256) === drawing) kept.delete(sha256)
}

async function inTurn(owner: string, way: DrawRequest['way'], content: Pictured): Promise<Drawn> {
  const giveBack = await queue.take(owner, waitMs, [])
  if (giveBack === undefined) return fail({ why: 'busy' })
  try {
    const read = await content.read()
    return read.ok ? await drawApart({ way, bytes: read.value }, drawMs) : fail({ why: 'unreadable' })
  } finally {
    giveBack()
  }
}
