// Arguments of a planned write that its contract marks as secrets set members of the record: neither the old nor the new one
// comes to the card, to the agent or into the record.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineWrite } from '../../../../server/tools/planned/define-write.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'

/** A tool that sets what a user is known by, and the users. */
function users() {
  const kept = new Map([['U-1', { id: 'U-1', name: 'Ada', word: 'mondschein' }]])
  const set = defineWrite({
    name: 'users.set_word',
    description: 'Sets a word.',
    risk: 'medium',
    secrets: { arguments: ['/word'] },
    input: z.strictObject({ id: z.string(), word: z.string(), name: z.string().optional() }),
    failures: { not_found: 'Take another.' },
    plan: ({ id, word, name }, ctx) => {
      const before = kept.get(id)
      return before === undefined
        ? ctx.fail('not_found', `There is no user ${id}.`)
        : { before, after: { ...before, word, name: name ?? before.name } }
    },
    apply: ({ after }) => {
      kept.set(after.id, after)
      return { ...after, version: 2 }
    },
  })
  return { kept, set }
}

test('a person sees that they change, and nobody reads what they were or are', async () => {
  const { kept, set } = users()
  const stage = await createStage([set])
  Object.assign(stage.engine, { activityLog: stage.store.activityLog })
  const preview = await stage.ask('users_set_word', { id: 'U-1', word: 'sonnenaufgang', name: 'Eve' })
  expect(preview.preview).toMatchObject({
    summary: 'Changes Name and Word of the word U-1.',
    changes: [
      { pointer: '/name', before: { text: 'Ada' }, after: { text: 'Eve' } },
      { pointer: '/word', before: { text: 'hidden' }, after: { text: 'hidden (changed)' } },
    ],
  })
  const applied = await stage.repeat(confirmed(preview))
  expect(applied).toMatchObject({ outcome: 'applied', card: { title: 'Set word U-1: done' } })
  expect(applied.result).toStrictEqual({
    before: { id: 'U-1', name: 'Ada' },
    after: { id: 'U-1', name: 'Eve', version: 2 },
  })
  expect(JSON.stringify(applied.card?.blocks)).toMatch(/"Eve".*"Word","value":\{"kind":"text","text":"hidden"\}/)
  expect(kept.get('U-1')).toMatchObject({ word: 'sonnenaufgang' })
  const again = await stage.ask('users_set_word', { id: 'U-1', word: 'sonnenaufgang', name: 'Ada' })
  expect(again.preview?.unchanged).toContainEqual({ label: 'Word', value: { kind: 'text', text: 'hidden' } })
  const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
  const rows = await Promise.all(calls.map(({ id }) => stage.store.activity.find(id)))
  expect(rows).toHaveLength(3)
  expect(
    JSON.stringify([preview, applied, again, rows], (key, value: unknown) => (key === 'contract' ? '' : value)),
  ).not.toMatch(/mondschein|sonnenaufgang/)
})

test('the contract says of its answer where they would stand', () => {
  expect(users().set.secrets).toStrictEqual({ arguments: ['/word'], result: ['/before/word', '/after/word'] })
})

test('a schema of the record that demands one of them is refused by its place', () => {
  const { set } = users()
  const declare = (record: z.ZodType) => () =>
    defineWrite({
      name: 'users.set_word',
      description: set.description,
      risk: 'medium',
      secrets: { arguments: ['/login/word', '/words/*/text'] },
      input: z.strictObject({}),
      record,
      plan: () => ({ effects: ['x'] }),
      apply: () => undefined,
    })
  const word = z.strictObject({ word: z.string() })
  expect(declare(z.strictObject({ login: word }))).toThrow(
    'record demands "/login/word", which secrets.arguments keeps',
  )
  expect(declare(z.strictObject({ words: z.array(z.strictObject({ text: z.string() })) }))).toThrow('"/words/*/text"')
  expect(declare(z.strictObject({ login: word.partial() }))).not.toThrow()
})
