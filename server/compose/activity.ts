// What the activity log needs done while a server runs: heads leave for the anchor file, and old rows go. Each is small
// and soon repeated, so a failure is reported and the next time may do better. Before the first head leaves, the database
// is compared with those that have left before: one that has lost what they have seen must not go on by itself.
import { behindAnchors, stoppedBecause, unreadableAnchors, type Doubt } from '../rail/record/record-doubt.ts'
import { anchorPlace, appendAnchors, readAnchorsSoFar } from '../store/store.ts'
import type { Anchor, AnchorsRead, KeptTime, Retention, Store } from '../store/store.ts'

export { lookInto } from '../store/look.ts'
export { anchorPlace, appendAnchors, readAnchors, readAnchorsSoFar, setAnchorsAside } from '../store/store.ts'

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
  /** What speaks against the database, as its anchors say; `undefined` where nothing does. */
  doubt(): Promise<Doubt | undefined>
}

export interface Keeping extends Anchoring {
  /** Why age is not counted by the machine's clock; `undefined` where it is. As of the last minute. */
  clock(): string | undefined
  /** What spoke against the database when it was last compared, if it still does. Costs nothing where nothing did: asked all the time. */
  stillInDoubt(): Promise<Doubt | undefined>
  /** Leaves a last anchor behind. */
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Who has frozen a server whose database is in doubt: nobody, it did so itself. */
export const frozenByItself = 'countersign'

const DAY_MS = 24 * HOUR_MS

/** What a clock that is far ahead means for what is removed; `undefined` where it is not. */
export const aheadText = ({ at, ahead }: KeptTime): string | undefined =>
  ahead === undefined
    ? undefined
    : `The clock is ${Math.floor(ahead / DAY_MS)} days ahead of the time that this database has seen pass, so age is counted as of ${new Date(at).toISOString()}.`

/** What an operator does about it. */
export const aheadNext =
  'Nothing goes before its time meanwhile, and old rows stay longer. If the clock is wrong, correct it. If it is right (the server was off), say so with `countersign activity retain --yes`: age is counted by it from then on.'

/** The anchors of a database. */
export function anchoringOf(
  { activity }: { readonly activity: Pick<Store['activity'], 'behind'> },
  named: string | undefined,
  database: string,
): Anchoring {
  const file = anchorPlace(named, database)
  return {
    file,
    read: async () => {
      const anchors = await readAnchorsSoFar(file)
      if (anchors.ok) return anchors.value
      throw new Error(`${anchors.failure.message} ${anchors.failure.next}`)
    },
    // The file first: what other processes on this database anchor meanwhile is in the database by then.
    doubt: async () => doubtOf(activity, await readAnchorsSoFar(file)),
  }
}

/** What speaks against a database, as these anchors say. */
export const doubtOf = async (
  activity: Pick<Store['activity'], 'behind'>,
  anchors: AnchorsRead,
): Promise<Doubt | undefined> =>
  anchors.ok ? behindAnchors(await activity.behind(anchors.value)) : unreadableAnchors(anchors.failure)

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
  /** What this process has anchored last of each tenant. */
  const told = new Map<string, Anchor>()
  let doubt: Doubt | undefined
  const freeze = async (found: Doubt): Promise<void> => {
    say(`Agents may change nothing. ${found.message} ${found.next}`)
    const frozen = await store.switches.list()
    if (!frozen.some(({ tenant }) => tenant === undefined))
      await store.switches.freeze({ tenant: undefined, reason: stoppedBecause(found), by: frozenByItself })
    // Only now: where the freeze could not be set, the next look tries again.
    doubt = found
  }
  const found = await anchoring.doubt()
  if (found !== undefined) await freeze(found)
  activity.onSetBack(async (seen) => {
    if (anchoring.file === undefined) return
    // An honest head like any other; from here on it speaks for itself, at every door.
    await appendAnchors(anchoring.file, [seen])
    const older = await anchoring.doubt()
    if (older !== undefined) await freeze(older)
  })
  const look = async (): Promise<Doubt | undefined> => {
    if (doubt !== undefined) {
      doubt = await anchoring.doubt()
      // A person has accepted the database, or restored what was lost: what was anchored before may count no more.
      if (doubt === undefined) told.clear()
      return doubt
    }
    // Only what this process has anchored itself, not the whole file: others compare what they have.
    if ((await activity.behind([...told.values()])).length === 0) return undefined
    told.clear()
    const older = await anchoring.doubt()
    if (older !== undefined) await freeze(older)
    return doubt
  }

  const anchorNow = async (): Promise<void> => {
    // Heads of a database that has lost some would contradict the honest anchors.
    if (anchoring.file === undefined || (await look()) !== undefined) return
    const moved = (await activity.heads()).filter(({ tenant, link }) => told.get(tenant)?.link !== link)
    await appendAnchors(anchoring.file, moved)
    for (const head of moved) told.set(head.tenant, head)
  }
  let clock: string | undefined
  const retainNow = async (): Promise<void> => {
    const time = await activity.followTime()
    const ahead = aheadText(time)
    if (ahead !== undefined && clock === undefined) say(`${ahead} ${aheadNext}`)
    clock = ahead
    // What is removed now could not be compared any more.
    if (retention === undefined || doubt !== undefined) return
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
    stillInDoubt: async () => (doubt === undefined ? undefined : await look()),
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
