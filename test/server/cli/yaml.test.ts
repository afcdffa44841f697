import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { invisible } from '../../../server/cards/invisible-characters.ts'
import { toYaml } from '../../../server/cli/terminal/yaml.ts'

test('what a terminal would obey, or not show, is escaped, also in the names of members', () => {
  const hostile = { 'a\u202Eb': 'x\u001B[2J\u009B1A\u007F\u200B\u{E0041}', lines: 'one\ntwo\u202E' }
  const yaml = toYaml(hostile)
  expect(invisible.test(yaml.replaceAll('\n', ''))).toBe(false)
  expect(parse(yaml)).toEqual(hostile)
})

test('a member whose name is the merge key of YAML 1.1 is a member like others', () => {
  const value = [{ '<<': '' }, { '<<': { a: 1 }, a: 2 }]
  expect(parse(toYaml(value), { version: '1.1' })).toEqual(value)
})

test('any JSON value is read back as it was, and nothing invisible is written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const whole = JSON.parse(
        JSON.stringify({ value, text, [text]: text }).replaceAll(/\\u[dD][89a-fA-F][\da-fA-F]{2}/g, '?'),
      ) as unknown
      const yaml = toYaml(whole)
      expect(invisible.test(yaml.replaceAll('\n', ''))).toBe(false)
      expect(parse(yaml, { version: '1.1' })).toEqual(whole)
    }),
    { numRuns: 500 },
  )
})
