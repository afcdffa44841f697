// PostgreSQL is restarted, crashes, or an administrator ends our connections, in the middle of applies. Whatever happens:
// no plan runs twice, no ending that somebody heard of is lost, and what is not certain is said to be so.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { call } from '../../server/call/call.ts'
import type { Answer } from '../../server/call/outcome.ts'
import type { Road } from '../../server/call/request.ts'
import { openStore, type Store } from '../../server/store/store.ts'
import { testSecret } from '../postgres.ts'
import { asAdministrator, createDatabase, startPostgres, type PostgresServer } from '../postgres-server.ts'
import { caller, confirmed, createRoad, noteTool, why } from '../server/call/stage.ts'
import { parseApply } from '../../server/confirm/message.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres({ durable: true })
})
afterAll(() => server.stop())

interface Scene {
  readonly road: Road & { readonly reports: string[] }
  readonly store: Store
  readonly url: string
  /** What was really done, in order. */
  readonly book: { key: string; text: string }[]
  preview(text: string): Promise<Answer>
  apply(preview: Answer): Promise<Answer>
  /** Ends every connection to the database, as an administrator may. */
  cut(): Promise<void>
}

const scene = async (settings: Partial<Road['settings']> = {}, slowMs = 20): Promise<Scene> => {
  const database = await createDatabase(server.url)
  const opened = await openStore({ file: database.url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })
  const book: { key: string; text: string }[] = []
  const tool = noteTool(book, {
    run: async ({ text }: { text: string }, ctx: { idempotencyKey: string }) => {
      await sleep(slowMs)
      book.push({ key: ctx.idempotencyKey, text })
      return { id: `N-${text}`, text }
    },
  })
  const road = {
    ...createRoad({ tools: [tool], ledger: store.plans, now: store.now, settings }),
    journal: store.journal,
  }
  const send = (name: string, args: unknown): Promise<Answer> =>
    call(road, { tool: name, args, caller: caller(), signal: new AbortController().signal })
  return {
    road,
    store,
    url: database.url,
    book,
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
const settled = async (stage: Scene, previews: readonly Answer[], answers: readonly Answer[]) => {
  const { store, book } = stage
  for (const [at, preview] of previews.entries()) {
    const id = preview.planId ?? ''
    const ran = book.filter(({ key }) => key === id).length
    const heard = answers[at]?.outcome
    expect(ran, `runs of ${id}, answered ${heard}`).toBeLessThanOrEqual(1)
    if (ran === 1) {
      // It ran once: whoever heard something else heard that it is not certain, and the record knows by now.
      expect(['applied', 'replayed', 'outcome_unknown']).toContain(heard)
      await vi.waitFor(
        async () => expect(await store.plans.find({ by: 'id', id })).toMatchObject({ state: 'applied' }),
        { timeout: 20_000, interval: 200 },
      )
      expect((await stage.apply(preview)).outcome).toBe('replayed')
    } else {
      expect(heard).toBe('failed')
      expect(answers[at]?.guidance).toMatchObject({ error_type: 'store_unavailable', retryable: 'after_wait' })
    }
    expect(book.filter(({ key }) => key === id).length).toBe(ran)
  }
  const reports = await store.activity.verify()
  expect(reports.flatMap((report) => report.problem ?? [])).toStrictEqual([])
}

const several = (stage: Scene, count: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => stage.preview(`note ${at}`)))

describe('in the middle of applies', () => {
  test('connections that are ended again and again cost nobody anything', { timeout: 120_000 }, async () => {
    const stage = await scene()
    const previews = await several(stage, 60)
    const cutting = (async () => {
      for (let times = 0; times < 12; times++) {
        await stage.cut()
        await sleep(40)
      }
    })()
    const answers = await Promise.all(
      previews.map(async (preview, at) => {
        await sleep(at * 10)
        return stage.apply(preview)
      }),
    )
    await cutting
    await settled(stage, previews, answers)
    // The server was there all the time, so a second try always came through.
    expect(new Set(answers.map(({ outcome }) => outcome))).toStrictEqual(new Set(['applied']))
  })

  test.each(['halt', 'crash'] as const)(
    'a server that stops (%s) and comes back loses nothing and does nothing twice',
    { timeout: 120_000 },
    async (way) => {
      const stage = await scene({}, 100)
      const previews = await several(stage, 40)
      const applying = Promise.all(
        previews.map(async (preview, at) => {
          await sleep(at * 15)
          return stage.apply(preview)
        }),
      )
      await sleep(250)
      await server[way]()
      await sleep(700)
      await server.resume()
      await settled(stage, previews, await applying)
    },
  )
})

describe('a server that stays away', () => {
  test(
    'is answered in time: nothing was run, or it is not known; and the record learns of it later',
    { timeout: 120_000 },
    async () => {
      const stage = await scene({ leaseMs: 1500 }, 300)
      const [running, waiting] = await several(stage, 2)
      if (running === undefined || waiting === undefined) throw new Error('no previews')
      const begun = stage.apply(running)
      await vi.waitFor(async () =>
        expect(await stage.store.plans.find({ by: 'id', id: running.planId ?? '' })).toMatchObject({
          state: 'applying',
        }),
      )
      await server.halt()
      try {
        const [first, second] = await Promise.all([begun, stage.apply(waiting)])
        expect(first).toMatchObject({ outcome: 'outcome_unknown' })
        expect(first.text).toContain('could not record it')
        expect(second).toMatchObject({ outcome: 'failed', guidance: { error_type: 'store_unavailable' } })
        expect(second.text).toContain('Nothing was changed by this call')
      } finally {
        await server.resume()
      }
      expect(stage.book).toHaveLength(1)
      await vi.waitFor(async () => expect((await stage.apply(running)).outcome).toBe('replayed'), {
        timeout: 30_000,
        interval: 500,
      })
      expect((await stage.apply(waiting)).outcome).toBe('applied')
      expect(stage.book).toHaveLength(2)
    },
  )
})
