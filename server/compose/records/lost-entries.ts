// A database that has lost what its anchors have seen must not go on by itself. Each process compares what it knows with
// the database, before it anchors and before it removes anything; what one has found out is in the anchor file and in the
// freeze, where the others find it. A person's acceptance ends it for all of them.
import { stat } from 'node:fs/promises'
import { frozenByItself, isFrozenByItself } from '../../model/switches.ts'
import {
  anchorFileGone,
  anchorLinesGone,
  behindAnchors,
  stoppedBecause,
  unreadableAnchors,
  type Doubt,
} from '../../rail/record/record-doubt.ts'
import { anchorPlace, appendAnchors, errnoOf, readAnchorsSoFar } from '../../store/store.ts'
import type { Anchor, AnchorsRead, Store } from '../../store/store.ts'

/** The log's anchors, as those ask for them who check it. */
export interface Anchoring {
  /** The file; `undefined` where the database is in memory and nothing is anchored. */
  readonly file: string | undefined
  /** Every anchor so far. Throws what the file says when it cannot be read. */
  read(): Promise<readonly Anchor[]>
  /** What speaks against the database, as its anchors say; `undefined` where nothing does. */
  doubt(): Promise<Doubt | undefined>
}

/** What a database is asked about itself. */
interface Compared {
  readonly activity: Pick<Store['activity'], 'behind'>
  readonly switches: Pick<Store['switches'], 'list'>
}

/** The anchors of a database. */
export function anchoringOf(store: Compared, named: string | undefined, database: string): Anchoring {
  const file = anchorPlace(named, database)
  return {
    file,
    read: async () => {
      const anchors = await readAnchorsSoFar(file)
      if (anchors.ok) return anchors.value
      throw new Error(`${anchors.failure.message} ${anchors.failure.next}`)
    },
    doubt: () => doubtOf(store, file),
  }
}

/** What speaks against a database, as its anchor file says; `read`: what the file has been found to say. */
export async function doubtOf(
  { activity, switches }: Compared,
  file: string | undefined,
  read?: AnchorsRead,
): Promise<Doubt | undefined> {
  // The file first: what other processes on this database anchor meanwhile is in the database by then.
  const anchors = read ?? (await readAnchorsSoFar(file))
  if (!anchors.ok) return unreadableAnchors(anchors.failure)
  return (await fileGone(switches, file, anchors.value)) ?? behindAnchors(await activity.behind(anchors.value))
}

/** A server that has frozen itself found lines in the file, or could not read it; where it has none, somebody removed it. */
const fileGone = async (
  switches: Compared['switches'],
  file: string | undefined,
  lines: readonly Anchor[],
): Promise<Doubt | undefined> =>
  file !== undefined && lines.length === 0 && (await switches.list()).some(isFrozenByItself)
    ? anchorFileGone(file)
    : undefined

interface LostEntriesWatch {
  /** What spoke against the database when this process last compared. */
  doubt(): Doubt | undefined
  /** Compares what this process knows, a few reads for each tenant; the whole file only where something calls for it. */
  look(): Promise<Doubt | undefined>
  /** Compares the whole file, and what this process knows. */
  compare(): Promise<Doubt | undefined>
  /** `look` where every tenant is frozen or something was found before, and else nothing: asked all the time. */
  stillInDoubt(): Promise<Doubt | undefined>
  /** Appends the newest entries of the chains to the file, unless something speaks against the database. */
  anchor(): Promise<void>
}

/** What the file and this process's memory say of the database. */
interface Judgement {
  readonly found: Doubt | undefined
  /** Whether it was concluded from the freeze that stands. Somebody may lift that one meanwhile, and it stays lifted. */
  readonly restsOnFreeze: boolean
  /** What the file says; `undefined` where it cannot be read. */
  readonly lines: readonly Anchor[] | undefined
  /** Lines that it has said, and says no more. */
  readonly removed: readonly Anchor[]
  /** Entries that only this process knows of. */
  readonly written: readonly Anchor[]
}

/**
 * Compares the database with all its anchors, and from then on with what this process knows. Where it lacks something,
 * every tenant is frozen. `file`: `undefined` where the database is in memory, which nobody can set back.
 */
export async function watchForLostEntries(
  store: Pick<Store, 'activity' | 'switches'>,
  file: string | undefined,
  say: (message: string) => void,
): Promise<LostEntriesWatch> {
  if (file === undefined) {
    const nothing = (): Promise<undefined> => Promise.resolve(undefined)
    return { doubt: () => undefined, look: nothing, compare: nothing, stillInDoubt: nothing, anchor: nothing }
  }
  const { activity, switches } = store
  /** Lines that this process has read or written: the last one of each tenant, and all of them while in doubt. */
  let remembered: readonly Anchor[] = []
  /** Entries that only this process knows of, and that the database lacked while nobody could read the file. */
  let unanchored: readonly Anchor[] = []
  /** Signatures of acceptances that were read before: they excuse nothing that this process learns afterwards. */
  const acceptancesRead = new Set<string>()
  let doubt: Doubt | undefined
  let frozen = false

  const globalFreeze = async () => (await switches.list()).find(({ tenant }) => tenant === undefined)

  const judge = async (): Promise<Judgement> => {
    const anchors = await readAnchorsSoFar(file)
    if (!anchors.ok) {
      const lost = await activity.behind(activity.known())
      const known = activity.known().filter((head) => lost.some(({ tenant }) => tenant === head.tenant))
      const written = [...unanchored, ...known]
      const found = unreadableAnchors(anchors.failure)
      return { found, restsOnFreeze: false, lines: undefined, removed: [], written }
    }
    const lines = anchors.value
    const links = new Set(lines.map(({ link }) => link))
    const accepted = activity.signedAcceptances(lines).filter(({ mac }) => !acceptancesRead.has(mac))
    const counts = (head: Anchor): boolean =>
      !links.has(head.link) && !accepted.some(({ tenant, at }) => tenant === head.tenant && at >= head.at)
    const newest = lastOfEach(lines)
    const isCovered = (head: Anchor): boolean =>
      newest.some(({ tenant, seq }) => tenant === head.tenant && seq > head.seq)
    const removed = remembered.filter(counts)
    // What is written while the database is known to be older hangs on the older chain, and must not speak against the
    // newer copy.
    const seen = doubt?.kind === 'behind' ? [] : [...unanchored, ...activity.known()]
    const written = seen.filter((head) => counts(head) && !isCovered(head))
    const behind = behindAnchors(await activity.behind([...lines, ...removed, ...written]))
    const lost = behind ?? (removed.length > 0 ? anchorLinesGone(file) : undefined)
    const gone = lost === undefined ? await fileGone(switches, file, lines) : undefined
    return { found: lost ?? gone, restsOnFreeze: gone !== undefined, lines, removed, written }
  }

  const act = async ({ found, restsOnFreeze, lines, removed, written }: Judgement): Promise<void> => {
    if (found !== undefined) {
      // What is lost is told once, however often a copy is restored; what is wrong with the file as often as it changes.
      if (found.kind !== doubt?.kind || (found.kind === 'unreadable' && found.message !== doubt.message))
        say(`Agents may change nothing. ${found.message} ${found.next}`)
      // At every look: a second restore takes the freeze with it.
      if (!restsOnFreeze && (await globalFreeze()) === undefined)
        await switches.freeze({ tenant: undefined, reason: stoppedBecause(found), by: frozenByItself })
    }
    // Written behind the freeze, which must not wait for a file. From here on they speak for themselves, at every door.
    const told = found?.kind === 'behind' ? [...removed, ...written] : []
    await appendAnchors(file, told)
    // Only now: where the freeze could not be set, the next look tries again.
    doubt = found
    if (lines === undefined) {
      // The record goes on behind the freeze, on the older chain; these are compared again once the file can be read.
      unanchored = written
      activity.forgetKnown(written.map(({ tenant }) => tenant))
      return
    }
    unanchored = told.length > 0 ? [] : unanchored.filter((head) => written.includes(head))
    remembered = found === undefined ? lastOfEach(lines) : [...lines, ...(told.length > 0 ? told : removed)]
    for (const { mac } of activity.signedAcceptances(lines)) acceptancesRead.add(mac)
    // What was accepted, or is in the file by now, must not fail the next write.
    activity.forgetKnown((await activity.behind(activity.known())).map(({ tenant }) => tenant))
  }

  const compare = async (): Promise<Doubt | undefined> => {
    await act(await judge())
    return doubt
  }
  const look = async (): Promise<Doubt | undefined> => {
    const freeze = await globalFreeze()
    // Whoever has frozen: the process that found something may have met an operator's freeze. And once after it was lifted.
    const wasFrozen = frozen
    frozen = freeze !== undefined
    if (doubt !== undefined || frozen || wasFrozen) return await compare()
    const lost = await activity.behind([...remembered, ...unanchored, ...activity.known()])
    return lost.length > 0 || (remembered.length > 0 && (await isEmpty(file))) ? await compare() : undefined
  }

  let last: Promise<unknown> = Promise.resolve()
  /** One comparison at a time: what the one before it has found out and written counts for the next. */
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  await inTurn(compare)
  activity.onSetBack(async () => (await inTurn(look)) === undefined)
  return {
    doubt: () => doubt,
    look: () => inTurn(look),
    compare: () => inTurn(compare),
    stillInDoubt: async () =>
      doubt !== undefined || (await globalFreeze()) !== undefined ? await inTurn(look) : undefined,
    anchor: async () => {
      // Not in turn: it waits for writes, and these may wait for a comparison.
      const heads = await activity.heads()
      await inTurn(async () => {
        // Heads of a database that has lost some would contradict the honest anchors.
        if ((await look()) !== undefined) return
        const moved = heads.filter(({ link }) => !remembered.some((line) => line.link === link))
        await appendAnchors(file, moved)
        remembered = lastOfEach([...remembered, ...moved])
      })
    },
  }
}

const lastOfEach = (lines: readonly Anchor[]): readonly Anchor[] => [
  ...new Map(lines.map((line) => [line.tenant, line])).values(),
]

/** Whether a file is gone or says nothing. What else is wrong with it shows when it is read or written. */
const isEmpty = async (file: string): Promise<boolean> => {
  try {
    return (await stat(file)).size === 0
  } catch (error) {
    return errnoOf(error) === 'ENOENT'
  }
}
