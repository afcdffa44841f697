// What several servers list is one list to a client, and one of them that hangs must not keep the others' from it. So the
// wait for each is short where there are several, and who is late is taken at the last list it gave; its answer is still
// waited for behind the scenes, and counts the next time.
import type { Upstream } from '../upstream/upstream.ts'

export interface Found<I> {
  readonly upstream: Upstream
  readonly item: I
}

interface Page<I> {
  readonly items: readonly I[]
  readonly next: string | undefined
}

interface ListParts<I> {
  /** Who can be asked now, in the order of the configuration. */
  readonly able: () => readonly Upstream[]
  /** One page; `undefined` where the server did not give it. */
  readonly page: (
    upstream: Upstream,
    cursor: string | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<Page<I> | undefined>
  /** How long one server is waited for; as long as its own timeout where absent. */
  readonly patienceMs: number | undefined
}

interface Held<I> {
  /** The last list that came whole. */
  items?: readonly I[]
  /** When the oldest question that is still open was asked. */
  openSince?: number
}

const pageLimit = 100

/** One kind of list, of all servers together. A cursor of one server means nothing to another, so all pages are read. */
export function createMergedList<I>({ able, page, patienceMs }: ListParts<I>) {
  const held = new Map<Upstream, Held<I>>()
  const heldOf = (upstream: Upstream): Held<I> => {
    const known = held.get(upstream) ?? {}
    held.set(upstream, known)
    return known
  }

  async function ask(upstream: Upstream, signal: AbortSignal | undefined): Promise<readonly I[]> {
    const known = heldOf(upstream)
    const since = performance.now()
    known.openSince ??= since
    const found: I[] = []
    try {
      let cursor: string | undefined
      for (let count = 0; count < pageLimit; count++) {
        const answer = await page(upstream, cursor, signal)
        if (answer === undefined) return known.items ?? found
        found.push(...answer.items)
        cursor = answer.next
        if (cursor === undefined) break
      }
      known.items = found
      return found
    } finally {
      if (known.openSince === since) delete known.openSince
    }
  }

  async function soon(upstream: Upstream, signal: AbortSignal | undefined): Promise<readonly I[]> {
    if (patienceMs === undefined) return ask(upstream, signal)
    const { items = [], openSince } = heldOf(upstream)
    // It has kept somebody waiting already, and still does.
    if (openSince !== undefined && performance.now() - openSince >= patienceMs) return items
    const { promise: late, resolve } = Promise.withResolvers<readonly I[]>()
    const timer = setTimeout(() => resolve(heldOf(upstream).items ?? []), patienceMs)
    try {
      return await Promise.race([ask(upstream, signal), late])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** What was listed last, without asking anybody. */
    known: (): readonly Found<I>[] =>
      able().flatMap((upstream) => (heldOf(upstream).items ?? []).map((item) => ({ upstream, item }))),
    /** What is listed now; those that `asked` leaves out are taken at the last list they gave. */
    async fresh(signal: AbortSignal | undefined, asked: (upstream: Upstream) => boolean): Promise<readonly Found<I>[]> {
      const lists = await Promise.all(
        able().map(async (upstream) =>
          (asked(upstream) ? await soon(upstream, signal) : (heldOf(upstream).items ?? [])).map((item) => ({
            upstream,
            item,
          })),
        ),
      )
      return lists.flat()
    },
  }
}
