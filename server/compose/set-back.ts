// A database that has lost what its anchors have seen must not go on by itself. Each process compares what it knows with
// the database, before it anchors and before it removes anything; what one has found out is in the anchor file and in the
// freeze, where the others find it. A person's acceptance ends it for all of them.
import { behindAnchors, stoppedBecause, unreadableAnchors, type Doubt } from '../rail/record/record-doubt.ts'
import { anchorPlace, appendAnchors, readAnchorsSoFar } from '../store/store.ts'
import type { Anchor, AnchorsRead, Store } from '../store/store.ts'

/** The log's anchors, as those ask for them who check it. */
export interface Anchoring {
  /** The file; `undefined` where the database is in memory and nothing is anchored. */
  readonly file: string | undefined
  /** Every anchor so far. Throws what the file says when it cannot be read. */
  read(): Promise<readonly Anchor[]>
  /** What speaks against the database, as its anchors say; `undefined` where nothing does. */
  doubt(): Promise<Doubt | undefined>
}

/** Who has frozen a server whose database is in doubt: nobody, it did so itself. */
export const frozenByItself = 'countersign'

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

export interface SetBackWatch {
  /** What this process has anchored last of each tenant. */
  readonly told: Map<string, Anchor>
  /** What spoke against the database when this process last looked. */
  doubt(): Doubt | undefined
  /** Compares what this process knows, a few reads for each tenant; all anchors only where every tenant is frozen. */
  look(): Promise<Doubt | undefined>
  /** The same where every tenant is frozen or something was found before, and else nothing: asked all the time. */
  stillInDoubt(): Promise<Doubt | undefined>
}

/** Compares the database with all its anchors, and from then on with what this process knows; freezes where it lacks something. */
export async function watchForSetBack(
  { activity, switches }: Pick<Store, 'activity' | 'switches'>,
  file: string | undefined,
  say: (message: string) => void,
): Promise<SetBackWatch> {
  const told = new Map<string, Anchor>()
  /** Acceptances from before what this process knows now: they excuse nothing of it. By their signatures. */
  const past = new Set<string>()
  let doubt: Doubt | undefined

  const frozenForAll = async (): Promise<boolean> => (await switches.list()).some(({ tenant }) => tenant === undefined)

  const freeze = async (found: Doubt): Promise<void> => {
    say(`Agents may change nothing. ${found.message} ${found.next}`)
    if (!(await frozenForAll()))
      await switches.freeze({ tenant: undefined, reason: stoppedBecause(found), by: frozenByItself })
    // Only now: where the freeze could not be set, the next look tries again.
    doubt = found
  }
  const forget = (): void => {
    told.clear()
    activity.forgetKnown()
  }
  const compare = async (): Promise<Doubt | undefined> => {
    const anchors = await readAnchorsSoFar(file)
    const found = await doubtOf(activity, anchors)
    if (found !== undefined && doubt === undefined) await freeze(found)
    else {
      // A person has accepted the database, or restored what was lost: what was known before may count no more.
      if (doubt !== undefined && found === undefined) forget()
      doubt = found
    }
    if (doubt === undefined && anchors.ok)
      for (const { mac } of activity.signedAcceptances(anchors.value)) past.add(mac)
    return doubt
  }
  /** The database contradicts what this process knows. Answers whether a person has accepted that. */
  const contradicted = async (known: readonly Anchor[]): Promise<boolean> => {
    if (file === undefined) return false
    // Honest heads like any others: from here on they speak for themselves, at every door. Not what was written while the
    // database was in doubt: that hangs on the older chain, and must not speak against the newer copy.
    if (doubt === undefined) await appendAnchors(file, await notAccepted(known))
    forget()
    return (await compare()) === undefined
  }
  /** What of this is not in the file, and was not written before a person accepted the database without it. */
  const notAccepted = async (known: readonly Anchor[]): Promise<readonly Anchor[]> => {
    const anchors = await readAnchorsSoFar(file)
    if (!anchors.ok) return known
    const accepted = activity.signedAcceptances(anchors.value).filter(({ mac }) => !past.has(mac))
    const since = accepted.reduce((newest, { at }) => Math.max(newest, at), -Infinity)
    const isThere = ({ tenant, seq, link }: Anchor): boolean =>
      anchors.value.some((line) => line.tenant === tenant && line.seq === seq && line.link === link)
    return known.filter((head) => head.at > since && !isThere(head))
  }
  const look = async (): Promise<Doubt | undefined> => {
    const known = newestOf([...told.values(), ...activity.known()])
    if ((await activity.behind(known)).length > 0) await contradicted(known)
    // Whoever has frozen: the process that found something may have met an operator's freeze.
    else if (doubt !== undefined || (await frozenForAll())) await compare()
    return doubt
  }

  await compare()
  activity.onSetBack(contradicted)
  return {
    told,
    doubt: () => doubt,
    look,
    stillInDoubt: async () => (doubt !== undefined || (await frozenForAll()) ? await look() : undefined),
  }
}

/** The newest of each tenant: it vouches for those before it. */
const newestOf = (heads: readonly Anchor[]): readonly Anchor[] => {
  const newest = new Map<string, Anchor>()
  for (const head of heads) if (head.seq > (newest.get(head.tenant)?.seq ?? 0)) newest.set(head.tenant, head)
  return [...newest.values()]
}
