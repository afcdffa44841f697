// A preview is only worth a signature if the write does what it said. So each tool is written once: `foresee` reads and
// works everything out, `describe` says it, `carryOut` writes those very numbers. The write foresees again inside its
// transaction, compares the versions that both have seen, and holds every one of those rows, so that on a database with
// weaker isolation than SQLite's a row that moves in between ends in "stale", with nothing written.
// The rail asks for the basis before the preview: a row that moves between the two makes the plan stale, never wrong.
import type { Kysely } from 'kysely'
import type {
  Contract,
  Failures,
  FailureSpec,
  Preview,
  Reconciled,
  RunContext,
  ToolContext,
  ToolFailed,
  ToolStale,
  WriteContract,
} from '../tools/contract.ts'
import { defineTool } from '../tools/define-tool.ts'
import { hasEnded } from '../tools/has-ended.ts'
import { fingerprint, hold } from './seen-rows.ts'

/** A row version that a preview relies on; `moves` when the write changes the row. */
export interface SeenRow<Table extends string> {
  readonly table: Table
  readonly key: string
  readonly version: number
  readonly moves: boolean
}

/** What a toolset says of its tables. */
export interface RehearsedTables<Table extends string> {
  /** With what the names of its tables begin: `desk_`. Runs are written down in `<prefix>runs`. */
  readonly prefix: string
  /** Its tables with a `version`, and the column by which a row of each is found. */
  readonly keys: Readonly<Record<Table, string>>
  /** Name of the cheatsheet of its tools. */
  readonly cheatsheet?: string
  /** What its tools' cards can be written in, where that is more than English. */
  readonly languages?: readonly string[]
  /** What people read of its failures in those languages but English, by their codes; a failure may have its own `says`. */
  readonly says?: (code: string) => FailureSpec['says']
  /** All its tools write into these tables, in milliseconds, and change nothing else. */
  readonly transactional?: true
}

/** A row of `<prefix>runs`: one for each confirmed call, written with its effect. It is how `reconcile` knows. */
export interface RunRow {
  idempotency_key: string
  tool: string
  /** JSON of what the call answered. */
  result: string
  /** ISO 8601. */
  at: string
}

/** What every `foresee` answers beside its own numbers. */
export interface Foreseen<Code extends string, Table extends string> {
  readonly seen: readonly SeenRow<Table>[]
  /** What else the preview relies on, in words that change with it: a file and its version, a row that must not exist. */
  readonly also?: readonly string[]
  /** Why it cannot be done at all; the preview shows it, the write fails with its code. */
  readonly obstacle?: { readonly code: Code; readonly title: string; readonly text: string } | undefined
}

type Code<F> = Extract<keyof F, string>

/** A tool that is written once: what it foresees is what its card says and what it writes. */
export interface RehearsedTool<
  Tables,
  Table extends string,
  I,
  P extends Foreseen<Code<F>, Table>,
  O,
  F extends Failures,
> extends Omit<WriteContract<I, O, F>, 'idempotency' | 'preview' | 'basis' | 'run' | 'reconcile'> {
  /** Reads the state and works out what follows. */
  readonly foresee: (db: Kysely<Tables>, input: I, ctx: ToolContext<Code<F>>) => Promise<P | ToolFailed>
  /** The part of it on which the confirmation rests, where all of it takes long: the same words, or nobody could confirm. */
  readonly anchor?: (
    db: Kysely<Tables>,
    input: I,
    ctx: ToolContext<Code<F>>,
  ) => Promise<Pick<P, 'seen' | 'also'> | ToolFailed>
  /** Puts it into words; sees nothing but what was foreseen, and what a content that was foreseen looks like. */
  readonly describe: (forecast: P, input: I, ctx: ToolContext<Code<F>>) => Preview | Promise<Preview>
  /** Writes it, inside the transaction that holds every row seen. `ctx.stale()` takes it back where more has moved. */
  readonly carryOut: (
    transaction: Kysely<Tables>,
    forecast: P,
    input: I,
    ctx: RunContext<Code<F>>,
  ) => Promise<O | ToolStale>
  /** Failures that say what has happened since the preview: that a name is taken by now. Any other one is staleness. */
  readonly raced?: readonly Code<F>[]
  /** Fills in what of an answer must not be written down (`RunRow`) and can be made from the rest: a secret address. */
  readonly complete?: (recorded: O) => O | Promise<O>
}

/**
 * How tools of a toolset with these tables are declared: preview, basis, run and reconcile of a contract all come from one
 * rehearsal. Beside the tables of `keys` there is `<prefix>runs`, with the columns of `RunRow`.
 */
export const rehearsedTools =
  <Tables, Table extends keyof Tables & string>(tables: RehearsedTables<Table>) =>
  <I, P extends Foreseen<Code<F>, Table>, O, const F extends Failures>({
    foresee,
    anchor = foresee,
    describe,
    carryOut,
    complete = asRecorded,
    raced = [],
    ...contract
  }: RehearsedTool<Tables, Table, I, P, O, F>) =>
  (db: Kysely<Tables>): Contract =>
    defineTool<I, O, F>({
      ...(tables.cheatsheet === undefined ? {} : { cheatsheet: tables.cheatsheet }),
      ...(tables.languages === undefined ? {} : { languages: tables.languages }),
      ...(tables.transactional === undefined ? {} : { transactional: tables.transactional }),
      ...contract,
      failures: withSays(tables, contract.failures),
      idempotency: 'plan',
      ...rehearsed(tables, db, { name: contract.name, foresee, anchor, describe, carryOut, complete, raced }),
    })

/** Failures with what people read of them. */
const withSays = <F extends Failures>({ says }: Pick<RehearsedTables<string>, 'says'>, failures: F): F =>
  Object.fromEntries(
    Object.entries(failures).map(([code, spec]) => {
      const said = spec.says ?? says?.(code)
      return [code, said === undefined ? spec : { ...spec, says: said }]
    }),
  ) as F

const asRecorded = <O>(recorded: O): O => recorded

function rehearsed<Tables, Table extends string, I, P extends Foreseen<Code<F>, Table>, O, F extends Failures>(
  tables: RehearsedTables<Table>,
  db: Kysely<Tables>,
  {
    name: tool,
    foresee,
    anchor,
    describe,
    carryOut,
    complete,
    raced,
  }: Required<
    Pick<
      RehearsedTool<Tables, Table, I, P, O, F>,
      'name' | 'foresee' | 'anchor' | 'describe' | 'carryOut' | 'complete' | 'raced'
    >
  >,
) {
  const basisOf = (forecast: Pick<P, 'seen' | 'also'>): string => fingerprint(tables.prefix, forecast)
  /** One snapshot for all that is read, so that a card never mixes the desk before a change with the desk after it. */
  const look = <T>(read: (snapshot: Kysely<Tables>) => Promise<T>): Promise<T> =>
    db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(read)
  return {
    async preview(input: I, ctx: ToolContext<Code<F>>): Promise<Preview | ToolFailed> {
      const forecast = await look((snapshot) => foresee(snapshot, input, ctx))
      if (hasEnded(forecast)) return forecast
      const preview = await describe(forecast, input, ctx)
      if (forecast.obstacle === undefined) return preview
      // Consequences of what cannot happen would be read as promises.
      const { changes: _, unchanged: __, details: ___, warnings: ____, ...rest } = preview
      const { code, title, text } = forecast.obstacle
      return { ...rest, effects: [], blocked: { code, title, text } }
    },
    async basis(input: I, ctx: ToolContext<Code<F>>): Promise<string | ToolFailed> {
      const forecast = await look((snapshot) => anchor(snapshot, input, ctx))
      return hasEnded(forecast) ? forecast : basisOf(forecast)
    },
    async run(input: I, ctx: RunContext<Code<F>>): Promise<O | ToolFailed | ToolStale> {
      const work = async (transaction: Kysely<Tables>): Promise<O | ToolFailed | ToolStale> => {
        // Of words it can only answer a failure, and those are in English.
        const forecast = await foresee(transaction, input, { ...ctx, language: 'en' })
        // A row that the preview read may be gone or closed by now: that is staleness, not a mistake in the arguments.
        if (hasEnded(forecast))
          return ctx.basis === undefined || raced.some((code) => code === forecast.code) ? forecast : ctx.stale()
        if (ctx.basis !== undefined && ctx.basis !== basisOf(forecast)) return ctx.stale()
        if (forecast.obstacle !== undefined)
          return ctx.fail(forecast.obstacle.code, `${forecast.obstacle.title} ${forecast.obstacle.text}`)
        if (!(await hold(tables, transaction, forecast.seen))) return ctx.stale()
        return carryOut(transaction, forecast, input, ctx)
      }
      // In the plan's own transaction: that it has ended stands there as well, and nobody asks which runs there were.
      const answer =
        ctx.transaction === undefined
          ? await once<Tables, O>({ db, tool, table: runsOf(tables) }, ctx, work)
          : await work(ctx.transaction as unknown as Kysely<Tables>)
      return hasEnded(answer) ? answer : complete(answer)
    },
    async reconcile(_input: I, ctx: { readonly idempotencyKey: string }): Promise<Reconciled<O>> {
      const done = await recorded({ db, tool, table: runsOf(tables) }, ctx.idempotencyKey)
      return done === undefined
        ? { kind: 'not-applied' }
        : { kind: 'applied', result: await complete(JSON.parse(done) as O) }
    },
  }
}

/** The name of the table that these statements are about; its toolset created it. */
interface NamedTables {
  runs: RunRow
}

const runsOf = ({ prefix }: { readonly prefix: string }): 'runs' => `${prefix}runs` as 'runs'

/** The same connection, by what its statements here rely on. */
const named = <Tables>(db: Kysely<Tables>): Kysely<NamedTables> => db as unknown as Kysely<NamedTables>

/** Rolls back with an answer instead of an error. */
class TurnBack extends Error {
  readonly answer: ToolFailed | ToolStale
  constructor(answer: ToolFailed | ToolStale) {
    super('turned back')
    this.answer = answer
  }
}

interface Runs<Tables> {
  readonly db: Kysely<Tables>
  /** Where runs are written down. */
  readonly table: 'runs'
  readonly tool: string
}

async function once<Tables, O>(
  runs: Runs<Tables>,
  ctx: RunContext,
  work: (transaction: Kysely<Tables>) => Promise<O | ToolFailed | ToolStale>,
): Promise<O | ToolFailed | ToolStale> {
  const { db, table, tool } = runs
  try {
    return await again(() =>
      db.transaction().execute(async (transaction) => {
        const before = await recorded({ ...runs, db: transaction }, ctx.idempotencyKey)
        if (before !== undefined) return JSON.parse(before) as O
        const answer = await work(transaction)
        if (hasEnded(answer)) throw new TurnBack(answer)
        await named(transaction)
          .insertInto(table)
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

/**
 * Of two transactions that wait for each other, or that add one thing both, PostgreSQL takes one back as a whole; it has done
 * nothing, and may try again: then it sees what the other has done.
 */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!wasTakenBack(error) || attempt === attempts) throw error
    }
  }
}

/** SQLSTATE: serialization_failure, deadlock_detected, unique_violation. */
const wasTakenBack = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['40001', '40P01', '23505'].includes(String(error.code))

/** JSON of what the call of this key answered, if it ever took effect. */
async function recorded<Tables>({ db, table, tool }: Runs<Tables>, key: string): Promise<string | undefined> {
  const row = await named(db)
    .selectFrom(table)
    .select('result')
    .where('idempotency_key', '=', key)
    .where('tool', '=', tool)
    .executeTakeFirst()
  return row?.result
}
