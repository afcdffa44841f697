// The command that a person pastes must reach the records of the server that printed it, from any folder.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorOptions, quoted } from '../../../server/compose/operator-options.ts'
import { readConfigText } from '../../../server/config/file.ts'

const optionsOf = (text: string | undefined, db?: string): string => {
  const flags = db === undefined ? [] : [{ path: ['db'], value: db, source: '--db' }]
  const config = readConfigText(text ?? '{}', join('conf', 'my file.json'), {}, flags)
  if (!config.ok) throw new Error(config.failure.message)
  return operatorOptions(text === undefined ? { ...config.value, text: undefined } : config.value)
}

test('a server with a settings file names it, and its database only where that was named elsewhere', () => {
  const file = `--config '${resolve('conf', 'my file.json')}'`
  expect(optionsOf(undefined)).toBe('')
  expect(optionsOf('{}')).toBe(file)
  expect(optionsOf('{"db": "desk.db"}')).toBe(file)
  expect(optionsOf('{"db": "desk.db"}', 'other.db')).toBe(`${file} --db ${resolve('other.db')}`)
  expect(optionsOf(undefined, '/data/desk.db')).toBe('--db /data/desk.db')
  expect(optionsOf(undefined, ':memory:')).toBe('')
})

test('no password is passed on', () => {
  expect(optionsOf(undefined, 'postgres://desk:hunter22@db.example:5432/desk')).toBe(
    '--db postgres://desk@db.example:5432/desk',
  )
})

test('a shell reads each word as it was', () => {
  const word = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 30 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(word, (text) => {
      expect(execFileSync('sh', ['-c', `printf %s ${quoted(text, 'linux')}`], { encoding: 'utf8' })).toBe(text)
    }),
    { numRuns: 30 },
  )
  expect(quoted('/it/is mine', 'linux')).toBe("'/it/is mine'")
  expect(quoted(String.raw`C:\Users\Ada Ex\desk.db`, 'win32')).toBe(String.raw`"C:\Users\Ada Ex\desk.db"`)
})
