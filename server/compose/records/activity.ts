// What the activity log needs done while a server runs: anchors are written, rows that have reached their age are removed,
// and the hours that are over are summed up for insights. Each is small and soon repeated, so a failure is reported and the next time may do better. Before the first
// anchor is written, the database is compared with the earlier ones: where it has lost entries, agents may change nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Doubt } from '../../rail/record/record-doubt.ts'
import type { RetentionTime, Retention, Store } from '../../store/store.ts'
import { anchoringOf, watchForLostEntries, type Anchoring } from './lost-entries.ts'

export { inspectDatabase } from '../../store/inspect.ts'
export { anchorPlace, appendAnchors, readAnchors, readAnchorsSoFar, setAnchorsAside } from '../../store/store.ts'
export { anchoringOf, doubtOf, type Anchoring } from './lost-entries.ts'

/** Where the activity log is anchored, and how much of it stays. */
export interface ActivityUpkeep {
  /** File to which anchors are appended; one beside the database when absent. */
  readonly anchor?: string | undefined
  /** What may stay of the log; everything when absent. */
  readonly retention?: Retention | undefined
}

export interface Keeping extends Anchoring {
  /** Why age is not counted by the machine's clock; `undefined` where it is. As of the last minute. */
  clock(): string | undefined
  /** What spoke against the database when it was last compared, if it still does; every process says so while one has stopped all. */
  stillInDoubt(): Promise<Doubt | undefined>
  /** Waits for what is due by now; the first anchoring and removal are as soon as this answers. */
  settled(): Promise<void>
  /** Leaves a last anchor behind. */
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Calls come before sums: after each step of summing up a long log, everybody else has so long. */
const BETWEEN_SUMS_MS = 20

const DAY_MS = 24 * HOUR_MS

/** What a clock that is far ahead means for what is removed; `undefined` where it is not. */
export const aheadText = ({ at, ahead }: RetentionTime): string | undefined =>
  ahead === undefined
    ? undefined
    : `The clock is ${Math.floor(ahead / DAY_MS)} days ahead of the time that this database has seen pass, so age is counted as of ${new Date(at).toISOString()}.`

/** What an operator does about it. */
export const aheadNext =
  'Nothing goes before its time meanwhile, and old rows stay longer. If the clock is wrong, correct it. If it is right (the server was off), say so with `countersign activity retain --yes`: age is counted by it from then on.'

/** Compares, freezes where something is lost, and starts to anchor and to remove. `database` as the store was opened. */
export async function keepActivity(
  store: Pick<Store, 'activity' | 'switches'>,
  { anchor, retention }: ActivityUpkeep,
  database: string,
  report: (error: unknown, where: string) => unknown,
  say: (message: string) => void,
): Promise<Keeping> {
  const anchoring = anchoringOf(store, anchor, database)
  const { activity } = store
  const watch = await watchForLostEntries(store, anchoring.file, say)
  let clock: string | undefined
  const retainNow = async (): Promise<void> => {
    const time = await activity.followTime()
    const ahead = aheadText(time)
    if (ahead !== undefined && clock === undefined) say(`${ahead} ${aheadNext}`)
    clock = ahead
    // Each minute, also where nothing is removed: what a person has accepted must not excuse a loss that comes after it.
    const found = await watch.look()
    // What is removed now could not be compared any more.
    if (retention === undefined || found !== undefined) return
    while (watch.doubt() === undefined && (await activity.retain(retention, time.at)) > 0);
  }
  const stopping = new AbortController()
  const sumUp = async (): Promise<void> => {
    while (!stopping.signal.aborted && (await activity.sumUp())) await sleep(BETWEEN_SUMS_MS)
  }
  const reported = (work: () => Promise<void>, where: string): Promise<void> =>
    work().catch((error: unknown) => void report(error, where))
  let running: Promise<void> = Promise.resolve()
  const every = (ms: number, work: () => Promise<void>, where: string): NodeJS.Timeout => {
    const tend = (): void => void (running = running.then(() => reported(work, where)))
    tend()
    return setInterval(tend, ms).unref()
  }
  const timers: NodeJS.Timeout[] = [
    // A file that somebody has named is read by others, who want it fresh; the one beside the database stays small.
    every(anchor === undefined ? HOUR_MS : MINUTE_MS, () => watch.anchor(), 'anchoring the activity log'),
    every(MINUTE_MS, retainNow, 'activity retention'),
    // When the start has had the processor, and before the first call wants it.
    setTimeout(() => {
      timers.push(every(MINUTE_MS, sumUp, 'sums of the activity log'))
    }, 1000).unref(),
  ]
  return {
    ...anchoring,
    doubt: () => watch.compare(),
    stillInDoubt: () => watch.stillInDoubt(),
    clock: () => clock,
    settled: () => running,
    stop: async () => {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
      await running
      await reported(() => watch.anchor(), 'anchoring the activity log')
    },
  }
}

/** Removes what is old by the time that the database has seen pass, whatever the machine's clock says. */
export const sweepByRetentionTime = async ({ activity, sweep }: Pick<Store, 'activity' | 'sweep'>): Promise<void> =>
  void (await sweep(undefined, (await activity.retentionTime()).at))
