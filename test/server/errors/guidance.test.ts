// Every failure that the engine knows, once, as it is told.
import { describe, expect, test } from 'vitest'
import type { Failure, RefusalReason } from '../../../server/errors/failure.ts'
import { toPointer } from '../../../server/errors/pointer.ts'
import { guidanceFor } from '../../../server/errors/table.ts'
import { each } from './each-failure.ts'

const tool = 'orders_create'

const reasons: { readonly [Reason in RefusalReason]: RegExp } = {
  unknown: /waiting for confirmation/,
  reference: /the ticket that only the card has/,
  malformed: /must be copied whole/,
  cancelled: /cancelled/,
  expired: /expired/,
  superseded: /newer preview/,
  failed: /failed without effect/,
  stale: /has changed/,
  rejected: /reject/i,
  revoked: /./,
}

/** A sentence may begin with the name of a tool, which is no word of ours to spell. */
const sentence = /^(?:[A-Z“"]|orders_create ).*[.!?…")]$/s

describe('guidance', () => {
  test.each(Object.values(each))('of $kind says what happened, why, and what is next', (failure) => {
    const guidance = guidanceFor(failure)
    expect(guidance.error_type).toMatch(/^[a-z][a-z_]*$/)
    expect(guidance.message).toMatch(sentence)
    expect(guidance.cause.length).toBeGreaterThan(5)
    expect(guidance.actionable_guidance.length).toBeGreaterThanOrEqual(1)
    for (const step of guidance.actionable_guidance) expect(step).toMatch(sentence)
    expect(['no', 'after_change', 'after_wait']).toContain(guidance.retryable)
    expect(guidance.evidence).toMatchObject({
      source: expect.any(String) as string,
      rule: expect.stringMatching(/\w/) as string,
    })
    // It crosses a wire, and comes back the same.
    expect(JSON.parse(JSON.stringify(guidance))).toStrictEqual(guidance)
  })

  test.each(Object.values(each))('of $kind has exactly the fields that are promised', (failure) => {
    const promised = [
      'error_type',
      'category',
      'message',
      'cause',
      'actionable_guidance',
      'fix',
      'retryable',
      'field_errors',
      'related_docs',
      'code_examples',
      'evidence',
    ]
    const { retry_after_seconds: _, ...rest } = guidanceFor(failure)
    expect(Object.keys(rest).toSorted()).toStrictEqual(promised.toSorted())
  })

  test('waiting is only advised with how long', () => {
    for (const failure of Object.values(each)) {
      const guidance = guidanceFor(failure)
      if (guidance.retryable === 'after_wait') expect(guidance.retry_after_seconds).toBeGreaterThan(0)
    }
  })

  test.each(Object.entries(reasons))(
    'of a plan that is %s says why, and never more to act on than a fresh preview',
    (reason, why) => {
      const guidance = guidanceFor({ kind: 'plan-refused', tool, reason: reason as RefusalReason })
      expect(guidance.cause).toMatch(why)
      expect(guidance.message).toMatch(/^Nothing was run/)
      expect(guidance.actionable_guidance[0]?.length).toBeGreaterThan(10)
    },
  )

  test('a cancelled or rejected plan is not tried again', () => {
    expect(guidanceFor({ kind: 'plan-refused', tool, reason: 'cancelled' }).retryable).toBe('no')
    expect(guidanceFor({ kind: 'plan-refused', tool, reason: 'rejected' }).retryable).toBe('no')
  })

  test('only failures that are certain to be without effect say that nothing was changed', () => {
    const claims = (failure: Failure): boolean =>
      /nothing was (?:changed|run)/i.test(JSON.stringify(guidanceFor(failure)))
    expect(claims(each['outcome-unknown'])).toBe(false)
    expect(claims({ ...each['tool-failed'], during: 'before' })).toBe(true)
    // Its own call did nothing; of an earlier one it cannot know.
    expect(JSON.stringify(guidanceFor(each['store-unavailable']))).toContain('Nothing was changed by this call')
  })

  test('a mismatch says the confirmed value to go back to', () => {
    expect(guidanceFor(each.mismatch)).toMatchObject({
      fix: [{ kind: 'edit_arguments', pointer: '/quantity', to: 2 }],
      field_errors: [{ pointer: '/quantity', received: 20, allowed: expect.stringContaining('2') as string }],
    })
  })

  test('a mismatch names no more fields than any error, and quotes none of them whole', () => {
    const long = (letter: string) => letter.repeat(100_000)
    const fields = Array.from({ length: 50 }, (_, i) => ({
      pointer: `/lines/${i}`,
      confirmed: long('x'),
      received: { text: long('y') },
    }))
    const guidance = guidanceFor({ kind: 'mismatch', tool, fields })
    expect(guidance.field_errors).toHaveLength(20)
    expect(guidance.fix).toHaveLength(20)
    expect(guidance.fix[0]).toStrictEqual({
      kind: 'edit_arguments',
      pointer: '/lines/0',
      why: 'this is what was confirmed',
    })
    expect(guidance.message).toMatch(/and others\)\.$/)
    expect(guidance.cause).toMatch(/and others$/)
    expect(JSON.stringify(guidance).length).toBeLessThan(20_000)
  })

  test('a suggested call comes with a rationale, so that it can be made as it stands', () => {
    const [call] = guidanceFor(each['tool-failed']).fix
    expect(call).toMatchObject({
      kind: 'call_tool',
      tool: 'products_search',
      arguments: { text: 'desk', rationale: expect.stringMatching(/^.{10,500}$/) as string },
    })
  })

  test('an answer is never many times as large as its question', () => {
    const fields = Array.from({ length: 50_000 }, (_, i) => ({
      pointer: `/lines/${i}`,
      received: 'x'.repeat(200),
      allowed: 'a number',
    }))
    expect(JSON.stringify(guidanceFor({ ...each['invalid-arguments'], fields })).length).toBeLessThan(30_000)
    const long = {
      ...each['invalid-arguments'],
      fields: [{ pointer: '/a', received: 'x'.repeat(1_000_000), allowed: 'less' }],
    }
    expect(guidanceFor(long).cause.length).toBeLessThan(1000)
  })
})

test.each([
  [[], ''],
  [['a', 0, 'b'], '/a/0/b'],
  [['a/b', 'c~d', '~1', ''], '/a~1b/c~0d/~01/'],
])('the path %j is the JSON Pointer %j', (path, pointer) => {
  expect(toPointer(path)).toBe(pointer)
})
