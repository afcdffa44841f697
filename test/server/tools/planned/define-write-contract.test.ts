// What a contract has that is declared by a plan, and what is refused of such a declaration.
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ContractError } from '../../../../server/tools/define-tool.ts'
import { defineRead, defineWrite } from '../../../../server/tools/planned/define-write.ts'
import { issue, sound, tracker, type Issue } from '../../../kit/tracker.ts'

type AfterOf<W extends { readonly run: (...args: never) => unknown }> = NonNullable<
  Exclude<Awaited<ReturnType<W['run']>>, { kind: string }> extends { readonly after?: infer After } ? After : never
>

describe('what follows from the name and the description', () => {
  test('stands in the contract, unless the tool says it', () => {
    const { change } = tracker()
    expect(change).toMatchObject({
      title: 'Change issue',
      noun: 'the issue',
      operation: 'destructive',
      idempotency: 'plan',
      sideEffects: [{ what: 'Changes an issue.', onRepeat: expect.stringContaining('once') }],
      failures: {
        unchanged: { effect: 'none' },
        not_found: { effect: 'none', guidance: 'Take an id from issues_list.' },
        locked: { effect: 'none' },
      },
    })
    const run = () => ({ entries: [] })
    const read = {
      description: 'Lists them.',
      input: z.strictObject({}),
      output: z.object({ entries: z.array(z.string()) }),
    }
    expect(defineRead({ ...read, name: 'entries.list', run })).toMatchObject({ title: 'List entries', risk: 'low' })
    expect(defineRead({ ...read, name: 'entries.get', title: 'Look', risk: 'medium', run })).toMatchObject({
      title: 'Look',
      risk: 'medium',
    })
    expect(defineRead({ ...read, name: 'shop.find_boxes', run }).title).toBe('Find boxes')
  })

  test('types the record as the plan has it, and as it was written', () => {
    const { change, create, remove } = tracker()
    expectTypeOf<AfterOf<typeof create>>().toEqualTypeOf<{ id: string; title: string; state: 'open' }>()
    expectTypeOf<AfterOf<typeof change>>().toEqualTypeOf<Issue>()
    expectTypeOf<(typeof change)['preview']>()
      .parameter(0)
      .toEqualTypeOf<{ id: string; title?: string | undefined; state?: 'open' | 'closed' | undefined }>()
    expectTypeOf(remove.failures).toHaveProperty('not_found')
    const plan = () => ({ after: { id: 'A' } })
    const inBlock = defineWrite({
      ...sound,
      plan,
      apply: ({ after }) => {
        expect(after).toBeDefined()
      },
    })
    const later = defineWrite({
      ...sound,
      plan,
      apply: async () => {
        await Promise.resolve()
      },
    })
    const stale = defineWrite({
      ...sound,
      plan,
      apply: async (_, ctx) => (ctx.basis === 'x' ? ctx.stale() : undefined),
    })
    const made = defineWrite({
      ...sound,
      plan,
      apply: async ({ after }, ctx) => (ctx.basis === 'x' ? ctx.stale() : { ...after, n: 1 }),
    })
    expectTypeOf<AfterOf<typeof inBlock>>().toEqualTypeOf<{ id: string }>()
    expectTypeOf<AfterOf<typeof later>>().toEqualTypeOf<{ id: string }>()
    expectTypeOf<AfterOf<typeof stale>>().toEqualTypeOf<{ id: string }>()
    expectTypeOf<AfterOf<typeof made>>().toEqualTypeOf<{ n: number; id: string }>()
    // @ts-expect-error -- a Map is not the record.
    expect(defineWrite({ ...sound, plan, apply: ({ after }) => new Map([[after.id, after]]) })).toBeDefined()
  })
})

test.each([
  ['no name', { name: undefined }, 'name', 'is missing'],
  ['no description', { description: undefined }, 'description', 'is missing'],
  ['no plan', { plan: undefined }, 'plan', 'is not a function'],
  ['an apply that is a text', { apply: 'x' }, 'apply', 'is not a function'],
  ['languages', { languages: ['de'] }, 'languages', 'derived in English'],
  ['a preview', { preview: () => ({}) }, 'preview', 'follows from plan and apply'],
  ['a record beside an output', { record: issue, output: issue }, 'record', 'stands beside output'],
  ['a risk that is none', { risk: 'wild' }, 'risk', 'is "wild"'],
  ['a field that is misspelt', { feilds: {} }, 'feilds', 'is not a field of a contract'],
  ['a name without a verb', { name: 'Notes' }, 'name', 'is not "domain.verb" in lower case'],
])('a declaration with %s is refused by its field', (_, wrong, field, problem) => {
  const given = { ...sound, ...wrong } as never
  const error = (() => {
    try {
      defineWrite(given)
      return undefined
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(ContractError)
  expect(error).toMatchObject({ field })
  expect(String(error)).toContain(problem)
})
