// An engine on a PostgreSQL that is going to fail, and a book of what was really done.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { eventually } from '../../eventually.ts'
import { call } from '../../../server/rail/call.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Engine } from '../../../server/rail/engine.ts'
import type { RunContext } from '../../../server/tools/contract.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { testSecret } from '../../postgres.ts'
import { asAdministrator, createDatabase, type PostgresServer } from '../../postgres-server.ts'
import { requestOf } from '../../kit/calls.ts'
import { confirmed, createEngine, noteTool, why } from '../../server/rail/rail-fixture.ts'
import { parseApply } from '../../../server/confirm/message.ts'

export interface Scene {
  readonly engine: Engine & { readonly reports: string[] }
  readonly store: Store
  readonly url: string
  /** What was run, in order. */
  readonly book: { key: string; text: string }[]
  /** The plans whose effect is there, one for each time. */
  done(): Promise<readonly string[]>
  preview(text: string): Promise<Answer>
  apply(preview: Answer): Promise<Answer>
  /** Ends every connection to the database, as an administrator may. */
  cut(): Promise<void>
}

export const scene = async (
  server: PostgresServer,
  settings: Partial<Engine['settings']> = {},
  /** What its tool takes: so many milliseconds, or until this is over. */
  takes: number | Promise<void> = 20,
  /** Its tool writes into the store's database, in the transaction of its plan. */
  transactional = false,
): Promise<Scene> => {
  const database = await createDatabase(server.url)
  const opened = await openStore({ file: database.url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })
  const db = store.db.$extendTables<{ kept_notes: { plan: string } }>()
  await db.schema.createTable('kept_notes').addColumn('plan', 'text').execute()
  const book: { key: string; text: string }[] = []
  const tool = noteTool(book, {
    transactional,
    run: async ({ text }: { text: string }, ctx: RunContext) => {
      await ctx.transaction
        ?.$extendTables<{ kept_notes: { plan: string } }>()
        .insertInto('kept_notes')
        .values({ plan: ctx.idempotencyKey })
        .execute()
      await (typeof takes === 'number' ? sleep(takes) : takes)
      book.push({ key: ctx.idempotencyKey, text })
      return { id: `N-${text}`, text }
    },
  })
  const engine = {
    ...createEngine({ tools: [tool], ledger: store.plans, now: store.now, settings }),
    activityLog: store.activityLog,
  }
  const send = (name: string, args: unknown): Promise<Answer> => call(engine, requestOf(name, args))
  return {
    engine,
    store,
    url: database.url,
    book,
    done: async () =>
      transactional
        ? (await db.selectFrom('kept_notes').select('plan').execute()).map(({ plan }) => plan)
        : book.map(({ key }) => key),
    preview: (text) => send('notes_write', { text, rationale: why }),
    apply: (preview) => {
      const parsed = parseApply(confirmed(preview))
      if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error('not an Apply message')
      return send(parsed.value.tool, parsed.value.args)
    },
    cut: () =>
      asAdministrator(
        server.url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(database.url).pathname.slice(1)}'`,
      ),
  }
}

/** What must hold of every plan, once the database is back. */
export const settled = async (stage: Scene, previews: readonly Answer[], answers: readonly Answer[]) => {
  const { store } = stage
  for (const [at, preview] of previews.entries()) {
    const id = preview.planId ?? ''
    const timesDone = async (): Promise<number> => (await stage.done()).filter((plan) => plan === id).length
    const ran = await timesDone()
    const heard = answers[at]?.outcome
    expect(ran, `runs of ${id}, answered ${heard}`).toBeLessThanOrEqual(1)
    if (ran === 1) {
      // It ran once: whoever heard something else heard that it is not certain, and the record knows by now.
      expect(['applied', 'replayed', 'outcome_unknown']).toContain(heard)
      await eventually(async () => expect(await store.plans.find({ by: 'id', id })).toMatchObject({ state: 'applied' }))
      expect((await stage.apply(preview)).outcome).toBe('replayed')
    } else if (heard !== 'outcome_unknown') {
      expect(heard).toBe('failed')
      expect(answers[at]?.guidance).toMatchObject({ error_type: 'store_unavailable', retryable: 'after_wait' })
    }
    expect(await timesDone()).toBe(ran)
  }
  const reports = await store.activity.verify()
  expect(reports.flatMap((report) => report.problem ?? [])).toStrictEqual([])
}

export const several = (stage: Scene, count: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => stage.preview(`note ${at}`)))
