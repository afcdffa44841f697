// Two questions that machines ask all the time and mix up at their cost. Alive: is there any use in waiting for this
// process, or should it be started anew? Ready: should it be sent work now? A server whose database is away is alive and
// not ready; one that is being ended is alive, finishes what it has, and gets nothing new.
import { Hono } from 'hono'
import type { Doubt } from '../rail/record/record-doubt.ts'

export interface HealthOptions {
  /**
   * Asks the database for the migrations that this version needs and has not found, and those that it does not know; and
   * whether it takes a write.
   */
  readonly probe: () => Promise<{
    readonly missing: readonly string[]
    readonly unknown: readonly string[]
    readonly unwritable?: { readonly error: unknown }
  }>
  /** What speaks against the database: agents may change nothing then. */
  readonly doubt?: (() => Promise<Pick<Doubt, 'kind'> | undefined>) | undefined
  /** Why age is not counted by the machine's clock. It is told, and decides nothing: a server that was off looks the same. */
  readonly clock?: (() => string | undefined) | undefined
  /** How many servers that this one stands in front of are in which state. They are told, and decide nothing. */
  readonly upstreams?: (() => Readonly<Record<string, number>>) | undefined
  /** Told why, when it is asked and not ready. */
  readonly report?: ((error: unknown, where: string) => void) | undefined
}

/** How long the database may take to answer, in milliseconds. */
const probeMs = 2000

/** `/healthz` and `/readyz`. Names of things stay out of the answers: whoever reaches the port may ask. */
export function createHealthApp(
  { probe, doubt, clock, upstreams, report }: HealthOptions,
  closing: () => boolean,
): Hono {
  let asking: Promise<Readiness> | undefined
  const ask = (): Promise<Readiness> =>
    // Those who ask at the same time share one question: nobody can keep the database busy from here.
    (asking ??= readiness({ probe, doubt, report }).finally(() => (asking = undefined)))
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }, 200, noStore))
    .get('/readyz', async (c) => {
      if (closing())
        return c.json({ status: 'closing', message: 'This process ends as soon as its calls have.' }, 503, noStore)
      const found = await ask()
      const more = upstreams === undefined ? {} : { upstreams: upstreams() }
      const ahead = clock?.() === undefined ? {} : { clock: 'ahead' }
      return c.json({ ...found, ...ahead, ...more }, found.status === 'ready' ? 200 : 503, noStore)
    })
}

const doubtful = {
  behind:
    'The database is older than its anchors: restore the newer copy, or accept it with `countersign activity accept`. The log says more.',
  unreadable:
    'The anchors of the database cannot be read: put the file in order, or go on without with `countersign activity accept`. The log says more.',
} as const

const noStore = { 'cache-control': 'no-store' }

interface Readiness {
  readonly status: 'ready' | 'not-ready'
  /** `late`: no answer in time; `gone`: it refused; `not-writable`: it can be read, and keeps nothing. */
  readonly store: 'ok' | 'late' | 'gone' | 'not-writable'
  /** `behind`: the database has lost what its anchors have seen; `unreadable`: nobody can read what they have seen. */
  readonly record?: Doubt['kind']
  readonly migrations?: 'done' | 'missing' | 'newer'
  readonly message?: string
}

async function readiness({ probe, doubt, report }: HealthOptions): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), probeMs)
  })
  try {
    const found = await Promise.race([probe(), late])
    if (found === 'late')
      return { status: 'not-ready', store: 'late', message: `The database has not answered for ${probeMs} ms.` }
    if (found.missing.length > 0)
      return { status: 'not-ready', store: 'ok', migrations: 'missing', message: 'The database lacks its migrations.' }
    if (found.unwritable !== undefined) {
      report?.(found.unwritable.error, 'readyz')
      const message = 'The database answers, but nothing can be written to it (is its disk full?); the log says why.'
      return { status: 'not-ready', store: 'not-writable', message }
    }
    const record = (await doubt?.())?.kind
    if (record !== undefined) return { status: 'not-ready', store: 'ok', record, message: doubtful[record] }
    // Somebody has started the next version; what this one needs is still there.
    return { status: 'ready', store: 'ok', migrations: found.unknown.length > 0 ? 'newer' : 'done' }
  } catch (error) {
    report?.(error, 'readyz')
    return { status: 'not-ready', store: 'gone', message: 'The database cannot be reached; the log says why.' }
  } finally {
    clearTimeout(timer)
  }
}
