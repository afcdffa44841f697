// Rules of the operator's file that no tool fits: each is named, with what was probably meant.
import { expect, test } from 'vitest'
import { idleRules } from '../../../server/gateway/idle-rules.ts'

const tools = ['read_file', 'write_file', 'list_directory', 'list_allowed_directories']
const said = (...keys: readonly string[]) =>
  idleRules('files', Object.fromEntries(keys.map((key) => [key, {}])), tools).map(({ key, next }) => [key, next])

test('a name that no tool has is named with the nearest that one has', () => {
  expect(said('read_file', 'wirte_file')).toEqual([['wirte_file', 'Did you mean "write_file"?']])
})

test('a pattern that no tool fits is named with the nearest pattern that one fits', () => {
  expect(said('*', 'list_*', '*_file', 'lsit_*')).toEqual([['lsit_*', 'Did you mean "list_*"?']])
  expect(said('list_*_direktories')[0]?.[0]).toBe('list_*_direktories')
})

test('what is near nothing is answered with the tools there are; names of every object are names like others', () => {
  expect(said('constructor', 'refund')).toEqual([
    ['constructor', `Its tools are ${tools.join(', ')}.`],
    ['refund', `Its tools are ${tools.join(', ')}.`],
  ])
  expect(idleRules('files', { a: {} }, [])[0]?.next).toBe('files has no tools.')
  const many = Array.from({ length: 12 }, (_, at) => `tool_number_${at}`)
  expect(idleRules('files', { refund: {} }, many)[0]?.next).toMatch(/tool_number_9 and 2 more\.$/)
})
