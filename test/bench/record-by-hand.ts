// What a rail with these tables must write of a call, and nothing else: the plan's row and the call's, of the size that they
// really have, by statements that are built once. No engine, no chain and its head, no cipher, no card: what is left of a
// difference between this and a real call is what those cost.
import type { CompiledQuery, Kysely } from 'kysely'
import { compose } from '../../server/compose/compose.ts'
import { parseApply } from '../../server/confirm/message.ts'
import { call } from '../../server/rail/call.ts'
import { isPostgres } from '../../server/store/dialect-locks.ts'
import type { Tables } from '../../server/store/tables.ts'
import { requestOf } from '../kit/calls.ts'
import { noteContracts } from './contracts.ts'
import { noteId, openNotes } from './notes.ts'

type Row = Readonly<Record<string, unknown>>

/** The statements of one apply, for whoever runs them in a transaction. */
export interface Records {
  /** Makes so many plans, and answers their ids. */
  plans(count: number): Promise<readonly string[]>
  /** The plan is being applied, and the row of the call begins; `row`: its id. */
  begin(plan: string): { readonly row: string; readonly writes: Writes }
  /** Both are over. */
  end(plan: string, row: string): Writes
  /** All of it at once, as for a transactional tool. */
  whole(plan: string): Writes
}

type Writes = readonly [plan: CompiledQuery, row: CompiledQuery]

/** A plan and the call that applied it, as a real server records them. */
async function realRows() {
  const composed = await compose({
    file: ':memory:',
    toolsets: [async ({ db }) => ({ tools: noteContracts(await openNotes(db)) })],
  })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts, store } = composed.value
  const args = { id: noteId(7), text: 'Text of round 1000.', rationale: 'The benchmark asks for it.' }
  const preview = await call(parts.engine, requestOf('notes_edit', args))
  const steps = preview.card?.actions.find(({ role }) => role === 'confirm')?.steps ?? []
  const message = parseApply(steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : []))[0] ?? '')
  if (!message.ok || message.value.kind !== 'apply') throw new Error(`No Confirm: ${preview.text}`)
  const applied = await call(parts.engine, requestOf(message.value.tool, message.value.args))
  if (applied.outcome !== 'applied') throw new Error(`It was not applied: ${applied.text}`)
  const db = store.db.$extendTables<Tables>()
  const [plan] = await db.selectFrom('countersign_plans').selectAll().execute()
  // It is moved to where the log is read.
  await store.activity.newestChange()
  const row = (await db.selectFrom('countersign_activity').selectAll().orderBy('position').execute()).at(-1)
  await composed.value.close()
  if (plan === undefined || row === undefined) throw new Error('Nothing was recorded.')
  return { plan, row }
}

/** For a database that has the tables. `tenant`: of this process, whose rows have numbers of their own. */
export async function openRecords(db: Kysely<Tables>, tenant: string): Promise<Records> {
  const { plan, row: whole } = await realRows()
  const ofEnd = Object.fromEntries(Object.entries(whole).filter(([column]) => isOfEnd(column)))
  const begun: Row = {
    ...whole,
    ...Object.fromEntries(Object.keys(ofEnd).map((column) => [column, null])),
    outcome: 'open',
  }
  const calls = isPostgres(db) ? 'countersign_activity' : 'countersign_activity_recent'
  const insertRow = db.insertInto(calls).values(whole).compile()
  const insertPlan = db.insertInto('countersign_plans').values(plan).compile()
  const claimPlan = db
    .updateTable('countersign_plans')
    .set({ state: 'applying', owner: '', lease_until: 0, changed_at: 0 })
    .where('id', '=', '')
    .compile()
  const endPlan = db
    .updateTable('countersign_plans')
    .set({ state: 'applied', ending: plan.ending, changed_at: 0 })
    .where('id', '=', '')
    .compile()
  const endRow = db
    .updateTable(calls)
    .set({ ...ofEnd, change: 0, end_seq: 0 })
    .where('id', '=', '')
    .compile()
  let count = Date.now() * 1000
  const next = (): number => ++count
  const writeRow = (row: Row): { readonly id: string; readonly write: CompiledQuery } => {
    const number = next()
    const id = `${tenant}-${number}`
    const own = { position: number, change: number, begin_seq: number, end_seq: row['end_seq'] && number, id, tenant }
    return { id, write: { ...insertRow, parameters: Object.values({ ...row, ...own }) } }
  }
  const close = (id: string): CompiledQuery => ({
    ...endPlan,
    parameters: ['applied', plan.ending, next(), id],
  })
  return {
    plans: async (many) => {
      const ids = Array.from({ length: many }, () => `${tenant}-plan-${next()}`)
      await db.transaction().execute(async (trx) => {
        for (const id of ids) {
          const own = { id, ticket_hash: id, digest: id, tenant, state: 'open', ending: null }
          await trx.executeQuery({ ...insertPlan, parameters: Object.values({ ...plan, ...own }) })
        }
      })
      return ids
    },
    begin: (id) => {
      const row = writeRow(begun)
      const claim = { ...claimPlan, parameters: ['applying', plan.owner, next(), next(), id] }
      return { row: row.id, writes: [claim, row.write] }
    },
    end: (id, row) => {
      const number = next()
      const values = Object.values({ ...ofEnd, change: number, end_seq: number })
      return [close(id), { ...endRow, parameters: [...values, row] }]
    },
    whole: (id) => [close(id), writeRow(whole).write],
  }
}

/** Whether a column of a call's row is written when it ends. */
const isOfEnd = (column: string): boolean =>
  /^(?:end|error_)|^(?:outcome|verdict|risk|plan_id|approval_id|duration_ms|result)$/.test(column)
