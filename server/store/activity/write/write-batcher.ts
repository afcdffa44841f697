// A transaction costs more than what is written in it: a lock, a commit, on PostgreSQL four ways to the server. So what
// waits to be written together is written together, in the order in which it came, and each still hears its own answer.
import { isStoreAway } from '../../postgres/loss.ts'
import { SetBack } from '../chain/last-seen.ts'

/** Runs steps in one transaction that nobody else writes into. `ids` are the rows that they are about. */
export type Transact<Tx> = <R>(durable: boolean, work: (tx: Tx) => Promise<R>, ids: readonly string[]) => Promise<R>

interface WriteBatcher<Tx> {
  /**
   * Takes one step. `prepare` is called once, when its turn has come and before the log is locked for it. Rejects with
   * the step's own error; the others are not concerned. `id` names the row that it is about, where there is one already.
   */
  write<R, P>(prepare: () => P, step: (tx: Tx, prepared: P) => Promise<R>, how: How, id?: string): Promise<R>
  /** Waits for all that was handed in before. */
  settled(): Promise<void>
}

/** `durable`: it waits for the disk. `soon`: at once. `idle`: with the next one that comes, or in a moment. */
type How = 'durable' | 'soon' | 'idle'

interface Waiting<Tx> {
  readonly durable: boolean
  readonly id?: string | undefined
  prepare(): void
  take(tx: Tx): Promise<() => void>
  refuse(error: unknown): void
}

/** How long an idle step waits for company, in milliseconds. */
const IDLE_FLUSH_MS = 5

/** So many steps share a transaction at most: a watcher of the log should not wait for hundreds. */
const MAX_BATCH = 64

export function createWriteBatcher<Tx>(transact: Transact<Tx>): WriteBatcher<Tx> {
  const line: Waiting<Tx>[] = []
  let draining = false
  let moment: NodeJS.Timeout | undefined

  function begin(): void {
    clearTimeout(moment)
    moment = undefined
    if (draining) return
    draining = true
    // Whoever has something to write in this turn of the loop has said so by the end of it.
    setImmediate(() => void drain())
  }

  async function drain(): Promise<void> {
    while (line.length > 0) await take(line.splice(0, MAX_BATCH).filter(isReady))
    draining = false
  }

  function isReady(each: Waiting<Tx>): boolean {
    try {
      each.prepare()
      return true
    } catch (error) {
      each.refuse(error)
      return false
    }
  }

  async function take(batch: readonly Waiting<Tx>[]): Promise<void> {
    if (batch.length === 0) return
    try {
      const answers = await transact(
        batch.some(({ durable }) => durable),
        async (tx) => {
          const taken: (() => void)[] = []
          for (const each of batch) taken.push(await each.take(tx))
          return taken
        },
        batch.flatMap(({ id }) => id ?? []),
      )
      for (const answer of answers) answer()
    } catch (error) {
      // Nothing of it was written, unless the database is gone and cannot say. One bad step must not cost the others; in a
      // database that was set back each of them is one.
      if (batch.length === 1 || isStoreAway(error) || error instanceof SetBack)
        for (const each of batch) each.refuse(error)
      else for (const each of batch) await take([each])
    }
  }

  return {
    write: <R, P>(prepare: () => P, step: (tx: Tx, prepared: P) => Promise<R>, how: How, id?: string) =>
      new Promise<R>((resolve, reject) => {
        let prepared: { readonly value: P } | undefined
        const ready = (): P => (prepared ??= { value: prepare() }).value
        line.push({
          durable: how === 'durable',
          id,
          prepare: () => void ready(),
          take: async (tx) => {
            const answer = await step(tx, ready())
            return () => resolve(answer)
          },
          refuse: reject,
        })
        if (how === 'idle') moment ??= draining ? undefined : setTimeout(begin, IDLE_FLUSH_MS)
        else begin()
      }),
    settled: () => {
      if (!draining && line.length === 0) return Promise.resolve()
      return new Promise((resolve) => {
        line.push({
          durable: false,
          prepare: () => undefined,
          take: () => Promise.resolve(resolve),
          refuse: () => resolve(),
        })
        begin()
      })
    },
  }
}
