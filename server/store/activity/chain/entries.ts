// A chain is walked in its own order, but its entries lie in three tables, and a call's row holds two of them. This
// reads one stretch of a chain and puts it back into one line, each entry with what it must prove.
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { Content, EntryKind } from './chain.ts'
import {
  beginContent,
  beginDigest,
  claimedPlan,
  endColumns,
  endContent,
  endDigest,
  endTexts,
  eraseContent,
  eventContent,
  eventDigest,
  type Erasure,
} from './digest-columns.ts'
import type { ErasedRow } from './erased-when.ts'
import { callTables, type CallTable } from '../call-tables.ts'
import { toNumber } from '../to-number.ts'

/** What became of the texts that an entry's digest stands for. */
type Texts =
  | 'held'
  | 'changed'
  /** Gone, which an erasure of this pseudonym must explain. */
  | 'erased'
  | 'none'

export interface Entry {
  readonly seq: number
  readonly kind: EntryKind
  /** The row to name: a call's id, or the erasure's. */
  readonly id: string
  readonly content: Content
  readonly link: string
  readonly texts: Texts
  readonly pseudonym: string
  /** Of a call, with its first entry. */
  readonly erasure?: ErasedRow
  /** Of a call that has not ended: columns that nothing vouches for until then are not as its beginning left them. */
  readonly beyond?: 'ended' | 'moved' | undefined
}

/**
 * The entries of a tenant with `from < seq <= to`, by number, or all behind `from`. Two may claim one number; that is for
 * the caller to see.
 */
export const entriesBetween = async (
  db: Kysely<Tables>,
  tenant: string,
  from: number,
  to?: number,
): Promise<readonly Entry[]> => {
  const begins = await inEachTable(db, (table) =>
    db
      .selectFrom(table)
      .selectAll()
      .where('tenant', '=', tenant)
      .where('begin_seq', '>', from)
      .$if(to !== undefined, (q) => q.where('begin_seq', '<=', to ?? from)),
  )
  const ends = await inEachTable(db, (table) =>
    db
      .selectFrom(table)
      .select(endRowColumns)
      .where('tenant', '=', tenant)
      .where('end_seq', '>', from)
      .$if(to !== undefined, (q) => q.where('end_seq', '<=', to ?? from)),
  )
  const events = await db
    .selectFrom('countersign_activity_events')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('seq', '>', from)
    .$if(to !== undefined, (q) => q.where('seq', '<=', to ?? from))
    .execute()
  const erasures = await erasuresOf(db, tenant, from, to)
  const claimed = await claimsOf(
    db,
    begins.flatMap((row) => (row.end_seq === null ? [row.id] : [])),
  )
  return [
    ...begins.map((row) => beginEntry(row, claimed.get(row.id) ?? null)),
    ...ends.map(endEntry),
    ...events.map(eventEntry),
    ...erasures.map(eraseEntry),
  ].sort((a, b) => a.seq - b.seq)
}

/** In one statement: a row that is moved meanwhile is found once. */
const inEachTable = <R>(
  db: Kysely<Tables>,
  rows: (table: CallTable) => SelectQueryBuilder<Tables, never, R>,
): Promise<R[]> =>
  callTables(db)
    .map(rows)
    .reduce((all, more) => all.unionAll(more))
    .execute()

/** The plan that each of these calls has claimed, as its entry says. */
const claimsOf = async (db: Kysely<Tables>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('countersign_activity_events')
    .select(['call_id', 'name'])
    .where('call_id', 'in', ids)
    .orderBy('seq')
    .execute()
  return new Map(
    rows.flatMap(({ call_id, name }) => {
      const plan = claimedPlan(name)
      return plan === undefined ? [] : [[call_id, plan]]
    }),
  )
}

/** The erasures of a tenant with `from < seq <= to`, by number. */
export const erasuresOf = (
  db: Kysely<Tables>,
  tenant: string,
  from: number,
  to?: number,
): Promise<(Erasure & { readonly link: string })[]> =>
  db
    .selectFrom('countersign_activity_erasures')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('seq', '>', from)
    .$if(to !== undefined, (q) => q.where('seq', '<=', to ?? from))
    .orderBy('seq')
    .execute()

/** Columns that stay empty until a call ends. The plan is known earlier, once it is claimed. */
const onlyEnded = [
  'ended_at',
  'verdict',
  'approval_id',
  'duration_ms',
  'error_code',
  'end_digest',
  'end_format',
  'end_link',
  ...endTexts,
] as const

const endRowColumns = ['tenant', 'end_seq', ...endColumns, 'pseudonym', 'salt', 'end_link', ...endTexts] as const

type Selected = Selectable<Tables['countersign_activity']>
type EndRow = Pick<Selected, (typeof endRowColumns)[number]>

const beginEntry = (row: Selected, claimed: string | null): Entry => {
  const gone = row.rationale === null && row.intent === null && row.args === null && row.notes === null
  const open = row.end_seq === null
  const quiet =
    row.outcome === 'open' &&
    row.risk === row.declared_risk &&
    row.plan_id === claimed &&
    onlyEnded.every((column) => row[column] === null)
  // The end vouches for the number of its own change; until then it is the one by which the row arrived.
  const unmoved = toNumber(row.begin_format) === 1 || toNumber(row.change) === toNumber(row.position)
  return {
    seq: toNumber(row.begin_seq),
    kind: 'begin',
    id: row.id,
    content: beginContent(row),
    link: row.begin_link,
    pseudonym: row.pseudonym,
    texts:
      row.salt === null
        ? textsIf(gone && row.subject === row.pseudonym, 'erased')
        : textsIf(beginDigest(row.salt, row) === row.begin_digest, 'held'),
    erasure: {
      begun: toNumber(row.begin_seq),
      ended: row.end_seq === null ? null : toNumber(row.end_seq),
      at: toNumber(row.at),
      erasedAt: row.erased_at === null ? null : toNumber(row.erased_at),
    },
    ...(open && { beyond: !quiet ? 'ended' : !unmoved ? 'moved' : undefined }),
  }
}

const endEntry = (row: EndRow): Entry => ({
  seq: toNumber(row.end_seq ?? 0),
  kind: 'end',
  id: row.id,
  content: endContent(row),
  link: row.end_link ?? '',
  pseudonym: row.pseudonym,
  texts:
    row.salt === null
      ? textsIf(row.result === null && row.error_message === null, 'erased')
      : textsIf(endDigest(row.salt, row) === row.end_digest, 'held'),
})

const eventEntry = (row: Selectable<Tables['countersign_activity_events']>): Entry => ({
  seq: toNumber(row.seq),
  kind: 'event',
  id: row.call_id,
  content: eventContent(row),
  link: row.link,
  pseudonym: row.pseudonym,
  texts:
    row.salt === null
      ? textsIf(row.data === null, 'erased')
      : textsIf(eventDigest(row.salt, row.data) === row.digest, 'held'),
})

const eraseEntry = (row: Erasure & { readonly link: string }): Entry => ({
  seq: toNumber(row.seq),
  kind: 'erase',
  id: row.pseudonym,
  content: eraseContent(row),
  link: row.link,
  pseudonym: row.pseudonym,
  texts: 'none',
})

const textsIf = (holds: boolean, texts: Texts): Texts => (holds ? texts : 'changed')
