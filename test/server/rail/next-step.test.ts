// Some clients forward `structuredContent` and nothing else, so what to do now stands there in one sentence, whatever became
// of the call.
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../../../server/rail/answers/envelope.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { caller } from '../../kit/calls.ts'
import { applyMessage, confirmed, createStage, noteTool, type NoteContract } from './rail-fixture.ts'

const stageOf = (change: Partial<NoteContract> = {}) => createStage([noteTool([], { risk: 'medium', ...change })])
const nextOf = (answer: Answer): string => String(bodyOf(answer)['next'])
const oneSentence = /^\p{Lu}[^\n]*\.$/u

describe('a preview', () => {
  test('is left to its card where one may be shown, and says what to do where none is', async () => {
    const stage = await stageOf()
    const previewed = await stage.ask('notes_write', { text: 'x' }, caller({ cards: 'yes' }))
    const next = nextOf(previewed)
    expect(next).toMatch(oneSentence)
    expect(next).toMatch(
      /^End your turn if a card shows this preview; otherwise ask the person, and on a clear yes call /,
    )
    expect(next).toContain(`\`ticket="${previewed.planId}"\` and \`preview=false\``)
  })

  test('without cards asks the person, and what it says to call is what applies it', async () => {
    const stage = await stageOf()
    const as = caller({ cards: 'no' })
    const previewed = await stage.ask('notes_write', { text: 'x' }, as)
    expect(nextOf(previewed)).toMatch(/^Ask the person, and on a clear yes call notes_write again /)
    const applied = await stage.ask('notes_write', { text: 'x', preview: false, ticket: previewed.planId }, as)
    expect(applied.outcome).toBe('applied')
    expect(nextOf(applied)).toBe('Tell the person what came of it, and do not repeat the call.')
  })

  test('that is blocked says what would unblock it', async () => {
    const blocked = { title: 'The book is closed.', text: 'Open the book first.' }
    const stage = await stageOf({
      preview: () => ({ title: 'Write', summary: 'Writes.', confirmLabel: 'Write', blocked }),
    })
    expect(nextOf(await stage.ask('notes_write', { text: 'x' }))).toBe('Open the book first.')
  })
})

test('a refusal carries the first step of its guidance, also where it brings a fresh preview', async () => {
  const stage = await stageOf()
  const refused = await stage.ask('notes_write', { text: 7 })
  expect(refused.outcome).toBe('refused')
  expect(nextOf(refused)).toMatch(oneSentence)
  const previewed = await stage.ask('notes_write', { text: 'x' })
  const mismatch = await stage.ask('notes_write', { text: 'y', preview: false, ticket: previewed.planId })
  expect(mismatch.outcome).toBe('mismatch')
  expect(nextOf(mismatch)).toContain(`ticket="${mismatch.planId}"`)
  await stage.press('countersign_plan_cancel', mismatch)
  const cancelled = await stage.repeat(confirmed(mismatch))
  expect(cancelled.outcome).toBe('refused')
  expect(applyMessage(cancelled)).toBeUndefined()
  expect(nextOf(cancelled)).toMatch(oneSentence)
})

test('a refusal carries its first step, and no other guidance, where an operator has switched guidance off', async () => {
  const settings = { guidance: { errors: false, budget: true } }
  const stage = await createStage([noteTool([], { risk: 'medium' })], { settings })
  const refused = await stage.ask('notes_write', { text: 7 })
  const [first] = refused.guidance?.actionable_guidance ?? []
  expect(nextOf(refused)).toMatch(oneSentence)
  expect(first?.startsWith(nextOf(refused))).toBe(true)
  expect(bodyOf(refused)).not.toHaveProperty('error_guidance')
  expect([refused.text, JSON.stringify(bodyOf(refused))].join()).not.toContain('countersign://docs')
})
