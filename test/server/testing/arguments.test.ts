// What a schema says is enough to try a tool, or it is not, and then nobody invents a value.
import { describe, expect, test } from 'vitest'
import {
  numbered,
  plausibleArguments,
  previewsByDefault,
  variationOf,
  withRationale,
} from '../../../server/testing/arguments.ts'
import { hostProfiles, passed } from '../../../server/testing/host/profiles.ts'

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

describe('plausible arguments', () => {
  test('come from examples, defaults, enums and the words of a description', () => {
    const schema = object({
      id: { type: 'string', maxLength: 40, description: 'Id of an order, like "SO-1005"' },
      color: { enum: ['red', 'blue'] },
      count: { type: 'integer', minimum: 3 },
      size: { type: 'string', default: 'M' },
      lines: { type: 'array', items: object({ sku: { type: 'string', examples: ['DESK-01'] } }) },
    })
    expect(plausibleArguments(schema)[0]).toEqual({
      id: 'SO-1005',
      color: 'red',
      count: 3,
      size: 'M',
      lines: [{ sku: 'DESK-01' }],
    })
  })

  test("a schema's own examples come first", () => {
    const schema = { ...object({ id: { type: 'string' } }), examples: [{ id: 'A-1' }] }
    expect(plausibleArguments(schema)[0]).toEqual({ id: 'A-1' })
  })

  test('where a required value cannot be guessed, there are none', () => {
    expect(plausibleArguments(object({ key: { type: 'string', pattern: '^k-[0-9]+$' } }))).toEqual([])
    expect(plausibleArguments('nonsense')).toEqual([])
  })

  test('what is reserved is never guessed, and a rationale is given where the tool wants one', () => {
    const schema = object({ id: { enum: ['1'] }, rationale: { type: 'string' }, ticket: { type: 'string' } })
    const [args] = plausibleArguments(schema)
    expect(args).toEqual({ id: '1' })
    expect(withRationale(schema, args ?? {})).toHaveProperty('rationale')
    expect(withRationale(schema, { rationale: 'Mine.' })).toEqual({ rationale: 'Mine.' })
  })

  test('an optional text is tried after what is required alone', () => {
    const schema = object({ id: { enum: ['1'] }, note: { type: 'string', maxLength: 500 } }, ['id'])
    expect(plausibleArguments(schema)).toEqual([{ id: '1' }, { id: '1', note: expect.any(String) }])
  })
})

test('only a tool that says so in its schema is called without being named', () => {
  expect(previewsByDefault(object({ preview: { type: 'boolean', default: true } }))).toBe(true)
  expect(previewsByDefault(object({ preview: { type: 'boolean', default: false } }))).toBe(false)
  expect(previewsByDefault(object({ id: { type: 'string' } }))).toBe(false)
})

test('a variation changes a text and nothing else; without a free text there is none', () => {
  const schema = object({ id: { type: 'string', maxLength: 200 }, note: { type: 'string' } })
  expect(variationOf(schema, { id: 'SO-1', note: 'Ring' })).toEqual({ id: 'SO-1', note: 'Ring, and again' })
  expect(variationOf(schema, { id: 'SO-1' })).toBeUndefined()
})

test('a number tells the texts of two journeys apart that were made up, and changes nothing that the schema says', () => {
  const schema = object({ branch: { type: 'string', default: 'main' }, note: { type: 'string' } })
  const [args = {}] = plausibleArguments(schema)
  expect(numbered(schema, args, 7)).toEqual({ branch: 'main', note: 'Checked by a test host (7)' })
  expect(numbered(schema, { branch: 'main', note: 'Ring' }, 7)).toBeUndefined()
})

test('profiles have names of their own, and what they drop does not arrive', () => {
  expect(new Set(hostProfiles.map(({ name }) => name)).size).toBe(hostProfiles.length)
  const result = { content: ['text'], structuredContent: { a: 1 }, _meta: { b: 2 }, isError: false }
  const left = (name: string) => {
    const profile = hostProfiles.find((one) => one.name === name)
    return profile && passed(profile, result)
  }
  expect(left('turn')).toEqual(result)
  expect(left('no-meta')).toEqual({ content: ['text'], structuredContent: { a: 1 }, isError: false })
  expect(left('structured-only')).toEqual({ content: [], structuredContent: { a: 1 }, isError: false })
  expect(left('content-only')).toEqual({ content: ['text'], isError: false })
})
