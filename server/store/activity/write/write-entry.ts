// What each kind of entry writes: its row, its digest, and its place in the chain. Each runs inside one transaction that
// holds the log, and looks at the time once the head of its chain is read: only then is it sure to hold it.
import { clean } from '../chain/chain.ts'
import type { ChainTransaction } from './chain-transaction.ts'
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
} from '../chain/digest-columns.ts'
import {
  noCall,
  noVerdict,
  type ActivityCompletion,
  type ActivityEntry,
  type ActivityEvent,
  type LaterEntry,
} from '../../../model/activity.ts'
import { pooledRandomBytes } from '../../../pooled-random-bytes.ts'
import type { OpenRow } from './statements.ts'

/** Epoch milliseconds. */
type Now = () => number

/** The id of a row that is about to be written. */
export const newRowId = (): string => `ac_${pooledRandomBytes(10).toString('hex')}`

/** Writes a call's first entry, as the row of this id. */
export const writeBegin = async (tx: ChainTransaction, id: string, entry: ActivityEntry, now: Now): Promise<void> => {
  tx.begin(await begin(tx, id, entry, now))
}

/** Completes a row. Throws where there is no open one of this id. */
export const writeEnd = async (
  tx: ChainTransaction,
  id: string,
  completion: ActivityCompletion,
  now: Now,
): Promise<void> => {
  const row = await tx.row(id)
  if (row === undefined || row.salt === null || row.end_seq !== null)
    throw new Error(
      `The activity row ${id} ${row === undefined ? 'is gone' : row.salt === null ? 'was erased' : 'is complete'}; it cannot be completed.`,
    )
  await tx.complete(id, row, await end(tx, { ...row, id, salt: row.salt }, completion, now))
}

/** Writes a row that has begun and ended already: its two entries follow each other. */
export const writeLater = async (tx: ChainTransaction, entry: LaterEntry, now: Now): Promise<void> => {
  const { name, principal, planId, outcome, details, error } = entry
  const begun = await begin(
    tx,
    newRowId(),
    {
      principal,
      client: 'this server',
      source: 'later',
      tool: name,
      ...noCall,
      auditEvent: name,
      args: details,
      notes: [],
    },
    now,
  )
  const ended = await end(
    tx,
    begun,
    {
      ...noVerdict,
      outcome,
      planId,
      durationMs: 0,
      result: undefined,
      error,
    },
    () => begun.at,
  )
  tx.begin({ ...begun, ...ended })
}

/** The columns of a call's first entry, which takes its place in the chain. */
const begin = async (tx: ChainTransaction, id: string, entry: ActivityEntry, now: Now) => {
  const { writer } = tx
  const tenant = clean(entry.principal.tenant)
  const subject = clean(entry.principal.subject)
  const head = await tx.head(tenant)
  const at = now()
  const salt = randomSalt()
  const texts = {
    subject,
    rationale: nullable(entry.rationale),
    intent: entry.intent === undefined ? null : JSON.stringify(entry.intent),
    args: clean(entry.args),
    notes: entry.notes.length === 0 ? null : JSON.stringify(entry.notes),
  }
  const change = tx.change(at)
  const facts = {
    tenant,
    position: change,
    begin_format: FORMAT,
    begin_seq: head.seq + 1,
    id,
    at,
    pseudonym: writer.chain.pseudonym(tenant, subject),
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
  const link = writer.chain.link(head.link, beginContent(facts))
  tx.move(tenant, { seq: head.seq + 1, link }, { calls: 1, bytes: sizeOf(texts) })
  return {
    ...facts,
    ...texts,
    change,
    begin_link: link,
    outcome: 'open',
    risk: facts.declared_risk,
    plan_id: null,
    salt,
    session: nullable(entry.session),
    told: entry.told ?? null,
  }
}

/** The columns of a call's second one. */
const end = async (
  tx: ChainTransaction,
  { id, tenant, salt, plan_id }: { id: string; tenant: string; salt: string; plan_id: string | null },
  completion: ActivityCompletion,
  now: Now,
) => {
  const head = await tx.head(tenant)
  const at = now()
  const texts = { result: nullable(completion.result), error_message: nullable(completion.error?.message) }
  const facts = {
    change: tx.change(at),
    end_format: FORMAT,
    end_seq: head.seq + 1,
    ended_at: at,
    outcome: completion.outcome,
    verdict: nullable(completion.verdict),
    risk: completion.risk ?? null,
    plan_id: nullable(completion.planId) ?? plan_id,
    approval_id: nullable(completion.approvalId),
    duration_ms: Math.round(completion.durationMs),
    error_code: nullable(completion.error?.code),
    end_digest: endDigest(salt, texts),
  }
  const link = tx.writer.chain.link(head.link, endContent({ ...facts, tenant, id }))
  tx.move(tenant, { seq: head.seq + 1, link }, { calls: 0, bytes: sizeOf(texts) })
  return { ...facts, ...texts, ...figuresOf(completion), end_link: link }
}

const figuresOf = ({ ended, finding }: ActivityCompletion) => ({
  ended: nullable(ended),
  error_type: nullable(finding?.errorType),
  error_rule: nullable(finding?.rule),
  fingerprint: nullable(finding?.unexplained?.fingerprint),
  error_sample: nullable(finding?.unexplained?.sample),
})

/**
 * Names the plan of a row that has not ended. An event, for nothing else vouches for the columns of an open row; and no
 * change that a watcher is told: the number of the last one belongs to the row's begin until it ends.
 */
export const writeClaiming = async (tx: ChainTransaction, id: string, planId: string, now: Now): Promise<void> => {
  const row = await appendEvent(tx, id, { name: claimingName(planId), data: '' }, now)
  await tx.namePlan(id, row, planId)
}

/** Names of events that only the store gives. */
export class ReservedEventName extends Error {
  constructor(name: string) {
    super(`The event ${name} cannot be added: names that begin so say which plan a call has claimed.`)
  }
}

/** Adds an event to a row. Throws where there is no row of this id. */
export const writeEvent = async (tx: ChainTransaction, id: string, event: ActivityEvent, now: Now): Promise<void> => {
  if (claimedPlan(event.name) !== undefined) throw new ReservedEventName(event.name)
  await appendEvent(tx, id, event, now)
}

/** Answers the row. */
const appendEvent = async (tx: ChainTransaction, id: string, event: ActivityEvent, now: Now): Promise<OpenRow> => {
  const { trx, writer } = tx
  const row = await tx.row(id)
  if (row === undefined) throw new Error(`The activity row ${id} is gone; the event ${event.name} cannot be added.`)
  const head = await tx.head(row.tenant)
  const salt = randomSalt()
  const data = clean(event.data)
  const facts = {
    tenant: row.tenant,
    seq: head.seq + 1,
    call_id: id,
    at: now(),
    pseudonym: row.pseudonym,
    name: clean(event.name),
    digest: eventDigest(salt, data),
  }
  const link = writer.chain.link(head.link, eventContent(facts))
  await writer.statements.insertEvent(trx, { ...facts, link, salt, data })
  tx.move(row.tenant, { seq: facts.seq, link }, { calls: 0, bytes: data.length })
  return row
}

/** Records that the texts of this pseudonym may be gone, up to here. */
export const writeErasure = async (
  tx: ChainTransaction,
  tenant: string,
  pseudonym: string,
  now: Now,
): Promise<void> => {
  const { trx, writer } = tx
  const head = await tx.head(tenant)
  const facts = { tenant, seq: head.seq + 1, at: now(), pseudonym }
  const link = writer.chain.link(head.link, eraseContent(facts))
  await trx
    .insertInto('countersign_activity_erasures')
    .values({ ...facts, link })
    .execute()
  tx.move(tenant, { seq: facts.seq, link }, { calls: 0, bytes: 0 })
}

const nullable = (text: string | undefined): string | null => (text === undefined ? null : clean(text))

const randomSalt = (): string => pooledRandomBytes(16).toString('base64url')

/** What a row's texts take, roughly: retention by size needs no more. */
export const sizeOf = (texts: Readonly<Record<string, string | null>>): number =>
  Object.values(texts).reduce((sum, text) => sum + (text?.length ?? 0), 0)
