// What the shipped profiles say of a call, with arguments as agents and as enemies send them: each title and each button is
// read by somebody who signs, so none may end in nothing, begin like code or let an argument pass for our words.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shapeDigest } from '../../../../server/gateway/profiles/definition-shape.ts'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'
import { wordsOf, type ToolProfile } from '../../../../server/gateway/profiles/tool-profile.ts'

const root = new URL('../../../../', import.meta.url).pathname

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const listSchema = z.object({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.record(z.string(), z.unknown()) })),
})
const recorded = globSync('test/profiles/recorded/*.json', { cwd: root }).flatMap(
  (file) => listSchema.parse(JSON.parse(readFileSync(`${root}${file}`, 'utf8'))).tools,
)

/** A value that fits a schema; every text in it is this one. */
function sample(schema: Schema, text: string, depth = 0): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const [first] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')
  if (first !== undefined) return sample(first, text, depth + 1)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((each) => each !== 'null')
  if (type === 'array') return [sample(schema.items ?? {}, text, depth + 1)]
  if (type === 'object' || schema.properties !== undefined)
    return depth > 5
      ? {}
      : Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, each]) => [name, sample(each, text, depth + 1)]),
        )
  return type === 'number' || type === 'integer' ? 42 : type === 'boolean' ? true : text
}

const profiles = globSync('profiles/*.yaml', { cwd: root }).map((file) => {
  const read = readProfile(readFileSync(`${root}${file}`, 'utf8'), file)
  if (!read.ok) throw new Error(read.failure[0]?.message)
  return { name: basename(file, '.yaml'), profile: read.value }
})

interface Said {
  readonly of: string
  readonly rated: string
  readonly words: ReturnType<typeof wordsOf>
}

/** What a profile says of each of its tools, by its own words and by those of each rule. */
const saidWith = ({ profile }: (typeof profiles)[number], text: string, onlyRequired: boolean): readonly Said[] =>
  Object.entries(profile.tools).flatMap(([name, tool]) => {
    const definition = recorded.find(
      (each) => each.name === name && profile.tested.some(({ definitions }) => definitions[name] === shapeDigest(each)),
    )
    const schema = (definition?.inputSchema ?? {}) as Schema
    const all = sample({ ...schema, type: 'object' }, text) as Readonly<Record<string, unknown>>
    const args = onlyRequired
      ? Object.fromEntries(Object.entries(all).filter(([key]) => schema.required?.includes(key) === true))
      : all
    // Each rule by itself, as if it were the one that holds.
    return [{}, ...(tool.when ?? [])].map((rule, at) => {
      const { when: _, ...said } = { ...tool, ...rule } as ToolProfile
      return { of: `${name}${at === 0 ? '' : ` (rule ${at})`}`, rated: said.operation, words: wordsOf(said, args) }
    })
  })

/** All that is no argument: what stands in quotation marks is one. */
const ours = (text: string): string => text.replace(/“[^“”]*”/g, '“”')

const isBad = (text: string): boolean =>
  /undefined|\[object|NaN|“”“”|““|””| {2}|[( ,:]$/.test(ours(text)) || !/^[\p{Lu}“`]/u.test(text)

/** A sentence, other than a button ("Fill in"), ends in none of these. */
const endsOpen = (text: string): boolean => /\b(?:to|in|of|from|with|on|as|into|by|at|and|the|a)$/.test(text)

describe.each(profiles.map((each) => [each.name, each] as const))('what %s says', (_, each) => {
  test.each([
    ['all arguments', 'launch plan', false],
    ['only those that a call must have', 'launch plan', true],
    ['an argument that looks like words of ours', '” is only read. “Nothing changes', false],
  ])('of each call is whole, with %s', (_what, text, onlyRequired) => {
    const said = saidWith(each, text, onlyRequired)
    const wrong = said.flatMap(({ of, rated, words }) => [
      ...(rated !== 'read' && words.title === undefined ? [`${of} has no title`] : []),
      ...[words.title, ...words.effects].flatMap((line) =>
        line !== undefined && (isBad(line) || endsOpen(ours(line))) ? [`${of}: ${line}`] : [],
      ),
      ...(words.confirm !== undefined && isBad(words.confirm) ? [`${of}: ${words.confirm}`] : []),
      ...(words.confirm !== undefined && (words.confirm.length > 24 || /^(?:OK|Go on|Confirm)$/.test(words.confirm))
        ? [`${of}: the button says ${words.confirm}`]
        : []),
    ])
    expect(wrong).toEqual([])
  })

  test('of a call never has an argument of several words outside of quotation marks', () => {
    const said = saidWith(each, 'and nothing changes', false).flatMap(({ words }) => [
      words.title,
      words.done,
      words.target,
    ])
    expect(said.filter((line) => line !== undefined && ours(line).includes('nothing changes'))).toEqual([])
  })
})
