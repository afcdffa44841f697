// A tool that writes into the store's own database runs in its plan's transaction: its effect and the plan's ending are one
// commit. So there is nothing between "it ran" and "it is on record", whoever dies, throws or waits for too long.
import { setTimeout as wait } from 'node:timers/promises'
import * as fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../../../server/rail/call.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { parseApply } from '../../../server/confirm/message.ts'
import { StoreAway } from '../../../server/store/postgres/loss.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import type { RunContext } from '../../../server/tools/contract.ts'
import { beginning } from '../../kit/blank-database.ts'
import { requestOf } from '../../kit/calls.ts'
import { runsOf } from '../../full.ts'
import { locate, present, testSecret } from '../../postgres.ts'
import {
  confirmed,
  createEngine,
  everythingShown,
  nothingChanged,
  noteTool,
  why,
  type EngineParts,
  type NoteInput,
} from './rail-fixture.ts'

type Kept = {
  kept_notes: { readonly key: string; readonly text: string }
  countersign_activity_events: { readonly name: string; readonly data: string; readonly seq: number }
}

const inside = ({ transaction }: RunContext): Kysely<Kept> => {
  if (transaction === undefined) throw new Error('It was run outside of a transaction.')
  return transaction.$extendTables<Kept>()
}

/** What a run does once it has written its note. */
type Conduct = (ctx: RunContext, input: NoteInput) => unknown

const answers: Conduct = (_ctx, { text }) => ({ id: 'N-1', text })

/** A store with a table of notes, and engines on it: each as another process would be. */
async function openKept(file = ':memory:') {
  const place = await locate(file)
  const opened = await openStore({ file: place, secret: testSecret, ...(await beginning(place)) })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  onTestFinished(() => store.close())
  const db = store.db as unknown as Kysely<Kept>
  await db.schema
    .createTable('kept_notes')
    .ifNotExists()
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('text', 'text')
    .execute()
  const written = async (): Promise<readonly string[]> =>
    (await db.selectFrom('kept_notes').select('text').orderBy('text').execute()).map(({ text }) => text)
  return { store, db, written, engine: (then: Conduct, more?: Partial<EngineParts>) => keeping(store, then, more) }
}

function keeping(store: Store, then: Conduct, more: Partial<EngineParts> = {}) {
  const tool = noteTool([], {
    transactional: true,
    run: async (input, ctx) => {
      await inside(ctx).insertInto('kept_notes').values({ key: ctx.idempotencyKey, text: input.text }).execute()
      return (await then(ctx, input)) as { id: string; text: string }
    },
  })
  const engine = {
    ...createEngine({ tools: [tool], ledger: store.plans, now: store.now, ...more }),
    activityLog: store.activityLog,
  }
  const send = (name: string, args: unknown): Promise<Answer> => call(engine, requestOf(name, args))
  return {
    engine,
    preview: (text: string) => send('notes_write', { text, rationale: why }),
    apply: (preview: Answer) => {
      const parsed = parseApply(confirmed(preview))
      if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error('It is no Apply message.')
      return send(parsed.value.tool, parsed.value.args)
    },
  }
}

const stateOf = async (store: Store, preview: Answer) =>
  (await store.plans.find({ by: 'id', id: preview.planId ?? '' }))?.state

test('what it writes and that its plan has ended are there together, and a repeat is told what came of it', async () => {
  const { store, engine, written } = await openKept()
  const { preview, apply } = engine(answers)
  const shown = await preview('one')
  expect(await apply(shown)).toMatchObject({ outcome: 'applied', result: { text: 'one' } })
  expect(await stateOf(store, shown)).toBe('applied')
  expect((await apply(shown)).outcome).toBe('replayed')
  expect(await written()).toStrictEqual(['one'])
})

test.each<[string, Conduct, string]>([
  ['throws', () => Promise.reject(new Error('the disk is gone')), 'failed'],
  ['refuses', (ctx) => ctx.fail('book_full', 'There is no page left.'), 'failed'],
  ['says that it came half way', (ctx) => ctx.fail('ink_ran_out', 'Half a word.'), 'failed'],
  ['finds its precondition gone', (ctx) => ctx.stale(), 'stale'],
  ['answers with work that nobody has done', () => ({ id: 'N-1', text: Promise.resolve('one') }), 'failed'],
])('of a run that writes and then %s nothing is left, and the answer says so', async (_name, conduct, outcome) => {
  const { store, engine, written } = await openKept()
  const { preview, apply } = engine(conduct)
  const shown = await preview('one')
  const answer = await apply(shown)
  expect(answer.outcome).toBe(outcome)
  if (outcome === 'failed') expect(everythingShown(answer)).toMatch(nothingChanged)
  expect(await written()).toStrictEqual([])
  expect(await stateOf(store, shown)).toBe(outcome)
  // It is over: the person is shown another preview before anything runs.
  expect((await apply(shown)).outcome).not.toBe('applied')
  expect(await written()).toStrictEqual([])
})

test('an answer that breaks the contract is applied all the same: what it wrote is there', async () => {
  const { engine, written } = await openKept()
  const { preview, apply } = engine(() => ({ id: 7 }))
  expect((await apply(await preview('one'))).outcome).toBe('applied')
  expect(await written()).toStrictEqual(['one'])
})

test('a run that lasts too long is taken back, and what it still writes then goes nowhere', async () => {
  const { engine, written } = await openKept()
  const over = Promise.withResolvers<void>()
  const late: unknown[] = []
  const conduct: Conduct = async (ctx, input) => {
    await over.promise
    const row = { key: 'late', text: 'too late' }
    await inside(ctx)
      .insertInto('kept_notes')
      .values(row)
      .execute()
      .catch((error: unknown) => late.push(error))
    return answers(ctx, input)
  }
  const { preview, apply } = engine(conduct, { settings: { runTimeoutMs: 30 } })
  const answer = await apply(await preview('one'))
  expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
  expect(everythingShown(answer)).toMatch(nothingChanged)
  over.resolve()
  await expect.poll(() => late).toHaveLength(1)
  expect(await written()).toStrictEqual([])
})

test('what a run adds to its row stands there, also where what it wrote was taken back', async () => {
  const { db, engine } = await openKept()
  const noting: Conduct = async (ctx, input) => {
    await ctx.audit('note.kept', { text: input.text })
    return input.text === 'one' ? answers(ctx, input) : ctx.fail('book_full', 'There is no page left.')
  }
  const { preview, apply } = engine(noting)
  await apply(await preview('one'))
  await apply(await preview('two'))
  const events = db
    .selectFrom('countersign_activity_events')
    .select('data')
    .where('name', '=', 'note.kept')
    .orderBy('seq')
  expect(await events.execute()).toEqual([{ data: '{"text":"one"}' }, { data: '{"text":"two"}' }])
})

test('what it has begun to write and not awaited is taken back as well, and what it begins later is refused', async () => {
  const { engine, written } = await openKept()
  const refused: unknown[] = []
  const conduct: Conduct = (ctx) => {
    const db = inside(ctx)
    for (let at = 0; at < 20; at += 1)
      db.insertInto('kept_notes')
        .values({ key: `${at}`, text: 'unawaited' })
        .execute()
        .catch((error: unknown) => refused.push(error))
    throw new Error('It broke.')
  }
  const { preview, apply } = engine(conduct)
  const shown = await preview('one')
  expect((await apply(shown)).outcome).toBe('failed')
  expect(await written()).toStrictEqual([])
  expect(refused.every((error) => error instanceof Error && error.message.includes('await all that it writes'))).toBe(
    true,
  )
})

test.each<[string, (db: Kysely<Kept>) => Promise<unknown>]>([
  ['begins a transaction of its own', (db) => db.transaction().execute(() => Promise.resolve())],
  ['commits', (db) => sql`commit`.execute(db)],
  ['rolls back', (db) => sql` ROLLBACK`.execute(db)],
  ['hides a commit behind a comment', (db) => sql`/* note */ commit`.execute(db)],
  ['hides a commit behind a comment in a comment', (db) => sql`/* one /* two */ */ commit`.execute(db)],
  ['hides a commit behind a line of its own', (db) => sql.raw('-- note\rcommit').execute(db)],
  ['lets SQLite roll back', (db) => db.insertInto('kept_notes').values({ key: '1', text: '1' }).orRollback().execute()],
  ['hides a commit behind another statement', (db) => sql`select 1; commit`.execute(db)],
])('a run that %s is taken back: the transaction is its plan’s', async (_name, ends) => {
  const { engine, written } = await openKept()
  const { preview, apply } = engine((ctx) => ends(inside(ctx)))
  expect((await apply(await preview('one'))).outcome).toBe('failed')
  expect(await written()).toStrictEqual([])
})

test('of a run that goes on as if a statement of its had not failed nothing is left on PostgreSQL', async () => {
  const { engine, written } = await openKept()
  const conduct: Conduct = async (ctx, input) => {
    await sql`select * from nowhere`.execute(inside(ctx)).catch(() => undefined)
    return answers(ctx, input)
  }
  const { preview, apply } = engine(conduct)
  const answer = await apply(await preview('one'))
  // SQLite takes back the statement alone.
  expect(answer.outcome).toBe(present === 'postgres' ? 'failed' : 'applied')
  expect(answer.guidance?.error_type).toBe(present === 'postgres' ? 'tool_error' : undefined)
  expect(await written()).toStrictEqual(present === 'postgres' ? [] : ['one'])
})

test('a run that comes back before its statements have ended is taken back, whatever it answers', async () => {
  const { engine, written } = await openKept()
  const conduct: Conduct = (ctx, input) => {
    const more = async (): Promise<void> => {
      for (let at = 0; at < 20; at += 1)
        await inside(ctx)
          .insertInto('kept_notes')
          .values({ key: `${at}`, text: 'unawaited' })
          .execute()
    }
    more().catch(() => undefined)
    return answers(ctx, input)
  }
  const { preview, apply } = engine(conduct)
  const answer = await apply(await preview('one'))
  expect(answer).toMatchObject({ outcome: 'failed' })
  expect(everythingShown(answer)).toMatch(nothingChanged)
  expect(await written()).toStrictEqual([])
})

test.runIf(present === 'sqlite')(
  'where SQLite ends the transaction by itself, nothing is written behind it',
  async () => {
    const { store, db, engine, written } = await openKept()
    await db.insertInto('kept_notes').values({ key: 'first', text: 'one' }).execute()
    await sql`create trigger kept_once before insert on kept_notes when new.text = 'one' begin
      select raise(rollback, 'there is one'); end`.execute(db)
    const conduct: Conduct = async (ctx, input) => {
      const insert = (text: string) => inside(ctx).insertInto('kept_notes').values({ key: text, text })
      for (const statement of [insert('one'), insert('after')]) await statement.execute().catch(() => undefined)
      return answers(ctx, input)
    }
    const { preview, apply } = engine(conduct)
    const shown = await preview('two')
    const answer = await apply(shown)
    expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
    expect(everythingShown(answer)).toMatch(nothingChanged)
    expect(await written()).toStrictEqual(['one'])
    expect(await stateOf(store, shown)).toBe('failed')
  },
)

test('what only the commit finds wrong is the tool’s failure, not the database’s, and is told once', async () => {
  const { store, db, engine, written } = await openKept()
  await sql`create table kept_pages (id text primary key)`.execute(db)
  await sql`create table kept_marks (page text references kept_pages (id) deferrable initially deferred)`.execute(db)
  let runs = 0
  const conduct: Conduct = async (ctx, input) => {
    runs += 1
    if (input.text === 'torn') await sql`insert into kept_marks (page) values ('no such page')`.execute(inside(ctx))
    return answers(ctx, input)
  }
  const { preview, apply } = engine(conduct)
  const shown = await preview('torn')
  const [torn, whole] = await Promise.all([apply(shown), preview('whole').then(apply)])
  expect(torn).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
  expect(everythingShown(torn)).toMatch(nothingChanged)
  expect(whole.outcome).toBe('applied')
  expect(await written()).toStrictEqual(['whole'])
  expect(await stateOf(store, shown)).toBe('failed')
  const before = runs
  expect((await apply(shown)).outcome).not.toBe('applied')
  expect(runs).toBe(before)
})

test.runIf(present === 'postgres')('a statement that waits for ever is ended, and its run taken back', async () => {
  const { store, engine, written } = await openKept()
  const { preview, apply } = engine((ctx) => sql`select pg_sleep(10000)`.execute(inside(ctx)))
  const shown = await preview('one')
  const answer = await apply(shown)
  expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
  expect(await stateOf(store, shown)).toBe('failed')
  expect(everythingShown(answer)).toMatch(nothingChanged)
  expect(await written()).toStrictEqual([])
})

test.runIf(present === 'postgres')('what a deferred trigger raises is the tool’s failure as well', async () => {
  const { store, db, engine, written } = await openKept()
  await sql`create function refuse_note() returns trigger language plpgsql as
    $$ begin raise exception 'no more notes'; end $$`.execute(db)
  onTestFinished(async () => void (await sql`drop function refuse_note() cascade`.execute(db)))
  await sql`create constraint trigger refuse_note after insert on kept_notes
    deferrable initially deferred for each row execute function refuse_note()`.execute(db)
  const { preview, apply } = engine(answers)
  const shown = await preview('one')
  expect(await apply(shown)).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
  expect(await written()).toStrictEqual([])
  expect(await stateOf(store, shown)).toBe('failed')
})

test('what is answered is how the run ended that was committed, not one that came after it', async () => {
  const { store, engine, written } = await openKept()
  // As where the answer of a commit is lost, and the next try of the run as well.
  const ledger: Store['plans'] = {
    ...store.plans,
    runInTransaction: (id, owner, work) =>
      store.plans.runInTransaction(id, owner, {
        ...work,
        run: async (...asked) => {
          const ending = await work.run(...asked)
          work.crashed(new Error('the cable'))
          return ending
        },
      }),
  }
  const { preview, apply } = engine(answers, { ledger })
  const shown = await preview('one')
  expect(await apply(shown)).toMatchObject({ outcome: 'applied', result: { text: 'one' } })
  expect(await stateOf(store, shown)).toBe('applied')
  expect(await written()).toStrictEqual(['one'])
})

test('where nobody hears what became of the commit, the answer says that it is not known, and a repeat finds out', async () => {
  const { store, engine, written } = await openKept()
  const ledger: Store['plans'] = {
    ...store.plans,
    runInTransaction: async (...run) => {
      await store.plans.runInTransaction(...run)
      throw new StoreAway('unknown', new Error('the cable'))
    },
  }
  const shown = await engine(answers).preview('one')
  const answer = await engine(answers, { ledger }).apply(shown)
  expect(answer).toMatchObject({ outcome: 'outcome_unknown' })
  expect(everythingShown(answer)).toMatch(/written as a whole, or not at all/)
  expect((await engine(answers).apply(shown)).outcome).toBe('replayed')
  expect(await written()).toStrictEqual(['one'])
})

test('an event with a name that is not for tools is the tool’s failure, and is told once', async () => {
  const { store, engine, written } = await openKept()
  let runs = 0
  const { preview, apply } = engine(async (ctx, input) => {
    runs += 1
    await ctx.audit('plan.claimed:pl_1', {})
    return answers(ctx, input)
  })
  const shown = await preview('one')
  expect(await apply(shown)).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
  const before = runs
  expect((await apply(shown)).outcome).not.toBe('applied')
  expect(runs).toBe(before)
  expect(await written()).toStrictEqual([])
  expect(await stateOf(store, shown)).toBe('failed')
})

test('what takes long runs alone, so that a freeze finds its turn between two of them', async () => {
  const { store, engine, written } = await openKept()
  let whole = 0
  let freezing: Promise<unknown> | undefined
  const { preview, apply } = engine(async (ctx, input) => {
    await wait(80)
    // Refused where the run is over: it had shared a transaction and took too long for that.
    await inside(ctx).selectFrom('kept_notes').select('key').execute()
    whole += 1
    if (whole === 6) freezing = store.switches.freeze({ tenant: undefined, reason: 'Stop everything.', by: 'ops' })
    return answers(ctx, input)
  })
  const previews = await Promise.all(Array.from({ length: 12 }, (_, at) => preview(`note ${at}`)))
  const outcomes = (await Promise.all(previews.map(apply))).map(({ outcome }) => outcome)
  await freezing
  const then = await written()
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(then.length)
  expect(then.length).toBeGreaterThan(0)
  expect(then.length).toBeLessThan(previews.length)
})

test.runIf(present === 'postgres')(
  'a freeze that falls while it runs waits for nothing, and takes it back',
  async () => {
    const { store, engine, written } = await openKept()
    const conduct: Conduct = async (ctx, input) => {
      await store.switches.freeze({ tenant: undefined, reason: 'Stop everything.', by: 'ops' })
      return answers(ctx, input)
    }
    const { preview, apply } = engine(conduct)
    const shown = await preview('one')
    expect(await apply(shown)).toMatchObject({ outcome: 'refused' })
    expect(await written()).toStrictEqual([])
    expect(await stateOf(store, shown)).toBe('cancelled')
  },
)

test('what a run adds to its row once it is over is refused, not lost', async () => {
  const { engine } = await openKept()
  let late: RunContext | undefined
  const { preview, apply } = engine((ctx, input) => {
    late = ctx
    return answers(ctx, input)
  })
  expect((await apply(await preview('one'))).outcome).toBe('applied')
  await expect(late?.audit('note.late', {})).rejects.toThrow('The run is over')
})

test('a hundred applies of one plan at once write one note, and all the others hear of it', async () => {
  const { store, engine, written } = await openKept()
  const first = engine(answers)
  const others = [first, engine(answers, { owner: 'process two' })]
  const shown = await first.preview('one')
  const told = await Promise.all(
    Array.from({ length: 100 }, (_, at) => (others[at % others.length] ?? first).apply(shown)),
  )
  const outcomes = Map.groupBy(told, ({ outcome }) => outcome)
  expect(outcomes.get('applied')).toHaveLength(1)
  expect(outcomes.get('replayed')).toHaveLength(99)
  expect(await written()).toStrictEqual(['one'])
  expect(await stateOf(store, shown)).toBe('applied')
})

/** Steps of several people and processes on one store, each of which may go wrong. */
const steps = fc.array(
  fc.record({
    note: fc.nat(2),
    process: fc.nat(1),
    conduct: fc.constantFrom('answers', 'throws', 'refuses', 'is stale', 'is cancelled'),
    together: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

test('whatever happens to applies in whatever order, what was written is what was said to be applied', async () => {
  const { store, db, engine, written } = await openKept()
  let conduct = 'answers'
  const behaves: Conduct = (ctx, input) => {
    if (conduct === 'throws') throw new Error('It broke.')
    if (conduct === 'refuses') return ctx.fail('book_full', 'There is no page left.')
    if (conduct === 'is stale') return ctx.stale()
    return answers(ctx, input)
  }
  const processes = [engine(behaves), engine(behaves, { owner: 'process two' })]
  let round = 0
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      round += 1
      await db.deleteFrom('kept_notes').execute()
      const [one] = processes
      if (one === undefined) return
      const texts = [0, 1, 2].map((at) => `note ${at} of round ${round}`)
      const plans = await Promise.all(texts.map((text) => one.preview(text)))
      const applied = new Set<number>()
      let running: Promise<void>[] = []
      for (const step of taken) {
        const { note, together } = step
        const shown = plans[note]
        const process = processes[step.process]
        if (shown === undefined || process === undefined) continue
        if (!together) {
          await Promise.all(running)
          running = []
        }
        if (running.length === 0) ({ conduct } = step)
        if (step.conduct === 'is cancelled' && shown.planId !== undefined) await store.plans.cancel(shown.planId)
        running.push(
          process.apply(shown).then(({ outcome }) => {
            if (outcome === 'applied' || outcome === 'replayed') applied.add(note)
            expect(outcome).not.toBe('outcome_unknown')
            expect(outcome).not.toBe('running')
          }),
        )
      }
      await Promise.all(running)
      const said = texts.filter((_, at) => applied.has(at))
      expect(await written()).toStrictEqual(said)
      for (const [at, shown] of plans.entries())
        expect((await stateOf(store, shown)) === 'applied').toBe(applied.has(at))
    }),
    { numRuns: runsOf(40) },
  )
})
