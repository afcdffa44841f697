// What the order desk's tests share: a desk on a real store, and a caller that goes the way the engine goes: parse, basis,
// preview, run. Its `fail` refuses a code that the contract does not declare, so no test can meet one unnoticed.
import { openStore } from '../../../../server/store/store.ts'
import { beginning } from '../../../kit/blank-database.ts'
import { locate, testSecret } from '../../../postgres.ts'
import { callsOf } from '../../../kit/toolset.ts'
import { createOrders } from '../../../../server/demo/orders/orders.ts'
import type { OrderDatabase as Database } from '../../../../server/demo/orders/schema.ts'

export { failed, shown } from '../../../kit/toolset.ts'

/** Noon of a day that the mock cards speak of. */
const NOON = Date.UTC(2026, 10, 22, 12)

interface RunOptions {
  readonly basis?: string | undefined
  readonly key?: string
  readonly signal?: AbortSignal
  readonly language?: string
}

export type TestDesk = Awaited<ReturnType<typeof openDesk>>

/** A desk that was filled at noon, and stays at noon. */
export async function openDesk(named = ':memory:', now = () => NOON) {
  const file = await locate(named)
  const opened = await openStore({ file, secret: testSecret, ...(await beginning(file)) })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  const db = store.db as unknown as Database
  const { tools } = await createOrders(store.db, { now })

  const calls = callsOf(tools, now)
  const run = async (name: string, input: unknown, { key, signal, ...basis }: RunOptions = {}) =>
    calls.run(name, input, {
      ...basis,
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    db,
    store,
    tools,
    ...calls,
    /** The basis of a call that can be previewed. */
    based: async (name: string, input: unknown) => {
      const found = await calls.basis(name, input)
      if (typeof found !== 'string') throw new Error(`no basis: ${found.message}`)
      return found
    },
    run,
    /** Basis, preview and run in one go; the run's answer. */
    apply: async (name: string, input: unknown, key?: string) =>
      calls.apply(name, input, key === undefined ? {} : { idempotencyKey: key }),
    /** Every row of the desk, as text. */
    dump: async () => JSON.stringify(await dump(db)),
    close: () => store.close(),
  }
}

/** Opens a desk for one piece of work and closes it, whatever happens. */
export async function withDesk<T>(work: (desk: TestDesk) => Promise<T>): Promise<T> {
  const desk = await openDesk()
  try {
    return await work(desk)
  } finally {
    await desk.close()
  }
}

const tables = [
  'desk_customers',
  'desk_suppliers',
  'desk_products',
  'desk_stock',
  'desk_movements',
  'desk_orders',
  'desk_order_lines',
  'desk_purchases',
  'desk_purchase_lines',
  'desk_counters',
  'desk_runs',
] as const

async function dump(db: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().execute()
    all[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return all
}

export const hasFailed = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'kind' in answer &&
  (answer.kind === 'tool-failed' || answer.kind === 'tool-stale')

export interface StockNow {
  readonly on_hand: number
  readonly reserved: number
  readonly available: number
}

export async function stockOf(db: Database): Promise<Record<string, StockNow>> {
  const rows = await db.selectFrom('desk_stock').selectAll().execute()
  return Object.fromEntries(
    rows.map(({ sku, on_hand, reserved }) => [sku, { on_hand, reserved, available: on_hand - reserved }]),
  )
}
