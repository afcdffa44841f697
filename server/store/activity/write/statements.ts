// Every call of every tool pays for these statements, and building one costs Kysely more than SQLite takes to run
// it. So they are built once for each database, and only their values change.
import {
  sql,
  type Compilable,
  type CompiledQuery,
  type Insertable,
  type InsertResult,
  type Kysely,
  type Transaction,
} from 'kysely'
import { frozenByItself } from '../../../model/switches.ts'
import { isPostgres } from '../../dialect-locks.ts'
import { callTables, headTable, type CallTable } from '../call-tables.ts'
import { UNAWAITED } from '../../postgres/connection.ts'
import { prepared, type Prepared } from '../../prepared.ts'
import type { Tables } from '../../tables.ts'
import { beginColumns, beginFigures, beginTexts, endColumns, endFigures, endTexts } from '../chain/digest-columns.ts'

const insertedColumns = [
  'tenant',
  'begin_seq',
  ...beginColumns,
  'change',
  'begin_link',
  'outcome',
  'risk',
  'plan_id',
  'salt',
  ...beginTexts,
  ...beginFigures,
] as const

const [, ...columnsOfEnd] = endColumns
const completedColumns = ['end_seq', ...columnsOfEnd, ...endTexts, 'end_link', ...endFigures] as const
/** All but when its texts were erased. */
export const allColumns = [...new Set([...insertedColumns, ...completedColumns])]

type Call = Tables['countersign_activity']
type Cells<Columns extends readonly (keyof Call)[]> = Readonly<Record<Columns[number], string | number | null>>
type Trx = Transaction<Tables>

const eventColumns = [
  'tenant',
  'seq',
  'call_id',
  'at',
  'pseudonym',
  'name',
  'digest',
  'link',
  'salt',
  'data',
] as const satisfies readonly (keyof EventRow)[]
type EventRow = Insertable<Tables['countersign_activity_events']>
type EventCells = { readonly [Column in (typeof eventColumns)[number]]: EventRow[Column] }

/** A new row, with the columns of its second entry where it has ended already. */
export type NewRow = Cells<typeof insertedColumns> &
  Partial<EndedCells> &
  Readonly<Record<'id' | 'tenant' | 'pseudonym' | 'salt', string>> &
  Pick<Call, 'plan_id'> &
  Partial<Pick<Call, 'end_seq'>>

/** The columns of a call's second entry. */
export type EndedCells = Cells<typeof completedColumns> & Pick<Call, 'end_seq' | 'plan_id'>

interface HeadRow {
  readonly seq: number | string
  readonly link: string
  readonly calls: number | string
  readonly bytes: number | string
  readonly change: number | string | null
  readonly frozen: number | string | null
}

export interface OpenRow extends Pick<Call, 'tenant' | 'salt' | 'end_seq' | 'pseudonym' | 'plan_id'> {
  /** Absent where it begins in this transaction, and is not written yet. */
  readonly table?: CallTable
}

export interface Statements {
  head(trx: Trx, tenant: string): Promise<HeadRow | undefined>
  moveHead(trx: Trx, tenant: string, seq: number, link: string, calls: number, bytes: number): Promise<void>
  insert(trx: Trx, row: NewRow): Promise<void>
  findOpen(trx: Trx, id: string): Promise<OpenRow | undefined>
  /**
   * Several by id, with the heads of their tenants' chains, in one round trip. Where one look at a time costs no way to a
   * server, none: each is looked at when it is needed.
   */
  findAll(
    trx: Trx,
    ids: readonly string[],
  ): Promise<{ readonly rows: Map<string, OpenRow>; readonly heads: Map<string, HeadRow> }>
  updateEnd(trx: Trx, table: CallTable, id: string, row: EndedCells): Promise<void>
  /** An event of a row. */
  readonly insertEvent: Prepared<EventCells, InsertResult>
  /** The plan of a row that has not ended. */
  namePlan(trx: Trx, table: CallTable, id: string, planId: string): Promise<void>
}

/** Since when a server has frozen every tenant by itself; null where none has. */
export const frozenByItselfAt = (db: Kysely<Tables>) =>
  db
    .selectFrom('countersign_freezes')
    .select((of) => of.fn.max('at').as('at'))
    .where('lifted_at', 'is', null)
    .where('tenant', 'is', null)
    .where('by', '=', sql.lit(frozenByItself))

/** The number of the newest change of all. */
export const newestChange = (db: Kysely<Tables>) => {
  const [first, ...others] = callTables(db).map((table) =>
    db.selectFrom(table).select((of) => of.fn.max('change').as('change')),
  )
  const all = others.reduce((newest, other) => newest?.unionAll(other), first)
  if (all === undefined) throw new Error('Rows of calls are in some table.')
  return db
    .selectFrom(all.as('newest'))
    .select((of) => of.fn.max('change').as('change'))
    .as('change')
}

/** The statements for one database. */
export const createStatements = (db: Kysely<Tables>): Statements => {
  const blank = (columns: readonly string[]): never =>
    Object.fromEntries(columns.map((column) => [column, ''])) as never
  const head = db
    .selectFrom(headTable(db))
    .select(['seq', 'link', 'calls', 'bytes', newestChange(db), frozenByItselfAt(db).as('frozen')])
    .where('tenant', '=', '')
    .compile()
  const moveHeadNow = db
    .updateTable(headTable(db))
    .set(blank(['seq', 'link', 'calls', 'bytes']))
    .where('tenant', '=', '')
    .compile()
  const [newRows = 'countersign_activity'] = callTables(db)
  const insertBeginNow = db.insertInto(newRows).values(blank(insertedColumns)).compile()
  const insertWholeNow = db.insertInto(newRows).values(blank(allColumns)).compile()

  const rowsWithHeads = prepared(({ ids }: Readonly<{ ids: string[] }>) =>
    db
      .selectFrom('countersign_activity as call')
      .leftJoin('countersign_activity_heads as head', 'head.tenant', 'call.tenant')
      .select(['call.id', 'call.tenant', 'call.salt', 'call.end_seq', 'call.pseudonym', 'call.plan_id'])
      .select(['head.seq', 'head.link', 'head.calls', 'head.bytes'])
      .select([newestChange(db), frozenByItselfAt(db).as('frozen')])
      .where(sql<boolean>`call.id = any(${ids})`),
  )

  // Their answers say nothing that the commit does not.
  const unawaited = <R>(query: CompiledQuery<R>): CompiledQuery<R> =>
    isPostgres(db) ? { ...query, sql: `${UNAWAITED}${query.sql}` } : query
  const [insertBegin, insertWhole, moveHead] = [
    unawaited(insertBeginNow),
    unawaited(insertWholeNow),
    unawaited(moveHeadNow),
  ] as const
  const preparedUnawaited = <Values extends Readonly<Record<string, unknown>>, R>(
    build: (values: Values) => Compilable<R>,
  ) => prepared<Values, R>(build, unawaited)

  const about = (table: CallTable) => ({
    table,
    find: db
      .selectFrom(table)
      .select(['tenant', 'salt', 'end_seq', 'pseudonym', 'plan_id'])
      .where('id', '=', '')
      .compile(),
    end: unawaited(db.updateTable(table).set(blank(completedColumns)).where('id', '=', '').compile()),
    namePlan: unawaited(
      db.updateTable(table).set({ plan_id: '' }).where('id', '=', '').where('end_seq', 'is', null).compile(),
    ),
  })
  const places = callTables(db).map(about)
  const statementsOf = (table: CallTable): ReturnType<typeof about> =>
    places.find((of) => of.table === table) ?? about(table)

  const run = async <R>(trx: Trx, query: CompiledQuery<R>, parameters: readonly unknown[]): Promise<readonly R[]> =>
    (await trx.executeQuery<R>({ ...query, parameters })).rows
  return {
    head: async (trx, tenant) => (await run(trx, head, [tenant]))[0],
    moveHead: async (trx, tenant, seq, link, calls, bytes) =>
      void (await run(trx, moveHead, [seq, link, calls, bytes, tenant])),
    insert: async (trx, row) => {
      const [insert, columns] = row.end_seq === undefined ? [insertBegin, insertedColumns] : [insertWhole, allColumns]
      await run(
        trx,
        insert,
        columns.map((column) => row[column] ?? null),
      )
    },
    findOpen: async (trx, id) => {
      for (const { table, find } of places) {
        const [row] = await run(trx, find, [id])
        if (row !== undefined) return { ...row, table }
      }
      return undefined
    },
    findAll: async (trx, ids) => {
      if (ids.length === 0 || !isPostgres(db)) return { rows: new Map(), heads: new Map() }
      const { rows: found } = await rowsWithHeads(trx, { ids: [...new Set(ids)] })
      return {
        rows: new Map(found.map((row) => [row.id, { ...row, table: newRows }])),
        heads: new Map(
          found.flatMap(({ tenant, seq, link, calls, bytes, change, frozen }) =>
            seq === null || link === null || calls === null || bytes === null
              ? []
              : [[tenant, { seq, link, calls, bytes, change, frozen }]],
          ),
        ),
      }
    },
    updateEnd: async (trx, table, id, row) =>
      void (await run(trx, statementsOf(table).end, [...completedColumns.map((column) => row[column]), id])),
    insertEvent: preparedUnawaited((cells: EventCells) =>
      db
        .insertInto('countersign_activity_events')
        .values(Object.fromEntries(eventColumns.map((column) => [column, cells[column]])) as unknown as EventRow),
    ),
    namePlan: async (trx, table, id, planId) => void (await run(trx, statementsOf(table).namePlan, [planId, id])),
  }
}
