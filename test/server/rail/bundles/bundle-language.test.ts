// In which language a bundle is, where more than one person reads of it.
import { expect, test } from 'vitest'
import { call } from '../../../../server/rail/call.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import type { Contract, Preview, ToolFailed, WriteContract } from '../../../../server/tools/contract.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { createStage, why } from '../rail-fixture.ts'
import { newShelf, shelfTools, type Shelf } from './shelf.ts'

/** Tools that say at the begin of each title in which language they were asked. */
const speaking = (shelf: Shelf, languages: readonly string[]): readonly Contract[] =>
  shelfTools(shelf, { languages }).map((tool) => {
    if (tool.operation === 'read' || tool.name === 'apply.bundle') return tool
    const preview: WriteContract['preview'] = async (input, ctx) => {
      const shown: Preview | ToolFailed = await tool.preview(input, ctx)
      return 'title' in shown ? { ...shown, title: `${ctx.language}: ${shown.title}` } : shown
    }
    return { ...tool, preview }
  })

const plans = [
  { tool: 'shelf_put', arguments: { name: 'a', count: 1 } },
  { tool: 'shelf_drop', arguments: { name: 'box' } },
]

/** Asks for a bundle as a reader of German without cards, for whom somebody else has to decide. */
async function openForGerman() {
  const shelf = newShelf()
  shelf.things.set('box', 1)
  const { store, engine: plain } = await createStage(speaking(shelf, ['en', 'de']))
  const engine = { ...plain, approvals: store.approvals }
  const german = { ...caller({ cards: 'no' }), languages: ['de'] }
  const ask = (args: object): Promise<Answer> =>
    call(engine, requestOf('apply_bundle', { plans, title: 'Tidy', rationale: why, ...args }, german))
  return { shelf, ask, store }
}

test('what an approver decides on is in English, whoever has asked, and runs as it was approved', async () => {
  const { shelf, ask, store } = await openForGerman()
  const asked = await ask({})
  expect(asked.outcome).toBe('awaiting_approval')
  const id = asked.approval?.id ?? ''
  const approval = await store.approvals.find(id)
  expect(approval?.card).toContain('1. en: Put 1 a (medium)')
  expect(approval?.card).not.toContain('de: ')
  const by = { name: 'max', person: 'admin-token', via: 'terminal' } as const
  expect((await store.approvals.decide(id, { decision: 'approved', by })).kind).toBe('decided')
  expect((await ask({ ticket: id, preview: false })).outcome).toBe('applied')
  expect([...shelf.things]).toStrictEqual([['a', 1]])
})

test('a bundle of tools that speak one language alone is in that, whoever reads it', async () => {
  const shelf = newShelf()
  shelf.things.set('box', 1)
  const stage = await createStage(speaking(shelf, ['de']))
  const shown = await stage.send('apply_bundle', { plans, title: 'Tidy', rationale: why })
  expect(shown.card).toMatchObject({ language: 'de', title: '2 Änderungen: „Tidy“' })
})

test('a bundle with a step whose tool does not speak the language of its reader is in English, with all of its steps', async () => {
  const shelf = newShelf()
  shelf.things.set('box', 1)
  const mixed = speaking(shelf, ['en', 'de']).map((tool) => {
    if (tool.name !== 'shelf.drop') return tool
    const { languages: _, ...english } = tool
    return english
  })
  const german = { ...caller(), languages: ['de'] }
  const { engine } = await createStage(mixed)
  const shown = await call(engine, requestOf('apply_bundle', { plans, title: 'Tidy', rationale: why }, german))
  expect(shown.card).not.toHaveProperty('language')
  expect(shown.card?.title).toBe('2 changes: “Tidy”')
  expect(JSON.stringify(shown.card?.blocks)).toContain('1. en: Put 1 a (medium)')
})
