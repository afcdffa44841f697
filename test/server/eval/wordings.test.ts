// What a model is given of the server: all of it, or with a part of the coaching taken away, and nothing else of it.
import { expect, test } from 'vitest'
import { casesNamed, planOf, run } from '../../../server/eval/run.ts'
import { measureNames } from '../../../server/eval/measures.ts'
import type { WordingName } from '../../../server/eval/wordings.ts'
import { startModelServer, type Asked } from './model-server.ts'
import { perfect } from './models.ts'

const never = Object.fromEntries(measureNames.map((name) => [name, 0])) as never

/** What the model is given in the turn after the preview. */
async function given(wording: WordingName): Promise<Asked> {
  const server = await startModelServer(perfect)
  await run(
    planOf(casesNamed(['flat']).cases, 1, [wording]),
    {
      provider: 'openai',
      name: 'scripted',
      key: 'test',
      baseUrl: server.openai,
      maxTokens: 4096,
      runs: 1,
      concurrency: 1,
      bounds: { requests: 10, tokens: 1_000_000 },
      least: never,
      signal: new AbortController().signal,
    },
    () => undefined,
  )
  return server.asked[1] as Asked
}

const parts: Readonly<Record<string, (asked: Asked) => boolean>> = {
  instructions: ({ system }) => system.includes('Tools that change something only preview'),
  descriptions: ({ tools }) => tools.some(({ description }) => description.includes('do not narrate')),
  previews: ({ chat }) => chat.some(({ text }) => text.includes('The person sees this as a card')),
  next: ({ chat }) => chat.some(({ text }) => text.includes('End your turn if a card shows this preview')),
}

const partsIn = (asked: Asked): readonly string[] => Object.keys(parts).filter((name) => parts[name]?.(asked) === true)

test.each<[WordingName, readonly string[]]>([
  ['full', ['instructions', 'descriptions', 'previews', 'next']],
  ['no-instructions', ['descriptions', 'previews', 'next']],
  ['no-descriptions', ['instructions', 'previews', 'next']],
  ['no-previews', ['instructions', 'descriptions']],
  ['none', []],
])('with the coaching %s a model is told these parts of it', async (wording, told) => {
  const asked = await given(wording)
  expect(partsIn(asked)).toEqual(told)
  // What is no coaching stays.
  expect(asked.chat.at(-1)?.text).toContain('This preview is plan pl_')
  expect(asked.tools.find(({ name }) => name === 'contacts_create')?.description).toContain('Creates a contact.')
})

test('a model gets no tool that is for cards only, and neither ticket nor card before Confirm', async () => {
  const asked = await given('full')
  expect(asked.tools.map(({ name }) => name).filter((name) => name.startsWith('countersign_'))).toEqual([])
  expect(JSON.stringify(asked)).not.toContain('cs1_')
})
