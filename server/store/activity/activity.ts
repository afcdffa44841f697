// The activity log's door inside the store: one side writes calls down, the other answers what agents did and why.
import type { Anchor } from './anchor.ts'
import { acceptances, findBehind, signedAcceptances, type Behind, type SignedAcceptance } from './anchors.ts'
import { createActivityLog, takeLog, type ActivityLogParts, type Writing } from './append.ts'
import { approvalTimes, type ApprovalTime } from './approval-times.ts'
import { createChain } from './chain.ts'
import {
  countCalls,
  firstCallAt,
  sampleSaid,
  tenantsWithCalls,
  type CallCount,
  type SaidLine,
  type Slice,
} from './counts.ts'
import type { CallLine, CallRecord } from './entry.ts'
import { eraseSubject, type Erased } from './erase.ts'
import {
  changesSince,
  findCall,
  newestChange,
  pageLines,
  pageRecords,
  story,
  type Filter,
  type Page,
  type PageRequest,
} from './query.ts'
import { confirmTime, followTime, retentionTime, type RetentionTime } from '../retention-clock.ts'
import { retainOnce, type Retention } from './retain.ts'
import { verifyChains, verifyOne, type TenantReport } from './verify.ts'
import { toNumber } from './to-number.ts'
import type { Principal } from '../../model/principal.ts'

interface ActivityParts extends Omit<ActivityLogParts, 'chain'> {
  /** 32 bytes, the same in every process on this database. */
  readonly key: Uint8Array
}

export interface ActivityReader {
  page(request: PageRequest): Promise<Page<CallLine>>
  /** The same with arguments, results and events. */
  pageRecords(request: PageRequest): Promise<Page<CallRecord>>
  find(id: string): Promise<CallRecord | undefined>
  /** Every call of the plan or approval that this row belongs to, oldest first; also by a plan's or approval's id. */
  story(id: string): Promise<readonly CallRecord[]>
  /** What was written or completed after this change. */
  changesSince(request: {
    readonly change: number
    readonly filter?: Filter
    readonly limit: number
  }): Promise<{ readonly calls: readonly CallLine[]; readonly change: number }>
  newestChange(): Promise<number>
  /** Walks every tenant's chain. */
  verify(anchors?: readonly Anchor[]): Promise<readonly TenantReport[]>
  /** Walks one tenant's chain without keeping writers waiting. */
  verifyOne(tenant: string, anchors?: readonly Anchor[]): Promise<TenantReport>
  /** The tenants of which the database has lost what the newest of these anchors has seen. */
  behind(anchors: readonly Anchor[]): Promise<readonly Behind[]>
  /**
   * Who hears that the database was set back under this process: before the write fails that has noticed it. Answers
   * whether a person has accepted that; then the write does not fail. The record goes on behind it; where the listener
   * throws, nothing is written.
   */
  onSetBack(hear: () => Promise<boolean>): void
  /** The newest entry of each chain that this process has brought to the disk, as far as it remembers. */
  known(): readonly Anchor[]
  /** Forgets it of these tenants, for what the database holds now. */
  forgetKnown(tenants: readonly string[]): void
  /** The lines by which a person accepted an older database, signed with the key. */
  signedAcceptances(anchors: readonly Anchor[]): readonly SignedAcceptance[]
  /** Lines for the anchor file by which a person accepts the database as it is, whatever earlier lines say or said. */
  acceptances(anchors: readonly Anchor[] | 'unreadable', by: string): Promise<readonly Anchor[]>
  /** The newest entry of every tenant's chain, durable on disk before it is told. */
  heads(): Promise<readonly Anchor[]>
  /** Removes a subject's texts. */
  erase(principal: Principal): Promise<Erased>
  /**
   * One bounded step of retention; answers how many rows went. Zero means that nothing more is due. `at`: the time by which
   * age is counted, in epoch milliseconds; the store's clock when absent, which may be wrong by years (`retentionTime`).
   */
  retain(retention: Retention, at?: number): Promise<number>
  /** The time by which what is removed for its age should be old enough, as it stands. */
  retentionTime(): Promise<RetentionTime>
  /** The same, after letting it follow the machine's clock. Once a minute, by each server. */
  followTime(): Promise<RetentionTime>
  /** A person says that the machine's clock is right: age is counted by it from now on. */
  confirmTime(): Promise<void>
  /** Sums, for those who ask how it goes. */
  readonly figures: Figures
}

/** Sums over the log; each of one tenant's time. */
export interface Figures {
  /** Tenants that the log has calls of, in the order of the alphabet. */
  tenants(most: number): Promise<readonly string[]>
  /** When a tenant's first recorded call was, in epoch milliseconds. */
  firstCallAt(tenant: string): Promise<number | undefined>
  calls(slice: Slice): Promise<readonly CallCount[]>
  /** Rationales spread over the slices as the calls are, oldest first. */
  said(slices: readonly Slice[], most: number): Promise<readonly SaidLine[]>
  /** How long approvals took that were asked for in this time. */
  approvals(slice: Slice): Promise<readonly ApprovalTime[]>
}

/** Both sides of the log on one database. `flush` empties what the database keeps beside its file. */
export const createActivity = ({
  key,
  flush,
  ...parts
}: ActivityParts & { readonly flush: () => Promise<void> }): {
  readonly activity: ActivityReader
} & Pick<Writing, 'activityLog' | 'settled'> &
  Pick<Writing['lastSeen'], 'mark'> => {
  const chain = createChain(key)
  const { db, now } = parts
  const { activityLog, settled, transact, lastSeen, onSetBack } = createActivityLog({ ...parts, chain })
  // Ends are written after their answers; whoever asks in this process sees what it has answered.
  const settledFirst =
    <A extends readonly unknown[], R>(read: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      await settled()
      return read(...asked)
    }
  const activity: ActivityReader = {
    page: settledFirst((request) => pageLines(db, request, now())),
    pageRecords: settledFirst((request) => pageRecords(db, request, now())),
    find: settledFirst((id) => findCall(db, id, now())),
    story: settledFirst((id) => story(db, id, now())),
    changesSince: settledFirst((request) => changesSince(db, request, now())),
    newestChange: settledFirst(() => newestChange(db)),
    verify: settledFirst((anchors = []) => verifyChains(db, chain, anchors)),
    verifyOne: settledFirst((tenant, anchors = []) => verifyOne(db, chain, tenant, anchors)),
    behind: (anchors) => findBehind(db, chain, anchors),
    onSetBack,
    known: () => lastSeen.known(),
    forgetKnown: (tenants) => lastSeen.forget(tenants),
    signedAcceptances: (anchors) => signedAcceptances(chain, anchors),
    acceptances: settledFirst((anchors, by) => acceptances(db, chain, anchors, { by, at: now() })),
    heads: settledFirst(async () => {
      const at = now()
      // A head that a power cut takes back would accuse an honest chain later. A write waits for the disk, and with it
      // for all that was written before.
      const rows = await db.transaction().execute(async (trx) => {
        await takeLog(trx)
        return await trx
          .updateTable('countersign_activity_heads')
          .set((is) => ({ seq: is.ref('seq') }))
          .returning(['tenant', 'seq', 'link'])
          .execute()
      })
      return rows.map(({ tenant, seq, link }) => ({ at, tenant, seq: toNumber(seq), link }))
    }),
    erase: settledFirst(async (principal) => {
      const erased = await eraseSubject(transact, chain, principal, now())
      await flush()
      return erased
    }),
    retain: (retention, at = now()) => retainOnce(db, chain, retention, at),
    retentionTime: settledFirst(() => retentionTime(db, now())),
    followTime: settledFirst(() => followTime(db, now)),
    confirmTime: () => confirmTime(db, now),
    figures: {
      tenants: (most) => tenantsWithCalls(db, most),
      firstCallAt: (tenant) => firstCallAt(db, tenant),
      calls: settledFirst((slice) => countCalls(db, slice)),
      said: (slices, most) => sampleSaid(db, slices, most),
      approvals: (slice) => approvalTimes(db, slice, now()),
    },
  }
  return { activityLog, mark: () => lastSeen.mark(), activity, settled }
}
