// An ending that cannot be recorded, that comes too late, or that nobody saw. The effect may be there, so no answer may
// say that nothing was changed, and nothing may run a second time to find out.
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PlanStore } from '../../../server/model/plan-store.ts'
import { MINUTE } from '../../kit/clock.ts'
import {
  applyNote,
  confirmed,
  everythingShown,
  type NoteContract,
  nothingChanged,
  openBook,
  previewAgainMessage,
  type Stage,
  throwDiskError,
} from './rail-fixture.ts'

describe('a store that fails', () => {
  /** A ledger whose methods fail while `down` names them. */
  const failing = (): { down: Set<keyof PlanStore>; wrap: (ledger: PlanStore) => PlanStore } => {
    const down = new Set<keyof PlanStore>()
    const wrap = (ledger: PlanStore): PlanStore => {
      const method = <K extends keyof PlanStore>(name: K): PlanStore[K] =>
        ((...args: Parameters<PlanStore[K]>) =>
          down.has(name)
            ? Promise.reject(new Error('the disk is gone'))
            : (ledger[name] as (...args: Parameters<PlanStore[K]>) => unknown)(...args)) as PlanStore[K]
      return Object.fromEntries(
        Object.keys(ledger).map((name) => [name, method(name as keyof PlanStore)]),
      ) as unknown as PlanStore
    }
    return { down, wrap }
  }

  test.each(['find', 'claim'] as const)(
    'at "%s": nothing ran, this call says so, and the plan can still be applied',
    async (name) => {
      const { down, wrap } = failing()
      const { stage, book } = await openBook({}, { wrap })
      const preview = await stage.ask('notes_write', { text: 'x' })
      down.add(name)
      const answer = await stage.repeat(confirmed(preview))
      expect(answer).toMatchObject({
        outcome: 'failed',
        guidance: { error_type: 'store_unavailable', retryable: 'after_wait' },
      })
      expect(answer.text).toContain('by this call')
      expect(book).toStrictEqual([])
      down.clear()
      expect((await stage.repeat(confirmed(preview))).outcome).toBe('applied')
    },
  )

  test('at "holds", the last step before the run: nothing runs, now or later', async () => {
    const { down, wrap } = failing()
    const { stage, book } = await openBook({}, { wrap })
    const preview = await stage.ask('notes_write', { text: 'x' })
    down.add('holds')
    expect(await stage.repeat(confirmed(preview))).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'store_unavailable' },
    })
    down.clear()
    const again = await stage.repeat(confirmed(preview))
    expect(again.outcome).toBe('refused')
    expect(again.text).toContain('Nothing was run')
    expect(book).toStrictEqual([])
  })

  test('a store that can only be read still answers the repeat of what was applied, and runs nothing', async () => {
    const { stage, book } = await openBook()
    const [first, second] = [
      await stage.ask('notes_write', { text: 'x' }),
      await stage.ask('notes_write', { text: 'y' }),
    ]
    expect((await stage.repeat(confirmed(first))).outcome).toBe('applied')
    Object.assign(stage.engine, {
      activityLog: {
        ...stage.store.activityLog,
        start: () => ({ id: 'ac_none', written: Promise.reject(new Error('disk full')) }),
      },
    })
    expect(await stage.repeat(confirmed(first))).toMatchObject({ outcome: 'replayed', result: { id: 'N-1' } })
    expect(await stage.repeat(confirmed(second))).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'store_unavailable' },
    })
    expect(
      await stage.send('notes_write', { text: 'z', rationale: 'None of these was confirmed.', preview: false }),
    ).toMatchObject({ outcome: 'failed' })
    expect(book).toHaveLength(1)
  })

  test('at "open": there is no preview that could be confirmed', async () => {
    const { down, wrap } = failing()
    const { stage } = await openBook({}, { wrap })
    down.add('open')
    expect(await stage.ask('notes_write', { text: 'x' })).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'store_unavailable' },
    })
  })

  test.each(['finish', 'finish and find'])(
    'at "%s", after the write: the outcome is not known to anyone, and the answer tells what is',
    async (names) => {
      const { down, wrap } = failing()
      const { stage, book } = await openBook(
        {
          run: (input, ctx) => {
            book.push({ key: ctx.idempotencyKey, text: input.text })
            for (const name of names.split(' and ')) down.add(name as keyof PlanStore)
            return { id: 'N-1', text: input.text }
          },
        },
        { wrap },
      )
      const preview = await stage.ask('notes_write', { text: 'x' })
      const message = confirmed(preview)
      const answer = await stage.repeat(message)
      expect(answer).toMatchObject({ outcome: 'outcome_unknown', planId: preview.planId, card: { state: 'unknown' } })
      expect(answer.text).toContain('"id":"N-1"')
      expect(answer.text).toContain('could not record it')
      expect(everythingShown(answer)).not.toMatch(nothingChanged)
      expect(book).toHaveLength(1)

      down.clear()
      expect((await stage.repeat(message)).outcome).toBe('running')
      stage.clock.pass(MINUTE)
      expect((await stage.repeat(message)).outcome).toBe('outcome_unknown')
      expect(book).toHaveLength(1)
    },
  )

  test('at the first two tries to record an ending: the third counts', async () => {
    let tries = 0
    const { stage } = await openBook(
      {},
      {
        wrap: (ledger) => ({
          ...ledger,
          finish: (...args) => ((tries += 1) < 3 ? Promise.reject(new Error('busy')) : ledger.finish(...args)),
        }),
      },
    )
    expect((await applyNote(stage)).outcome).toBe('applied')
    expect(tries).toBe(3)
  })
})

describe('a run that lasts longer than anybody waits', () => {
  afterEach(() => void vi.useRealTimers())

  test.each([false, true])('is not known; its late end is recorded (the store fails meanwhile: %j)', async (fails) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    let end: (() => void) | undefined
    let down = false
    let aborted = false
    const { stage } = await openBook(
      {
        run: (input, ctx) =>
          new Promise((resolve) => {
            end = () => resolve({ id: 'N-late', text: input.text })
            ctx.signal.addEventListener('abort', () => {
              aborted = true
            })
          }),
      },
      {
        wrap: (ledger) => ({
          ...ledger,
          finish: (...args) => (down ? Promise.reject(new Error('gone')) : ledger.finish(...args)),
        }),
      },
    )
    const preview = await stage.ask('notes_write', { text: 'x' })
    const waiting = stage.repeat(confirmed(preview))
    await vi.waitFor(() => expect(end).toBeDefined())
    down = fails
    await vi.advanceTimersByTimeAsync(MINUTE)
    const answer = await waiting
    expect(answer).toMatchObject({ outcome: 'outcome_unknown' })
    expect(answer.text).toContain('60 seconds')
    expect(everythingShown(answer)).not.toMatch(nothingChanged)
    expect(aborted).toBe(true)
    down = false
    end?.()
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    await vi.waitFor(async () =>
      expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'replayed', result: { id: 'N-late' } }),
    )
  })
})

describe('a process that sleeps for longer than its lease', () => {
  /** Others take the silent run for lost, look for its effect, find none, and say so twice. */
  const denied = async (stage: Stage, message: string): Promise<void> => {
    for (let times = 0; times < 2; times++) {
      stage.clock.pass(stage.engine.settings.leaseMs)
      await stage.repeat(message)
    }
    expect((await stage.repeat(message)).text).toContain('failed without effect')
  }
  const sleeper = () => {
    let wake: (() => void) | undefined
    return { nap: () => new Promise<void>((resolve) => (wake = resolve)), wake: () => wake?.(), asleep: () => wake }
  }

  test('before its run: it does not start, and says that nothing was run', async () => {
    const { nap, wake, asleep } = sleeper()
    let first = true
    const { stage, book } = await openBook({
      basis: async () => {
        // The preview reads it, too.
        if (!first) await nap()
        first = false
        return '1'
      },
      reconcile: () => ({ kind: 'not-applied' }),
    })
    const message = confirmed(await stage.ask('notes_write', { text: 'x' }))
    const applying = stage.repeat(message)
    await vi.waitFor(() => expect(asleep()).toBeDefined())
    await denied(stage, message)
    wake()
    expect(await applying).toMatchObject({ outcome: 'refused' })
    expect(book).toStrictEqual([])
    expect((await stage.repeat(message)).text).toContain('failed without effect')
  })

  test.each(['applied', 'unknown'] as const)(
    'in the middle of it, and ends %s: that is what the record says, and that it was corrected',
    async (end) => {
      const { nap, wake, asleep } = sleeper()
      const { stage, book } = await openBook({
        run: async (input, ctx) => {
          await nap()
          book.push({ key: ctx.idempotencyKey, text: input.text })
          if (end === 'unknown') throw new Error('The pen broke.')
          return { id: 'N-1', text: input.text }
        },
        reconcile: () => ({ kind: book.length > 0 ? 'unknown' : 'not-applied' }),
      })
      const engine = Object.assign(stage.engine, { activityLog: stage.store.activityLog })
      const preview = await stage.ask('notes_write', { text: 'x' })
      const applying = stage.repeat(confirmed(preview))
      await vi.waitFor(() => expect(asleep()).toBeDefined())
      await denied(stage, confirmed(preview))
      wake()
      expect((await applying).outcome).toBe(end === 'applied' ? 'applied' : 'outcome_unknown')
      expect((await stage.repeat(confirmed(preview))).outcome).toBe(end === 'applied' ? 'replayed' : 'outcome_unknown')
      const story = await stage.store.activity.story(preview.planId ?? '')
      expect(story.flatMap(({ events }) => events.map(({ name, data }) => [name, data]))).toStrictEqual([
        ['plan.corrected', JSON.stringify({ plan: preview.planId, was: 'failed', is: end })],
      ])
      expect(book).toHaveLength(1)
      expect(engine.reports.length).toBe(end === 'applied' ? 0 : 1)
    },
  )
})

describe('what a reconcile finds out about a run whose end nobody saw', () => {
  const started = async (
    reconcile: NonNullable<NoteContract['reconcile']>,
  ): Promise<{ stage: Stage; message: string }> => {
    const { stage } = await openBook({ run: () => throwDiskError(), reconcile })
    const message = confirmed(await stage.ask('notes_write', { text: 'x' }))
    expect((await stage.repeat(message)).outcome).toBe('outcome_unknown')
    return { stage, message }
  }

  test('applied: replayed with its result, from then on', async () => {
    let asked = 0
    const { stage, message } = await started(() => {
      asked += 1
      return { kind: 'applied', result: { id: 'N-9', text: 'x' } }
    })
    for (let i = 0; i < 2; i++)
      expect(await stage.repeat(message)).toMatchObject({ outcome: 'replayed', result: { id: 'N-9' } })
    expect(asked).toBe(1)
  })

  test('not applied: not believed while the run might only be slow, and final a lease later', async () => {
    const { stage, message } = await started(() => ({ kind: 'not-applied' }))
    const answer = await stage.repeat(message)
    expect(answer).toMatchObject({ outcome: 'outcome_unknown' })
    expect(answer.text).toContain('finds no effect')
    stage.clock.pass(stage.engine.settings.leaseMs)
    const last = await stage.repeat(message)
    expect(last).toMatchObject({ outcome: 'refused', card: { state: 'refused' } })
    expect(last.text).toContain('failed without effect')
    expect(previewAgainMessage(last) ?? last.text).toContain('notes_write')
  })

  test.each<[string, NonNullable<NoteContract['reconcile']>]>([
    ['unknown', () => ({ kind: 'unknown' })],
    ['an exception', () => throwDiskError()],
  ])('%s: still not known, and still not run again', async (_, reconcile) => {
    const { stage, message } = await started(reconcile)
    stage.clock.pass(MINUTE)
    expect((await stage.repeat(message)).outcome).toBe('outcome_unknown')
  })
})
