// The activity log's door inside the store: one side writes calls down, the other answers what agents did and why.
import type { Anchor } from './chain/anchor.ts'
import { acceptances, findBehind, signedAcceptances } from './chain/anchors.ts'
import { headTable } from './call-tables.ts'
import { createActivityLog, takeLog, type ActivityLogParts } from './write/append.ts'
import { writeMark } from './write/write-mark.ts'
import { approvalTimes } from './figures/approval-times.ts'
import { createChain } from './chain/chain.ts'
import type { Slice } from './figures/call-kinds.ts'
import { countCalls, firstCallAt, tenantsWithCalls } from './figures/counts.ts'
import { eraseSubject } from './retention/erase.ts'
import { metErrors, unexplainedSums } from './figures/guidance-figures.ts'
import { changesSince, findCall, newestChange, pageLines, pageRecords, type PageRequest } from './read/query.ts'
import { askedFor, decisionsOn } from './read/beside.ts'
import type { Filter } from './read/filter.ts'
import { histogram } from './read/histogram.ts'
import { sampleRationales } from './figures/rationale-sample.ts'
import { story } from './read/story.ts'
import { indexWords } from './search/index-words.ts'
import { sumUp } from './figures/sum-up.ts'
import { confirmTime, followTime, retentionTime } from '../retention-clock.ts'
import { retainOnce, type Retention } from './retention/retain.ts'
import { verifyChains, verifyOne, type HearWalked } from './chain/verify.ts'
import { toNumber } from './to-number.ts'
import { typicalDuration } from './figures/typical-duration.ts'
import type { Principal } from '../../model/principal.ts'

/** How long the question of a search makes words of rows that have none yet. */
const INDEX_MS = 700

interface ActivityParts extends Omit<ActivityLogParts, 'chain'> {
  /** 32 bytes, the same in every process on this database. */
  readonly key: Uint8Array
}

export type ActivityReader = ReturnType<typeof createActivity>['activity']

/** Sums over the log; each of one tenant's time. */
export type Figures = ActivityReader['figures']

/** Both sides of the log on one database. `flush` empties what the database keeps beside its file. */
export const createActivity = ({ key, flush, ...parts }: ActivityParts & { readonly flush: () => Promise<void> }) => {
  const chain = createChain(key)
  const { db, now } = parts
  const { activityLog, recording, transact, write, writeAlone, lastSeen, onSetBack, ...log } = createActivityLog({
    ...parts,
    chain,
  })
  const settled = async (): Promise<void> => {
    await log.settled()
    await log.moved()
  }
  const after =
    (ready: () => Promise<void>) =>
    <A extends readonly unknown[], R>(read: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      await ready()
      return read(...asked)
    }
  // Ends are written after their answers; whoever asks in this process sees what it has answered.
  const settledFirst = after(settled)
  // What reads the newest rows where they are, or none at all.
  const writtenFirst = after(log.settled)
  // Evidence lacks no row in silence.
  const allFirst = after(async () => {
    await log.settled()
    await log.movedAll()
  })
  // An export takes all of them; whoever looks at a page gets the newest at once, and older ones with the next pages.
  const indexed = ({ order }: PageRequest): Promise<number> =>
    indexWords(db, parts.relaxed, order === 'oldest' ? Infinity : INDEX_MS)
  const activity = {
    page: settledFirst((request: PageRequest) => pageLines(db, request, now(), indexed)),
    /** The same with arguments, results and events. */
    pageRecords: allFirst((request: PageRequest) => pageRecords(db, request, now(), indexed)),
    find: settledFirst((id: string) => findCall(db, id, now())),
    /** Every call of the plan or approval that this row belongs to, oldest first; also by a plan's or approval's id. */
    story: settledFirst((id: string) => story(db, id, now())),
    /** What was written or completed after this change. */
    changesSince: settledFirst((request: Parameters<typeof changesSince>[1]) => changesSince(db, request, now())),
    /** When the rows of a filter were written, by what became of them. */
    histogram: settledFirst(async (filter: Filter) =>
      histogram(db, filter, now(), (filter.search ?? []).length === 0 ? 0 : await indexed({ filter, limit: 1 })),
    ),
    /** What people decided about these approvals. */
    decisions: settledFirst((approvals: readonly string[]) => decisionsOn(db, approvals)),
    /** The calls of which these plans were made. */
    askedFor: settledFirst((plans: readonly string[]) => askedFor(db, plans)),
    newestChange: settledFirst(() => newestChange(db)),
    /** Walks every tenant's chain. */
    verify: writtenFirst(async (anchors: readonly Anchor[] = [], onWalked?: HearWalked) => {
      const reports = await verifyChains(db, chain, anchors, onWalked)
      // What keeps the newest rows from their readers, and no chain knows of.
      if (reports.every(({ problem }) => problem === undefined)) await log.moved()
      return reports
    }),
    /** Walks one tenant's chain without keeping writers waiting. */
    verifyOne: writtenFirst((tenant: string, anchors: readonly Anchor[] = []) => verifyOne(db, chain, tenant, anchors)),
    /** The tenants of which the database has lost what the newest of these anchors has seen. */
    behind: (anchors: readonly Anchor[]) => findBehind(db, chain, anchors),
    /**
     * Who hears that the database was set back under this process: before the write fails that has noticed it. Answers
     * whether a person has accepted that; then the write does not fail. The record goes on behind it; where the listener
     * throws, nothing is written.
     */
    onSetBack,
    /** The newest entry of each chain that this process has brought to the disk, as far as it remembers. */
    known: () => lastSeen.known(),
    /** Forgets it of these tenants, for what the database holds now. */
    forgetKnown: (tenants: readonly string[]) => lastSeen.forget(tenants),
    /** The lines by which a person accepted an older database, signed with the key. */
    signedAcceptances: (anchors: readonly Anchor[]) => signedAcceptances(chain, anchors),
    /** Lines for the anchor file by which a person accepts the database as it is, whatever earlier lines say or said. */
    acceptances: writtenFirst((anchors: readonly Anchor[] | 'unreadable', by: string) =>
      acceptances(db, chain, anchors, { by, at: now() }),
    ),
    /** The newest entry of every tenant's chain, durable on disk before it is told. */
    heads: writtenFirst(async (): Promise<readonly Anchor[]> => {
      const at = now()
      // A head that a power cut takes back would accuse an honest chain later.
      const rows = await db.transaction().execute(async (trx) => {
        await takeLog(trx)
        await writeMark(trx)
        return await trx.selectFrom(headTable(trx)).select(['tenant', 'seq', 'link']).execute()
      })
      return rows.map(({ tenant, seq, link }) => ({ at, tenant, seq: toNumber(seq), link }))
    }),
    /** Removes a subject's texts. */
    erase: settledFirst(async (principal: Principal) => {
      const erased = await eraseSubject(transact, chain, principal, now())
      await flush()
      return erased
    }),
    /**
     * One bounded step of retention; answers how many rows went. Zero means that nothing more is due. `at`: the time by
     * which age is counted, in epoch milliseconds; the store's clock when absent, which may be wrong by years
     * (`retentionTime`).
     */
    retain: (retention: Retention, at = now()) => retainOnce(db, chain, retention, at),
    /** The time by which what is removed for its age should be old enough, as it stands. */
    retentionTime: writtenFirst(() => retentionTime(db, now())),
    /** The same, after letting it follow the machine's clock. Once a minute, by each server. */
    followTime: writtenFirst(() => followTime(db, now)),
    /** A person says that the machine's clock is right: age is counted by it from now on. */
    confirmTime: () => confirmTime(db, now),
    /** One small step of summing up calls for `figures.calls`; answers whether another one is due. */
    sumUp: () => sumUp(parts.relaxed, now()),
    /** How long a tool's applied runs take; a run that ends just now may not be among them. */
    typicalDuration: (of: Parameters<typeof typicalDuration>[1]) => typicalDuration(db, of),
    figures: {
      /** Tenants that the log has calls of, in the order of the alphabet. */
      tenants: settledFirst((most: number) => tenantsWithCalls(db, most)),
      /** When a tenant's first recorded call was, in epoch milliseconds. */
      firstCallAt: settledFirst((tenant: string) => firstCallAt(db, { tenant })),
      calls: settledFirst((slice: Slice) => countCalls(db, slice)),
      /** The newest errors, at most so many, and what their sessions did next. */
      errors: settledFirst((slice: Slice, most: number) => metErrors(db, slice, most)),
      /** Errors that no rule explains, the most frequent first. */
      unexplained: settledFirst((slice: Slice) => unexplainedSums(db, slice)),
      /** Rationales spread over the slices as the calls are, oldest first. */
      rationales: settledFirst((slices: readonly Slice[], most: number) => sampleRationales(db, slices, most)),
      /** How long approvals took that were asked for in this time. */
      approvals: settledFirst((slice: Slice) => approvalTimes(db, slice, now())),
    },
  }
  return { activityLog, recording, write, writeAlone, activity, settled }
}
