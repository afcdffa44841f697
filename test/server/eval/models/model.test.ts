import { describe, expect, test } from 'vitest'
import { guessProvider, readCallArguments } from '../../../../server/eval/models/model.ts'
import { limitOf } from '../../../../server/eval/models/openai.ts'
import { refusedWithout } from '../../../kit/without-packages.ts'

describe('whose API it is', () => {
  test.each([
    ['claude-opus-4-5', undefined, 'anthropic'],
    ['gpt-5.2', undefined, 'openai'],
    ['o4-mini', undefined, 'openai'],
    ['anything', 'https://api.anthropic.com', 'anthropic'],
    ['anything', 'https://eu.api.openai.com/v2', 'openai'],
    ['claude-opus-4-5', 'http://127.0.0.1:11434/v1', 'openai'],
  ])('is told of %s at %s', (model, address, provider) => {
    expect(guessProvider(model, address)).toEqual({ ok: true, value: provider })
  })

  test.each([
    ['llama-4', undefined],
    ['claude-opus-4-5', 'https://proxy.example'],
    ['gpt-5.2', 'https://notopenai.com/'],
  ])('is asked for of %s at %s', (model, address) => {
    expect(guessProvider(model, address)).toMatchObject({ ok: false })
  })
})

describe('arguments of a call', () => {
  test.each([
    ['a JSON text', '{"a":1}', { a: 1 }],
    ['an object', { a: 1 }, { a: 1 }],
    ['nothing', '', {}],
    ['no JSON', '{"a":1', undefined],
    ['a list', '[1]', undefined],
    ['a text', '"a"', undefined],
    ['null', 'null', undefined],
  ])('%s', (_, given, args) => {
    expect(readCallArguments(given).args).toEqual(args)
  })
})

test.each<[string | undefined, string]>([
  [undefined, 'max_completion_tokens'],
  ['https://api.openai.com/v1', 'max_completion_tokens'],
  ['http://127.0.0.1:11434/v1', 'max_tokens'],
])('the bound of an answer has the name that is known at %s', (address, name) => {
  expect(limitOf(99, address)).toEqual({ [name]: 99 })
})

test('without the package of a maker one sentence says what to install', async () => {
  const module = new URL('../../../../server/eval/models/anthropic.ts', import.meta.url)
  expect(await refusedWithout('@anthropic-ai/', module, 'anthropicModel({})')).toEqual({
    message: 'The package @anthropic-ai/sdk, which a model of Anthropic needs, is not installed.',
    next: 'Run `npm install @anthropic-ai/sdk@1` beside Countersign. Or start both by `npx -p countersign -p @anthropic-ai/sdk countersign eval …`.',
  })
})
