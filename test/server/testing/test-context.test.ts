// The functions of a contract, called as a unit test calls them.
import { expect, expectTypeOf, test } from 'vitest'
import { testContext } from '../../../server/testing/index.ts'
import type { RunContext } from '../../../server/tools/contract.ts'

test('a context has everything that a contract may ask for, and a clock that stands still', () => {
  const ctx = testContext()
  expect(ctx).toMatchObject({ principal: { tenant: 'default', subject: 'tester' }, language: 'en', basis: undefined })
  expect(ctx.now()).toBe(ctx.now())
  expect(ctx.signal.aborted).toBe(false)
  expect(ctx.fail('locked', 'It is locked.', { fields: [] })).toEqual({
    kind: 'tool-failed',
    code: 'locked',
    message: 'It is locked.',
    fields: [],
  })
  expect(ctx.stale()).toEqual({ kind: 'tool-stale' })
})

test('what a test says takes the place of the defaults', () => {
  const stopped = AbortSignal.abort()
  const ctx = testContext({
    principal: { tenant: 'acme', subject: 'ada' },
    basis: 'v7',
    now: 1000,
    cancelled: stopped,
    language: 'de',
  })
  expect(ctx).toMatchObject({ principal: { subject: 'ada' }, basis: 'v7', cancelled: stopped, language: 'de' })
  expect(ctx.now()).toBe(1000)
  let clock = 5
  expect(testContext({ now: () => clock++ }).now()).toBe(5)
})

test('what a function says is kept in order', async () => {
  const ctx = testContext()
  ctx.progress({ progress: 1, total: 2 })
  ctx.progress({ progress: 2, total: 2, message: 'done' })
  await ctx.audit('mail.sent', { to: 'ada' })
  await ctx.audit('mail.counted')
  ctx.log.warn('slow', { ms: 9 })
  expect(ctx.said).toEqual({
    progress: [
      { progress: 1, total: 2 },
      { progress: 2, total: 2, message: 'done' },
    ],
    audit: [
      { event: 'mail.sent', data: { to: 'ada' } },
      { event: 'mail.counted', data: {} },
    ],
    conclusions: [],
    log: [{ level: 'warn', message: 'slow', ms: 9 }],
  })
})

test('it fits the functions of a contract with failures of its own', () => {
  expectTypeOf(testContext<'too_long'>()).toExtend<RunContext<'too_long'>>()
  expectTypeOf(testContext()).toExtend<RunContext<'too_long'>>()
})
