// What a card is told of its call while that runs: for how long, how far it has got, and whether it can be cancelled.
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { CancelledOnCard, createRunningCalls } from '../../../server/rail/apply/running-calls.ts'
import type { RunContext } from '../../../server/tools/contract.ts'
import { confirmed, openBook, type NoteContract } from './rail-fixture.ts'

/** A note that is written as long as the test wants, with what its tool was given. */
async function slowBook(change: Partial<NoteContract>) {
  const begun = Promise.withResolvers<RunContext>()
  const goOn = Promise.withResolvers<void>()
  const { stage, book } = await openBook({
    ...change,
    async run(input, ctx) {
      begun.resolve(ctx)
      await Promise.race([
        goOn.promise,
        new Promise<void>((resolve) => ctx.cancelled.addEventListener('abort', () => resolve())),
      ])
      if (ctx.cancelled.aborted) return ctx.fail('book_full', 'It was cancelled before the note was written.')
      book.push({ key: ctx.idempotencyKey, text: input.text })
      return { id: 'N-1', text: input.text }
    },
  })
  const engine = Object.assign(stage.engine, { runningCalls: createRunningCalls() })
  const preview = await stage.ask('notes_write', { text: 'slow' })
  const applied = stage.repeat(confirmed(preview))
  return { stage, book, engine, preview, applied, ctx: await begun.promise, goOn: goOn.resolve }
}

describe('a call that runs', () => {
  test('says for how long, and how far it has got, and ends as it would have', async () => {
    const { stage, book, preview, applied, ctx, goOn } = await slowBook({})
    const before = await stage.press('countersign_plan_status', preview)
    expect(before).toMatchObject({ state: 'applying', running_ms: 0 })
    expect(before).not.toHaveProperty('progress')
    ctx.progress({ progress: 3, total: 10, message: 'words' })
    stage.clock.pass(7_000)
    expect(await stage.press('countersign_plan_status', preview)).toMatchObject({
      running_ms: 7_000,
      progress: { done: 3, total: 10, message: 'words' },
    })
    goOn()
    expect((await applied).outcome).toBe('applied')
    expect(book).toHaveLength(1)
    const after = await stage.press('countersign_plan_status', preview)
    expect(after).toMatchObject({ state: 'applied' })
    expect(Object.keys(after ?? {})).not.toContain('running_ms')
  })

  test('is cancelled on its card where its tool takes notice, and says so meanwhile', async () => {
    const { stage, book, preview, applied, ctx } = await slowBook({ cancellable: true })
    expect(await stage.press('countersign_plan_status', preview)).toMatchObject({ cancel: 'possible' })
    expect(await stage.press('countersign_plan_cancel', preview)).toMatchObject({ cancel: 'asked' })
    expect(ctx.cancelled.reason).toBeInstanceOf(CancelledOnCard)
    expect(await applied).toMatchObject({ outcome: 'failed' })
    expect(book).toEqual([])
    expect(await stage.press('countersign_plan_status', preview)).toMatchObject({ state: 'failed' })
  })

  test('goes on where its tool takes no notice of a cancel', async () => {
    const { stage, book, preview, applied, ctx, goOn } = await slowBook({})
    const asked = await stage.press('countersign_plan_cancel', preview)
    expect(asked).toMatchObject({ state: 'applying' })
    expect(asked).not.toHaveProperty('cancel')
    expect(ctx.cancelled.aborted).toBe(false)
    goOn()
    expect((await applied).outcome).toBe('applied')
    expect(book).toHaveLength(1)
  })

  test('is not cancelled by the ticket of another one, or by somebody else', async () => {
    const { stage, preview, applied, ctx, goOn } = await slowBook({ cancellable: true })
    const other = await stage.ask('notes_write', { text: 'another' })
    await stage.press('countersign_plan_cancel', other)
    const stranger = { principal: { tenant: 'default', subject: 'eve' } }
    expect(
      await stage.press('countersign_plan_cancel', preview, {
        permissions: 'all',
        client: 'test',
        cards: 'yes',
        trusted: false,
        ...stranger,
      }),
    ).toBeUndefined()
    await wait(1)
    expect(ctx.cancelled.aborted).toBe(false)
    goOn()
    expect((await applied).outcome).toBe('applied')
  })
})

test('whatever a tool reports, what is kept of it can be drawn', () => {
  fc.assert(
    fc.property(
      fc.double(),
      fc.option(fc.double(), { nil: undefined }),
      fc.option(fc.string({ maxLength: 500 }), { nil: undefined }),
      (progress, total, message) => {
        const calls = createRunningCalls()
        const call = calls.begin('pl_1', false)
        call.tell({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        })
        const kept = calls.find('pl_1')?.progress
        if (kept === undefined) return
        expect(Number.isFinite(kept.done) && kept.done >= 0).toBe(true)
        expect(kept.total === undefined || (Number.isFinite(kept.total) && kept.total > 0)).toBe(true)
        expect((kept.message ?? '').length).toBeLessThanOrEqual(200)
        call.end()
        expect(calls.find('pl_1')).toBeUndefined()
      },
    ),
  )
})
