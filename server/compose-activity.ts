// What the activity log needs done while a server runs: heads leave for the anchor file, and old rows go. Each is small
// and soon repeated, so a failure is reported and the next time may do better. Before the first head leaves, the database
// is compared with those that have left before: one that has lost what they have seen must not go on by itself.
import { behindNext } from './call/freeze.ts'
import { anchorPlace, appendAnchors, readAnchorsSoFar } from './store/store.ts'
import type { Anchor, KeptTime, Retention, Store } from './store/store.ts'

export { anchorPlace, appendAnchors, readAnchors, readAnchorsSoFar } from './store/store.ts'

export interface ActivityUpkeep {
  /** File to which the heads of the chains are appended; one beside the database when absent. */
  readonly anchor?: string | undefined
  /** What may stay of the log; everything when absent. */
  readonly retention?: Retention | undefined
}

/** The log's anchors, as those ask for them who check it. */
export interface Anchoring {
  /** The file; `undefined` where the database is in memory and nothing is anchored. */
  readonly file: string | undefined
  /** Every anchor so far. Throws what the file says when it cannot be read. */
  read(): Promise<readonly Anchor[]>
  /** Why the database counts as older than its anchors; `undefined` where it does not. */
  behind(): Promise<string | undefined>
}

export interface Keeping extends Anchoring {
  /** Why age is not counted by the machine's clock; `undefined` where it is. As of the last minute. */
  clock(): string | undefined
  /** The same of a server that was behind at its start, and costs nothing of one that was not: asked all the time. */
  stillBehind(): Promise<string | undefined>
  /** Leaves a last anchor behind. */
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Who has frozen a server whose database is behind: nobody, it did so itself. */
export const frozenByItself = 'countersign'

const DAY_MS = 24 * HOUR_MS

/** What a clock that is far ahead means for what is removed; `undefined` where it is not. */
export const aheadText = ({ at, ahead }: KeptTime): string | undefined =>
  ahead === undefined
    ? undefined
    : `The clock is ${Math.floor(ahead / DAY_MS)} days ahead of the time that this database has seen pass, so age is counted as of ${new Date(at).toISOString()}.`

/** What an operator does about it. */
export const aheadNext =
  'If the clock is wrong, correct it now: what is old by it goes step by step. If it is right (the server was off), this ends by itself; `countersign activity retain --yes` counts by the clock at once.'

/** The anchors of a database. */
export function anchoringOf(
  { activity }: Pick<Store, 'activity'>,
  named: string | undefined,
  database: string,
): Anchoring {
  const file = anchorPlace(named, database)
  const read = async (): Promise<readonly Anchor[]> => {
    const anchors = await readAnchorsSoFar(file)
    if (anchors.ok) return anchors.value
    throw new Error(`${anchors.failure.message} ${anchors.failure.next}`)
  }
  return {
    file,
    read,
    behind: async () => {
      // The file first: what other processes on this database anchor meanwhile is in the database by then.
      const found = await activity.behind(await read())
      return found.length === 0 ? undefined : found.map(({ message }) => message).join(' ')
    },
  }
}

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
  const told = new Map<string, string>()
  let behind = await anchoring.behind().catch((error: unknown) => {
    // As little as a file that is gone: the next check of the record says so again.
    say(error instanceof Error ? error.message : String(error))
    return undefined
  })
  if (behind !== undefined) {
    say(`The database is older than its anchors, and agents may change nothing. ${behind} ${behindNext}`)
    const frozen = await store.switches.list()
    if (!frozen.some(({ tenant }) => tenant === undefined))
      await store.switches.freeze({
        tenant: undefined,
        reason: `The database has lost entries of its record, and a change could be made twice. ${behind}`,
        by: frozenByItself,
      })
  }

  const anchorNow = async (): Promise<void> => {
    if (anchoring.file === undefined) return
    // Heads of a database that has lost some would contradict the honest anchors.
    if (behind !== undefined) behind = await anchoring.behind()
    if (behind !== undefined) return
    const moved = (await activity.heads()).filter(({ tenant, link }) => told.get(tenant) !== link)
    await appendAnchors(anchoring.file, moved)
    for (const { tenant, link } of moved) told.set(tenant, link)
  }
  let clock: string | undefined
  const retainNow = async (): Promise<void> => {
    const time = await activity.followTime()
    const ahead = aheadText(time)
    if (ahead !== undefined && clock === undefined) say(`${ahead} ${aheadNext}`)
    clock = ahead
    // What is removed now could not be compared any more.
    if (retention === undefined || behind !== undefined) return
    while ((await activity.retain(retention, time.at)) > 0);
  }
  const reported = (work: () => Promise<void>, where: string): Promise<void> =>
    work().catch((error: unknown) => void report(error, where))
  let running: Promise<void> = Promise.resolve()
  const every = (ms: number, work: () => Promise<void>, where: string): NodeJS.Timeout => {
    const tend = (): void => void (running = running.then(() => reported(work, where)))
    tend()
    return setInterval(tend, ms).unref()
  }
  const timers = [
    // A file that somebody has named is read by others, who want it fresh; the one beside the database stays small.
    every(anchor === undefined ? HOUR_MS : MINUTE_MS, anchorNow, 'anchoring the activity log'),
    every(MINUTE_MS, retainNow, 'activity retention'),
  ]
  return {
    ...anchoring,
    stillBehind: async () => (behind === undefined ? undefined : (behind = await anchoring.behind())),
    clock: () => clock,
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await running
      await reported(anchorNow, 'anchoring the activity log')
    },
  }
}

/** Removes what is old by the time that the database has seen pass, whatever the machine's clock says. */
export const sweepByKeptTime = async ({ activity, sweep }: Pick<Store, 'activity' | 'sweep'>): Promise<void> =>
  void (await sweep(undefined, (await activity.keptTime()).at))
