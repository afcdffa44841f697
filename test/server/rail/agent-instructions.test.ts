// What an agent is told before and after a call must be what the gate does, in each mode and for each risk: a sentence
// that holds on the rail is a lie where the host's own prompt is the confirmation.
import { describe, expect, test } from 'vitest'
import { applyPlanDescription } from '../../../server/rail/apply/apply-plan.ts'
import { instructionsFor } from '../../../server/rail/answers/agent-instructions.ts'
import { metaTools } from '../../../server/gateway/call-tools/meta-tools.ts'
import type { Risk } from '../../../server/model/risk.ts'
import { caller } from '../../kit/calls.ts'
import { createStage, noteTool, type NoteContract, type Stage } from './rail-fixture.ts'

const modes = ['rail', 'host'] as const
const risks = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Risk[]
const kinds: readonly (readonly [string, Partial<NoteContract>])[] = [
  ['nothing special', {}],
  ['a preview that must be made', { dryRunRequired: true }],
  ['a step-up', { stepUp: 'always' }],
]
const cases = modes.flatMap((mode) =>
  risks.flatMap((risk) =>
    kinds.flatMap(([kind, change]) => (['yes', 'no'] as const).map((cards) => ({ mode, risk, kind, change, cards }))),
  ),
)

/** Sentences that promise that a call without more changes nothing. */
const promisesPreview = /Previews unless `preview=False`|only preview when you call/
/** Sentences that promise that the host's prompt is enough, without saying when it is not. */
const promisesRun = /as soon as the person accepts the host's own prompt/
const unless = /Where the answer is a preview or waits for an approval|unless the answer is a preview or waits/

const stageOf = async (
  mode: 'rail' | 'host',
  risk: Risk,
  change: Partial<NoteContract>,
): Promise<{ stage: Stage; book: { key: string; text: string }[] }> => {
  const book: { key: string; text: string }[] = []
  const contract = noteTool(book, { risk, basis: () => '1', ...change })
  const stage = await createStage([contract], { settings: { confirmation: mode } })
  return { stage, book }
}

describe.each(cases)('$mode, $risk, $kind, cards: $cards', ({ mode, risk, change, cards }) => {
  const as = caller({ cards })

  test('the description and the parameters promise nothing that the call does not keep', async () => {
    const { stage, book } = await stageOf(mode, risk, change)
    const tool = stage.engine.catalog.find('notes_write')
    const properties = tool?.inputSchema['properties'] as Record<
      string,
      { readonly default?: unknown; readonly description: string }
    >
    const said = [tool?.description ?? '', properties['preview']?.description ?? '']
    await stage.ask('notes_write', { text: 'x' }, as)
    const ran = book.length > 0
    for (const sentence of said) {
      if (promisesPreview.test(sentence)) expect(ran).toBe(false)
      if (promisesRun.test(sentence)) expect(sentence).toMatch(unless)
    }
    if (properties['preview']?.default === true) expect(ran).toBe(false)
    expect(ran).toBe(
      mode === 'host' && risk !== 'critical' && change.dryRunRequired !== true && change.stepUp === undefined,
    )
    expect(promisesPreview.test(said.join())).toBe(mode === 'rail')
  })

  test('preview=true only shows, and what its text says to do is what then applies it', async () => {
    const { stage, book } = await stageOf(mode, risk, change)
    const previewed = await stage.ask('notes_write', { text: 'x', preview: true }, as)
    expect(previewed.outcome).toBe('previewed')
    expect(book).toStrictEqual([])
    const answer = await stage.ask('notes_write', { text: 'x', preview: false, ticket: previewed.planId }, as)
    const cannot = /cannot be applied from here/.test(previewed.text)
    const runsByPrompt = promisesRun.test(previewed.text)
    const runsByYes = /on a clear yes call/.test(previewed.text)
    expect(answer.outcome === 'applied').toBe(runsByPrompt || runsByYes)
    expect(cannot).toBe(answer.outcome !== 'applied')
  })
})

test('the instructions of each mode promise what that mode does', () => {
  expect(instructionsFor('rail')).toMatch(promisesPreview)
  expect(instructionsFor('rail')).not.toMatch(promisesRun)
  expect(instructionsFor('host')).toMatch(promisesRun)
  expect(instructionsFor('host')).not.toMatch(promisesPreview)
  // A message of the card that asks for a new preview must not become a run.
  expect(instructionsFor('host')).toContain('`Preview: call tool(…)` make that call with `preview=true` added')
})

test('the doors of a gateway promise what their mode does', () => {
  const settings = [true, false].map((strict) => ({ shape: 'nested', strict_server_validation: strict }) as const)
  for (const mode of modes)
    for (const door of settings.flatMap((each) => metaTools(each, mode))) {
      const text = JSON.stringify(door)
      if (door.name === 'call_tool_read') expect(text).not.toMatch(promisesRun)
      else expect(promisesRun.test(text)).toBe(mode === 'host')
      if (mode === 'host')
        expect(text).not.toMatch(
          /a person still confirms it|comes back as a preview that the person confirms|Leave it out\. false/,
        )
    }
})

/** What an agent must know at every write, also where its client forwards no instructions. */
const coachingParts = {
  'ends its turn after a preview': /preview card, end your turn/,
  'does not narrate it': /do not narrate/,
  'repeats an Apply message exactly, and only the user’s own': /Re-issue only the user's own `Apply: call …`, exactly/,
  'acknowledges a Cancel without another call': /On `Cancel: …` only acknowledge/,
}

describe.each(modes)('the description of every tool that asks, %s', (mode) => {
  const described = async (): Promise<readonly string[]> => {
    const { stage } = await stageOf(mode, 'medium', {})
    const own = stage.engine.catalog.find('notes_write')?.description ?? ''
    const doors = metaTools({ shape: 'nested', strict_server_validation: true }, mode).filter(
      ({ name }) => name !== 'call_tool_read',
    )
    return [own, applyPlanDescription, ...doors.map(({ description }) => description ?? '')]
  }

  test.each(Object.entries(coachingParts))('says that the agent %s', async (_, part) => {
    const descriptions = await described()
    expect(descriptions).toHaveLength(4)
    for (const description of descriptions) expect(description).toMatch(part)
  })
})
