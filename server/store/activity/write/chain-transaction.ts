// The heads of the chains during one transaction: read when they are first needed, written once at its end, however many
// entries have been hung on them in between. So are rows that begin in it: one that claims its plan or ends as well is
// written once.
import type { Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import { headTable } from '../call-tables.ts'
import type { Chain } from '../chain/chain.ts'
import type { LastSeen, SeenHead } from '../chain/last-seen.ts'
import {
  frozenByItselfAt,
  newestChange,
  type EndedCells,
  type NewRow,
  type OpenRow,
  type Statements,
} from './statements.ts'
import { toNumber } from '../to-number.ts'

/** What writing into a chain takes. */
export interface ChainWriter {
  readonly chain: Chain
  readonly statements: Statements
  readonly lastSeen: Pick<LastSeen, 'check'>
}

export interface Head {
  readonly seq: number
  readonly link: string
}

/** One transaction that holds the log from the first answer on that it has of it (`takeLogAhead`). */
export interface ChainTransaction {
  readonly trx: Transaction<Tables>
  readonly writer: ChainWriter
  /** The newest entry of this tenant's chain. */
  head(tenant: string): Promise<Head>
  /** Makes this the newest one. */
  move(tenant: string, head: Head, added: { readonly calls: number; readonly bytes: number }): void
  /** Adds the row of a call that begins. */
  begin(row: NewRow): void
  /** A call's row; `undefined` where there is none of this id. */
  row(id: string): Promise<OpenRow | undefined>
  /** Ends a row that was found. */
  complete(id: string, row: OpenRow, cells: EndedCells): Promise<void>
  /** Writes the plan into a row that was found and has not ended. */
  namePlan(id: string, row: OpenRow, planId: string): Promise<void>
  /** The number of a change, above every earlier one of all tenants. `at` in epoch milliseconds. */
  change(at: number): number
}

interface Held extends Head {
  readonly calls: number
  readonly bytes: number
  readonly isNew: boolean
  readonly moved: boolean
}

/** What a transaction came to, and the newest entry that it has written of each chain: where one stands, all of it does. */
export interface Written<R> {
  readonly answer: R
  readonly tips: readonly SeenHead[]
  /** How many rows are new. */
  readonly begun: number
  /** Whether a server had frozen every tenant by itself when the heads were read. */
  readonly frozenByItself: boolean
}

/** Runs the steps of one transaction, then writes the heads. `ids`: rows that will be asked for, for one look at all. */
export async function inChainTransaction<R>(
  trx: Transaction<Tables>,
  writer: ChainWriter,
  work: (tx: ChainTransaction) => Promise<R>,
  ids: readonly string[] = [],
): Promise<Written<R>> {
  let looked: ReturnType<Statements['findAll']> | undefined
  const heads = new Map<string, Held>()
  const begun = new Map<string, NewRow>()
  let newest = 0
  let frozen: string | number | null = null

  async function read(tenant: string): Promise<Held> {
    const row = (await looked)?.heads.get(tenant) ?? (await writer.statements.head(trx, tenant))
    if (row !== undefined) {
      writer.lastSeen.check(tenant, { seq: toNumber(row.seq), link: row.link })
      newest = Math.max(newest, toNumber(row.change ?? 0))
      frozen = row.frozen
      const [calls, bytes] = [toNumber(row.calls), toNumber(row.bytes)]
      return { seq: toNumber(row.seq), link: row.link, calls, bytes, isNew: false, moved: false }
    }
    const genesis = { seq: 0, link: writer.chain.genesis(tenant) }
    writer.lastSeen.check(tenant, genesis)
    // The first entry of a tenant; the numbers of changes run across tenants.
    const found = await trx.selectNoFrom([newestChange(trx), frozenByItselfAt(trx).as('frozen')]).executeTakeFirst()
    newest = Math.max(newest, toNumber(found?.change ?? 0))
    frozen = found?.frozen ?? null
    return { ...genesis, calls: 0, bytes: 0, isNew: true, moved: false }
  }

  function add(id: string, cells: Partial<NewRow>): void {
    const row = begun.get(id)
    if (row === undefined) throw new Error(`The row ${id} does not begin in this transaction.`)
    begun.set(id, { ...row, ...cells })
  }

  const answer = await work({
    trx,
    writer,
    head: async (tenant) => {
      const held = heads.get(tenant) ?? (await read(tenant))
      heads.set(tenant, held)
      return held
    },
    move: (tenant, { seq, link }, added) => {
      const held = heads.get(tenant)
      if (held === undefined) throw new Error('A head is read before it is moved.')
      const [calls, bytes] = [held.calls + added.calls, held.bytes + added.bytes]
      heads.set(tenant, { seq, link, calls, bytes, isNew: held.isNew, moved: true })
    },
    begin: (row) => void begun.set(row.id, row),
    row: async (id) => {
      const row = begun.get(id)
      if (row !== undefined) return { ...row, end_seq: row.end_seq ?? null }
      looked ??= writer.statements.findAll(trx, ids)
      const { rows } = await looked
      const known = rows.get(id)
      // Once: a second step on the same row must see what the first one has written.
      rows.delete(id)
      return known ?? (await writer.statements.findOpen(trx, id))
    },
    complete: async (id, { table }, cells) => {
      if (table === undefined) add(id, cells)
      else await writer.statements.updateEnd(trx, table, id, cells)
    },
    namePlan: async (id, { table, end_seq }, planId) => {
      if (end_seq !== null) return
      if (table === undefined) add(id, { plan_id: planId })
      else await writer.statements.namePlan(trx, table, id, planId)
    },
    // Follows the clock, so that a log that retention has emptied does not start again below what a watcher has seen.
    change: (at) => (newest = Math.max(newest + 1, at * 1000)),
  })
  for (const row of begun.values()) await writer.statements.insert(trx, row)
  const tips: SeenHead[] = []
  for (const [tenant, { seq, link, calls, bytes, isNew, moved }] of heads) {
    if (!moved) continue
    tips.push({ tenant, seq, link })
    if (!isNew) await writer.statements.moveHead(trx, tenant, seq, link, calls, bytes)
    else await trx.insertInto(headTable(trx)).values({ tenant, seq, link, calls, bytes }).execute()
  }
  return { answer, tips, begun: begun.size, frozenByItself: frozen !== null }
}
