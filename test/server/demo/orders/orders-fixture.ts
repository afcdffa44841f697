// What the order desk's tests share: a desk on a real store, and a caller that goes the way the engine goes: parse, basis,
// preview, run. Its `fail` refuses a code that the contract does not declare, so no test can meet one unnoticed.
import { openStore } from '../../../../server/store/store.ts'
import { beginning } from '../../../kit/blank-database.ts'
import { locate, testSecret } from '../../../postgres.ts'
import type {
  Contract,
  Preview,
  RunContext,
  ToolContext,
  ToolFailed,
  ToolStale,
  WriteContract,
} from '../../../../server/tools/contract.ts'
import { createOrders } from '../../../../server/demo/orders/orders.ts'
import type { OrderDatabase as Database } from '../../../../server/demo/orders/schema.ts'

/** Noon of a day that the mock cards speak of. */
const NOON = Date.UTC(2026, 10, 22, 12)

interface RunOptions {
  readonly basis?: string | undefined
  readonly key?: string
  readonly signal?: AbortSignal
}

let keys = 0
const nextKey = (): string => {
  keys += 1
  return `pl_test_${keys}`
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

  const tool = (name: string): Contract => {
    const found = tools.find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }
  const write = (name: string): WriteContract => {
    const found = tool(name)
    if (found.operation === 'read') throw new Error(`${name} only reads`)
    return found
  }
  const context = (contract: Contract): ToolContext => ({
    principal: { tenant: 'default', subject: 'tester' },
    rationale: 'The test asks for it.',
    now,
    signal: new AbortController().signal,
    progress: () => undefined,
    meta: {},
    guidance: { errors: true, budget: true },
    conclude: () => undefined,
    audit: () => Promise.resolve(),
    fail: (code, message, more = {}) => {
      if (!(code in contract.failures)) throw new Error(`${contract.name} does not declare ${code}`)
      return { kind: 'tool-failed', code, message, ...more }
    },
  })
  const runContext = (contract: Contract, { basis, key, signal }: RunOptions): RunContext => ({
    ...context(contract),
    ...(signal === undefined ? {} : { signal }),
    idempotencyKey: key ?? nextKey(),
    basis,
    cancelled: new AbortController().signal,
    stale: (): ToolStale => ({ kind: 'tool-stale' }),
  })

  const basis = async (name: string, input: unknown): Promise<string | ToolFailed> => {
    const contract = write(name)
    return (await contract.basis?.(contract.input.parse(input), context(contract))) ?? ''
  }
  const run = async (name: string, input: unknown, options: RunOptions = {}) => {
    const contract = write(name)
    return contract.run(contract.input.parse(input), runContext(contract, options))
  }
  return {
    db,
    store,
    tools,
    tool,
    write,
    read: async (name: string, input: unknown) => {
      const contract = tool(name)
      if (contract.operation !== 'read') throw new Error(`${name} writes`)
      return contract.run(contract.input.parse(input), context(contract))
    },
    preview: async (name: string, input: unknown) => {
      const contract = write(name)
      return contract.preview(contract.input.parse(input), context(contract))
    },
    basis,
    /** The basis of a call that can be previewed. */
    based: async (name: string, input: unknown) => {
      const found = await basis(name, input)
      if (typeof found !== 'string') throw new Error(`no basis: ${found.message}`)
      return found
    },
    run,
    /** Basis, preview and run in one go; the run's answer. */
    apply: async (name: string, input: unknown, key?: string) => {
      const found = await basis(name, input)
      return typeof found === 'string'
        ? run(name, input, { basis: found, ...(key === undefined ? {} : { key }) })
        : found
    },
    reconcile: async (name: string, input: unknown, key: string) => {
      const contract = write(name)
      return contract.reconcile?.(contract.input.parse(input), { ...context(contract), idempotencyKey: key })
    },
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

export const failed = (answer: unknown): ToolFailed => {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'tool-failed')
    return answer as ToolFailed
  throw new Error(`expected a failure, got ${JSON.stringify(answer)}`)
}

export const hasFailed = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'kind' in answer &&
  (answer.kind === 'tool-failed' || answer.kind === 'tool-stale')

export const shown = (answer: Preview | ToolFailed): Preview => {
  if ('kind' in answer) throw new Error(`expected a preview, got ${answer.code}: ${answer.message}`)
  return answer
}

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
