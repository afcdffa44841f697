// A person who judges a file wants to see it. What is shown is made once for each content, in a thread of its own
// (`picture-worker.ts`), and kept; of what cannot be shown it is said why.
import { fail, type Result } from '../../errors/result.ts'
import type { Principal } from '../../model/principal.ts'
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
/**
 * By their tenants and the digests of their contents, those that were asked for last at the end. Nobody finds out by how long
 * a picture takes what another tenant has looked at.
 */
const kept = new Map<string, Drawing>()

interface Drawing {
  /** In whose turn it is made. */
  readonly owner: string
  readonly drawn: Promise<Drawn>
}

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
 * @param principal for whom it is made: nobody waits for the pictures of one who asks for many.
 */
export async function pictureOf(content: Pictured, { tenant, subject }: Principal): Promise<Drawn | undefined> {
  if (!isPictured(content.type)) return undefined
  const way = ways.get(content.type)
  if (way === undefined) return fail({ why: content.type === 'image/svg+xml' ? 'svg' : 'unknown-type' })
  if (content.bytes > mostBytes) return fail({ why: 'too-large' })
  const owner = JSON.stringify([tenant, subject])
  const key = JSON.stringify([tenant, content.sha256])
  // That somebody else had no turn, or could not read it, says nothing of this one. Whoever waited beside this one may have
  // begun to draw it anew by then.
  for (let waits = 0; waits < 2; waits += 1) {
    const theirs = kept.get(key)
    if (theirs === undefined || theirs.owner === owner) break
    const drawn = await keep(key, theirs)
    if (drawn.ok || !passing.has(drawn.failure.why)) return drawn
  }
  const before = kept.get(key)
  return keep(key, before?.owner === owner ? before : { owner, drawn: inTurn(owner, way, content) })
}

/** What may be otherwise the next time. */
const passing: ReadonlySet<string> = new Set(['busy', 'unreadable', 'not-installed'])

async function keep(key: string, drawing: Drawing): Promise<Drawn> {
  kept.delete(key)
  kept.set(key, drawing)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size > mostKept) kept.delete(oldest)
  try {
    const drawn = await drawing.drawn
    if (!drawn.ok && passing.has(drawn.failure.why)) forget(key, drawing)
    return drawn
  } catch (error) {
    forget(key, drawing)
    throw error
  }
}

function forget(key: string, drawing: Drawing): void {
  if (kept.get(key) === drawing) kept.delete(key)
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
