// What a rail with these tables must write of a call, and nothing else: the plan's row and the call's, of the size that they
// really have, by statements that are built once. No engine, no chain, no cipher, no card: what is left of a difference between
// this and a real call is what those cost; what this costs itself, no faster engine saves.
import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import { compose } from '../../server/compose/compose.ts'
import { parseApply } from '../../server/confirm/message.ts'
import { call } from '../../server/rail/call.ts'
import type { Tables } from '../../server/store/tables.ts'
import { requestOf } from '../kit/calls.ts'
import { noteContracts } from './contracts.ts'
import { noteId, openNotes } from './notes.ts'

type Row = Readonly<Record<string, unknown>>

/** What is written of one apply. */
export interface Records {
  /** Makes so many plans, and answers their ids. */
  plans(count: number): Promise<readonly string[]>
  /** The plan is being applied, and the row of the call begins; answers the id of that row. */
  begin(trx: Transaction<Tables>, plan: string): Promise<string>
  /** Both are over. */
  end(trx: Transaction<Tables>, plan: string, row: string): Promise<void>
  /** All of it at once, as for a transactional tool. */
  whole(trx: Transaction<Tables>, plan: string): Promise<void>
}

/** A plan and the call that applied it, as a real server records them. */
async function realRows() {
  const composed = await compose({
    file: ':memory:',
    toolsets: [async ({ db }) => ({ tools: noteContracts(await openNotes(db)) })],
  })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts, store, close } = composed.value
  const args = { id: noteId(7), text: 'Text of round 1000.', rationale: 'The benchmark asks for it.' }
  const preview = await call(parts.engine, requestOf('notes_edit', args))
  const steps = preview.card?.actions.find(({ role }) => role === 'confirm')?.steps ?? []
  const message = parseApply(steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : []))[0] ?? '')
  if (!message.ok || message.value.kind !== 'apply') throw new Error(`No Confirm: ${preview.text}`)
  const applied = await call(parts.engine, requestOf(message.value.tool, message.value.args))
  if (applied.outcome !== 'applied') throw new Error(`It was not applied: ${applied.text}`)
  const db = store.db.$extendTables<Tables>()
  const [plan] = await db.selectFrom('countersign_plans').selectAll().execute()
  const row = (await db.selectFrom('countersign_activity').selectAll().orderBy('position').execute()).at(-1)
  await close()
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
  const insertRow = db.insertInto('countersign_activity').values(whole).compile()
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
    .updateTable('countersign_activity')
    .set({ ...ofEnd, change: 0, end_seq: 0 })
    .where('id', '=', '')
    .compile()
  let count = Date.now() * 1000
  const next = (): number => ++count
  const run = async (
    trx: Transaction<Tables>,
    query: CompiledQuery<unknown>,
    parameters: readonly unknown[],
  ): Promise<void> => void (await trx.executeQuery({ ...query, parameters }))
  const writeRow = async (trx: Transaction<Tables>, row: Row): Promise<string> => {
    const number = next()
    const id = `${tenant}-${number}`
    const own = { position: number, change: number, begin_seq: number, end_seq: row['end_seq'] && number, id, tenant }
    await run(trx, insertRow, Object.values({ ...row, ...own }))
    return id
  }
  const close = (trx: Transaction<Tables>, id: string): Promise<void> =>
    run(trx, endPlan, ['applied', plan.ending, next(), id])
  return {
    plans: async (many) => {
      const ids = Array.from({ length: many }, () => `${tenant}-plan-${next()}`)
      await db.transaction().execute(async (trx) => {
        for (const id of ids)
          await run(
            trx,
            insertPlan,
            Object.values({ ...plan, id, ticket_hash: id, digest: id, tenant, state: 'open', ending: null }),
          )
      })
      return ids
    },
    begin: async (trx, id) => {
      await run(trx, claimPlan, ['applying', plan.owner, next(), next(), id])
      return writeRow(trx, begun)
    },
    end: async (trx, id, row) => {
      await close(trx, id)
      const number = next()
      await run(trx, endRow, [...Object.values({ ...ofEnd, change: number, end_seq: number }), row])
    },
    whole: async (trx, id) => {
      await close(trx, id)
      await writeRow(trx, whole)
    },
  }
}

/** Whether a column of a call's row is written when it ends. */
const isOfEnd = (column: string): boolean =>
  /^(?:end|error_)|^(?:outcome|verdict|risk|plan_id|approval_id|duration_ms|result)$/.test(column)
