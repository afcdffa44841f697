// A preview is only worth a signature if the write does what it said. So each tool is written once: `foresee` reads and
// works everything out, `describe` says it, `carryOut` writes those very numbers. The write foresees again inside its
// transaction, compares the versions that both have seen, and holds every one of those rows, so that on a database with
// weaker isolation than SQLite's a row that moves in between ends in "stale", with nothing written.
// The rail asks for the basis before the preview: a row that moves between the two makes the plan stale, never wrong.
import { sql } from 'kysely'
import type {
  Contract,
  Failures,
  Preview,
  Reconciled,
  RunContext,
  ToolContext,
  ToolFailed,
  ToolStale,
  WriteContract,
} from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import type { OrderDatabase } from './schema.ts'

const keys = {
  desk_customers: 'name',
  desk_suppliers: 'name',
  desk_products: 'sku',
  desk_stock: 'sku',
  desk_orders: 'id',
  desk_purchases: 'id',
} as const

/** A row version that a preview relies on; `moves` when the write changes the row. */
export interface Seen {
  readonly table: keyof typeof keys
  readonly key: string
  readonly version: number
  readonly moves: boolean
}

/** What every `foresee` answers beside its own numbers. */
interface Foreseen<Code extends string> {
  readonly seen: readonly Seen[]
  /** Why it cannot be done at all; the preview shows it, the write fails with its code. */
  readonly obstacle?: { readonly code: Code; readonly title: string; readonly text: string } | undefined
}

type Code<F> = Extract<keyof F, string>

interface DeskTool<I, P extends Foreseen<Code<F>>, O, F extends Failures> extends Omit<
  WriteContract<I, O, F>,
  'cheatsheet' | 'idempotency' | 'preview' | 'basis' | 'run' | 'reconcile'
> {
  /** Reads the state and works out what follows. */
  readonly foresee: (db: OrderDatabase, input: I, ctx: ToolContext<Code<F>>) => Promise<P | ToolFailed>
  /** Puts it into words; sees nothing but what was foreseen. */
  readonly describe: (forecast: P, input: I, ctx: ToolContext<Code<F>>) => Preview
  /** Writes it, inside the transaction that holds every row seen. */
  readonly carryOut: (transaction: OrderDatabase, forecast: P, input: I, ctx: RunContext<Code<F>>) => Promise<O>
}

/** Declares a tool that writes: preview, basis, run and reconcile of its contract all come from one rehearsal. */
export const deskTool =
  <I, P extends Foreseen<Code<F>>, O, const F extends Failures>({
    foresee,
    describe,
    carryOut,
    ...contract
  }: DeskTool<I, P, O, F>) =>
  (db: OrderDatabase): Contract =>
    defineTool<I, O, F>({
      ...contract,
      cheatsheet: 'orders',
      idempotency: 'plan',
      ...rehearsed(db, { name: contract.name, foresee, describe, carryOut }),
    })

function rehearsed<I, P extends Foreseen<Code<F>>, O, F extends Failures>(
  db: OrderDatabase,
  { name: tool, foresee, describe, carryOut }: Pick<DeskTool<I, P, O, F>, 'name' | 'foresee' | 'describe' | 'carryOut'>,
) {
  /** One snapshot for all that is read, so that a card never mixes the desk before a change with the desk after it. */
  const look = (input: I, ctx: ToolContext<Code<F>>): Promise<P | ToolFailed> =>
    db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute((snapshot) => foresee(snapshot, input, ctx))
  return {
    async preview(input: I, ctx: ToolContext<Code<F>>): Promise<Preview | ToolFailed> {
      const forecast = await look(input, ctx)
      if (hasEnded(forecast)) return forecast
      const preview = describe(forecast, input, ctx)
      if (forecast.obstacle === undefined) return preview
      // Consequences of what cannot happen would be read as promises.
      const { changes: _, unchanged: __, details: ___, warnings: ____, ...rest } = preview
      return { ...rest, effects: [], blocked: { title: forecast.obstacle.title, text: forecast.obstacle.text } }
    },
    async basis(input: I, ctx: ToolContext<Code<F>>): Promise<string | ToolFailed> {
      const forecast = await look(input, ctx)
      return hasEnded(forecast) ? forecast : basisOf(forecast.seen)
    },
    run(input: I, ctx: RunContext<Code<F>>): Promise<O | ToolFailed | ToolStale> {
      return once<O>(db, ctx, tool, async (transaction) => {
        const forecast = await foresee(transaction, input, ctx)
        // A row that the preview read may be gone or closed by now: that is staleness, not a mistake in the arguments.
        if (hasEnded(forecast)) return ctx.basis === undefined ? forecast : ctx.stale()
        if (ctx.basis !== undefined && ctx.basis !== basisOf(forecast.seen)) return ctx.stale()
        if (forecast.obstacle !== undefined)
          return ctx.fail(forecast.obstacle.code, `${forecast.obstacle.title} ${forecast.obstacle.text}`)
        if (!(await hold(transaction, forecast.seen))) return ctx.stale()
        return carryOut(transaction, forecast, input, ctx)
      })
    },
    async reconcile(_input: I, ctx: { readonly idempotencyKey: string }): Promise<Reconciled<O>> {
      const done = await recorded(db, ctx.idempotencyKey, tool)
      return done === undefined ? { kind: 'not-applied' } : { kind: 'applied', result: JSON.parse(done) as O }
    },
  }
}

/** Fingerprint of the rows seen: readable on purpose, for whoever wonders why a forecast went stale. */
const basisOf = (seen: readonly Seen[]): string =>
  seen
    .map(({ table, key, version }) => `${table.slice('desk_'.length)}:${key}@${version}`)
    .sort()
    .join(' ')

/** Compares and locks in one statement per row, always in one order. False when one of them moved. */
async function hold(transaction: OrderDatabase, seen: readonly Seen[]): Promise<boolean> {
  const inOrder = seen.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  for (const { table, key, version, moves } of inOrder) {
    const { numUpdatedRows } = await transaction
      // Any of the versioned tables: this statement only names what all of them have.
      .updateTable(table as 'desk_orders')
      .set((eb) => ({ version: eb('version', '+', moves ? 1 : 0) }))
      .where(sql.ref(keys[table]), '=', key)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
  }
  return true
}

const placeOf = ({ table, key }: Seen): string => `${table} ${key}`

/** Rolls back with an answer instead of an error. */
class TurnBack extends Error {
  readonly answer: ToolFailed | ToolStale
  constructor(answer: ToolFailed | ToolStale) {
    super('turned back')
    this.answer = answer
  }
}

async function once<O>(
  db: OrderDatabase,
  ctx: RunContext,
  tool: string,
  work: (transaction: OrderDatabase) => Promise<O | ToolFailed | ToolStale>,
): Promise<O | ToolFailed | ToolStale> {
  try {
    return await again(() =>
      db.transaction().execute(async (transaction) => {
        const before = await recorded(transaction, ctx.idempotencyKey, tool)
        if (before !== undefined) return JSON.parse(before) as O
        const answer = await work(transaction)
        if (hasEnded(answer)) throw new TurnBack(answer)
        await transaction
          .insertInto('desk_runs')
          .values({
            idempotency_key: ctx.idempotencyKey,
            tool,
            result: JSON.stringify(answer),
            at: new Date(ctx.now()).toISOString(),
          })
          .execute()
        // Somebody gave up waiting: better nothing happened than something that nobody is told about.
        ctx.signal.throwIfAborted()
        return answer
      }),
    )
  } catch (error) {
    if (error instanceof TurnBack) return error.answer
    throw error
  }
}

const attempts = 5

/** Of two transactions that wait for each other, PostgreSQL takes one back as a whole; it has done nothing, and may try again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!wasTakenBack(error) || attempt === attempts) throw error
    }
  }
}

/** SQLSTATE: serialization_failure, deadlock_detected. */
const wasTakenBack = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')

/** JSON of what the call of this key answered, if it ever took effect. */
async function recorded(db: OrderDatabase, key: string, tool: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('desk_runs')
    .select('result')
    .where('idempotency_key', '=', key)
    .where('tool', '=', tool)
    .executeTakeFirst()
  return row?.result
}

/** Tells a failure or staleness from an answer. */
export const hasEnded = (answer: unknown): answer is ToolFailed | ToolStale =>
  typeof answer === 'object' &&
  answer !== null &&
  'kind' in answer &&
  (answer.kind === 'tool-failed' || answer.kind === 'tool-stale')
