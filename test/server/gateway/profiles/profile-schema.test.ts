// What editors complete from while a profile is written.
import { globSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { profileJsonSchema } from '../../../../server/compose/profiles/profile-schema-json.ts'
import { profileSchema } from '../../../../server/gateway/profiles/profile.schema.ts'
import { parseYamlText } from '../../../../server/config/yaml-text.ts'

const root = new URL('../../../../', import.meta.url)
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(profileJsonSchema())

const valueOf = (text: string): Readonly<Record<string, unknown>> => {
  const read = parseYamlText(text, 'x.yaml')
  if (!read.ok) throw new Error(read.failure.message)
  return read.value.value
}

test('it is the one that is shipped; `countersign profile schema > countersign.profile.schema.json` brings it up to date', () => {
  const shipped = readFileSync(new URL('countersign.profile.schema.json', root), 'utf8')
  expect(JSON.parse(shipped)).toEqual(profileJsonSchema())
})

test.each(globSync('profiles/*.yaml', { cwd: root.pathname }))('it takes %s, as we do', (file) => {
  const value = valueOf(readFileSync(new URL(file, root), 'utf8'))
  expect([validate(value), validate.errors]).toEqual([true, null])
  expect(profileSchema.safeParse(value).success).toBe(true)
})

const whole = { profile: 1, name: 'x', title: 'X', match: { npm: ['x'] }, tested: [{ version: '1', definitions: {} }] }

describe('it refuses what we refuse:', () => {
  test.each([
    ['a misspelt key', { ...whole, tools: {}, titel: 'X' }],
    ['a misspelt key of a tool', { ...whole, tools: { a: { operation: 'read', risks: 'low' } } }],
    ['a word for a tool that is not "read"', { ...whole, tools: { a: 'write' } }],
    ['an unknown risk', { ...whole, tools: { a: { operation: 'write', risk: 'huge' } } }],
    ['another version', { ...whole, profile: 2, tools: {} }],
    ['nothing that was tested', { ...whole, tested: [], tools: {} }],
  ])('%s', (_, value) => {
    expect([validate(value), profileSchema.safeParse(value).success]).toEqual([false, false])
  })
})
