// Two processes write into one chain, and each entry hangs on the one before it. So the head is read, the entry written
// and the head moved in one transaction that holds the write lock from its first statement. That lock is one for the
// whole log and not one for each tenant: a watcher of all tenants goes on from the highest number it has seen, so no
// smaller one may become visible later (ADR 14).
import type { Kysely, Transaction } from 'kysely'
import { takeTurns } from '../dialect-locks.ts'
import { retryOnConnectionLoss } from '../retry-on-connection-loss.ts'
import type { Tables } from '../tables.ts'
import { clean, type Chain } from './chain.ts'
import {
  beginContent,
  beginDigest,
  claimedPlan,
  claimingName,
  endContent,
  endDigest,
  eraseContent,
  eventContent,
  eventDigest,
  FORMAT,
} from './contents.ts'
import type { Journal, JournalCompletion, JournalEntry, JournalEvent } from './entry.ts'
import { createLastSeen, SetBack, type SeenHead } from './last-seen.ts'
import { randomBytes } from './random.ts'
import { inChainTransaction, type ChainWriter, type ChainTransaction, type Written } from './chain-transaction.ts'
import { createStatements } from './statements.ts'
import { createWriteBatcher } from './write-batcher.ts'

export interface JournalParts {
  readonly db: Kysely<Tables>
  readonly chain: Chain
  readonly now: () => number
  /** A transaction that need not survive a power cut by itself. */
  readonly relaxed: <R>(work: (trx: Transaction<Tables>) => Promise<R>) => Promise<R>
}

/** The journal, and how to wait for what it has not written yet. */
export interface Writing {
  readonly journal: Journal
  readonly settled: () => Promise<void>
  /** To be asked before something else is committed that waits for the disk; to be called once it has. */
  readonly mark: () => () => void
  /**
   * Who hears that the database was set back, with the newest entry that this process has written. Once it has, the next
   * entries are hung on the older chain; where it throws, each write asks again, and fails.
   */
  readonly onSetBack: (hear: (seen: SeenHead) => Promise<void>) => void
  /** What writes into the chains beside the journal. */
  readonly pen: ChainWriter
}

/**
 * The journal on one database. Only a beginning waits for the disk, and only where nothing else does before something
 * changes: a plan's claim waits for the disk, and with it for all that was written before, on SQLite and on PostgreSQL
 * alike. An end that a power cut takes away leaves the row open, which is what it would be had the process died a moment
 * earlier; a row of a call that changes nothing it may take as a whole.
 */
export const createJournal = ({ db, chain, now, relaxed }: JournalParts): Writing => {
  const lastSeen = createLastSeen()
  const pen: ChainWriter = { chain, statements: createStatements(db), lastSeen }
  let hear: (seen: SeenHead) => Promise<void> = () => Promise.resolve()
  const transact = async <R>(
    durable: boolean,
    work: (sheet: ChainTransaction) => Promise<R>,
    ids: readonly string[],
  ): Promise<R> => {
    let written: Written<R> | undefined
    const alone = async (trx: Transaction<Tables>): Promise<R> => {
      await takeLog(trx)
      const { answer } = (written = await inChainTransaction(trx, pen, work, ids))
      return answer
    }
    // A commit whose answer was lost is looked for before anything is written again.
    const take = retryOnConnectionLoss(async (again) => {
      if (again && written !== undefined && (await stands(db, written.tips.at(-1)))) return written.answer
      return await (durable ? db.transaction().execute(alone) : relaxed(alone))
    })
    try {
      const answer = await take
      lastSeen.committed(written?.tips ?? [], durable)
      return answer
    } catch (error) {
      if (error instanceof SetBack) {
        await hear(error.seen)
        lastSeen.forget(error.seen.tenant)
      }
      throw error
    }
  }
  const together = createWriteBatcher<ChainTransaction>(transact)
  return {
    journal: {
      begin: (entry, effect) =>
        together.write(
          () => (typeof entry === 'function' ? entry() : entry),
          (sheet, known) => writeBegin(sheet, known, now()),
          effect === undefined ? 'durable' : 'soon',
        ),
      complete: (id, completion, when = 'soon') =>
        together.write(
          () => (typeof completion === 'function' ? completion() : completion),
          (sheet, known) => writeEnd(sheet, id, known, now()),
          when,
          id,
        ),
      claiming: (id, planId) =>
        together.write(
          () => clean(planId),
          (sheet, known) => writeClaiming(sheet, id, known, now()),
          'soon',
          id,
        ),
      event: (id, event) =>
        together.write(
          () => event,
          (sheet, known) => writeEvent(sheet, id, known, now()),
          'durable',
          id,
        ),
    },
    settled: () => together.settled(),
    mark: () => lastSeen.mark(),
    onSetBack: (listener) => {
      hear = listener
    },
    pen,
  }
}

/** Whether an entry with this number and this link is in its chain. */
const stands = async (db: Kysely<Tables>, tip: SeenHead | undefined): Promise<boolean> => {
  if (tip === undefined) return true
  const calls = db.selectFrom('countersign_activity').select('id').where('tenant', '=', tip.tenant)
  const found =
    (await calls.where('begin_seq', '=', tip.seq).where('begin_link', '=', tip.link).executeTakeFirst()) ??
    (await calls.where('end_seq', '=', tip.seq).where('end_link', '=', tip.link).executeTakeFirst()) ??
    (await db
      .selectFrom('countersign_activity_events')
      .select('call_id as id')
      .where('tenant', '=', tip.tenant)
      .where('seq', '=', tip.seq)
      .where('link', '=', tip.link)
      .executeTakeFirst())
  return found !== undefined
}

/** The log has one writer at a time, whatever it writes: the first thing in each of its transactions. */
export const takeLog = (trx: Transaction<Tables>): Promise<void> => takeTurns(trx, 'activity log')

/** Writes a call's first entry and answers its id. */
export const writeBegin = async (sheet: ChainTransaction, entry: JournalEntry, at: number): Promise<string> => {
  const { trx, pen } = sheet
  const tenant = clean(entry.principal.tenant)
  const subject = clean(entry.principal.subject)
  const head = await sheet.head(tenant)
  const salt = randomSalt()
  const texts = {
    subject,
    rationale: nullable(entry.rationale),
    intent: entry.intent === undefined ? null : JSON.stringify(entry.intent),
    args: clean(entry.args),
    notes: entry.notes.length === 0 ? null : JSON.stringify(entry.notes),
  }
  const change = sheet.change(at)
  const facts = {
    tenant,
    position: change,
    begin_format: FORMAT,
    begin_seq: head.seq + 1,
    id: `ac_${randomBytes(10).toString('hex')}`,
    at,
    pseudonym: pen.chain.pseudonym(tenant, subject),
    client: clean(entry.client),
    source: entry.source,
    tool: clean(entry.tool),
    variant: nullable(entry.variant),
    operation: entry.operation ?? null,
    operation_source: entry.operationSource ?? null,
    declared_risk: entry.risk ?? null,
    audit_event: nullable(entry.auditEvent),
    begin_digest: beginDigest(salt, texts),
  }
  const link = pen.chain.link(head.link, beginContent(facts))
  await pen.statements.insertBegin(trx, {
    ...facts,
    ...texts,
    change,
    begin_link: link,
    outcome: 'open',
    risk: facts.declared_risk,
    salt,
  })
  sheet.move(tenant, { seq: head.seq + 1, link }, { calls: 1, bytes: sizeOf(texts) })
  return facts.id
}

/** Completes a row. Throws where there is no open one of this id. */
export const writeEnd = async (
  sheet: ChainTransaction,
  id: string,
  completion: JournalCompletion,
  at: number,
): Promise<void> => {
  const { trx, pen } = sheet
  const row = await sheet.row(id)
  if (row === undefined || row.salt === null || row.end_seq !== null)
    throw new Error(
      `The activity row ${id} ${row === undefined ? 'is gone' : row.salt === null ? 'was erased' : 'is complete'}; it cannot be completed.`,
    )
  const head = await sheet.head(row.tenant)
  const texts = { result: nullable(completion.result), error_message: nullable(completion.error?.message) }
  const facts = {
    change: sheet.change(at),
    end_format: FORMAT,
    end_seq: head.seq + 1,
    ended_at: at,
    outcome: completion.outcome,
    verdict: nullable(completion.verdict),
    risk: completion.risk ?? null,
    plan_id: nullable(completion.planId) ?? row.plan_id,
    approval_id: nullable(completion.approvalId),
    duration_ms: Math.round(completion.durationMs),
    error_code: nullable(completion.error?.code),
    end_digest: endDigest(row.salt, texts),
  }
  const link = pen.chain.link(head.link, endContent({ ...facts, tenant: row.tenant, id }))
  await pen.statements.updateEnd(trx, id, { ...facts, ...texts, end_link: link })
  sheet.move(row.tenant, { seq: head.seq + 1, link }, { calls: 0, bytes: sizeOf(texts) })
}

/**
 * Names the plan of a row that has not ended. An event, for nothing else vouches for the columns of an open row; and no
 * change that a watcher is told: the number of the last one belongs to the row's begin until it ends.
 */
export const writeClaiming = async (sheet: ChainTransaction, id: string, planId: string, at: number): Promise<void> => {
  await appendEvent(sheet, id, { name: claimingName(planId), data: '' }, at)
  await sheet.trx
    .updateTable('countersign_activity')
    .set({ plan_id: planId })
    .where('id', '=', id)
    .where('end_seq', 'is', null)
    .execute()
}

/** Adds an event to a row. Throws where there is no row of this id. */
export const writeEvent = async (
  sheet: ChainTransaction,
  id: string,
  event: JournalEvent,
  at: number,
): Promise<void> => {
  if (claimedPlan(event.name) !== undefined)
    throw new Error(`The event ${event.name} cannot be added: names that begin so say which plan a call has claimed.`)
  await appendEvent(sheet, id, event, at)
}

const appendEvent = async (sheet: ChainTransaction, id: string, event: JournalEvent, at: number): Promise<void> => {
  const { trx, pen } = sheet
  const row = await sheet.row(id)
  if (row === undefined) throw new Error(`The activity row ${id} is gone; the event ${event.name} cannot be added.`)
  const head = await sheet.head(row.tenant)
  const salt = randomSalt()
  const data = clean(event.data)
  const facts = {
    tenant: row.tenant,
    seq: head.seq + 1,
    call_id: id,
    at,
    pseudonym: row.pseudonym,
    name: clean(event.name),
    digest: eventDigest(salt, data),
  }
  const link = pen.chain.link(head.link, eventContent(facts))
  await trx
    .insertInto('countersign_activity_events')
    .values({ ...facts, link, salt, data })
    .execute()
  sheet.move(row.tenant, { seq: facts.seq, link }, { calls: 0, bytes: data.length })
}

/** Records that the texts of this pseudonym may be gone, up to here. */
export const writeErasure = async (
  sheet: ChainTransaction,
  tenant: string,
  pseudonym: string,
  at: number,
): Promise<void> => {
  const { trx, pen } = sheet
  const head = await sheet.head(tenant)
  const facts = { tenant, seq: head.seq + 1, at, pseudonym }
  const link = pen.chain.link(head.link, eraseContent(facts))
  await trx
    .insertInto('countersign_activity_erasures')
    .values({ ...facts, link })
    .execute()
  sheet.move(tenant, { seq: facts.seq, link }, { calls: 0, bytes: 0 })
}

const nullable = (text: string | undefined): string | null => (text === undefined ? null : clean(text))

const randomSalt = (): string => randomBytes(16).toString('base64url')

/** What a row's texts take, roughly: retention by size needs no more. */
export const sizeOf = (texts: Readonly<Record<string, string | null>>): number =>
  Object.values(texts).reduce((sum, text) => sum + (text?.length ?? 0), 0)
