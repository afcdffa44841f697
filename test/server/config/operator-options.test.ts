// The command that a person pastes must reach the records of the server that printed it, from any folder.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { databaseFile } from '../../../server/compose/records/open-records.ts'
import { operatorOptions, operatorVariables, quoted } from '../../../server/compose/settings/operator-options.ts'
import { readConfigText, type Config } from '../../../server/config/file.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const secret = 'a secret of this test'

const configOf = (text: string | undefined, db?: string, env: Readonly<Record<string, string>> = {}): Config => {
  const flags = db === undefined ? [] : [{ path: ['db'], value: db, source: '--db' }]
  const config = readConfigText(text ?? '{}', join('conf', 'my file.json'), env, flags)
  if (!config.ok) throw new Error(config.failure.message)
  return text === undefined ? { ...config.value, text: undefined } : config.value
}

const optionsOf = (text: string | undefined, db?: string): string => operatorOptions(configOf(text, db))

test('a server with a settings file names it, and its database only where that was named elsewhere', () => {
  const file = `--config '${resolve('conf', 'my file.json')}'`
  expect(optionsOf('{}')).toBe(file)
  expect(optionsOf('{"db": "desk.db"}')).toBe(file)
  expect(optionsOf('{"db": "desk.db"}', 'other.db')).toBe(`${file} --db ${resolve('other.db')}`)
  expect(optionsOf(undefined, '/data/desk.db')).toBe('--db /data/desk.db')
  expect(optionsOf(undefined, ':memory:')).toBe('')
})

test('a server with neither names the default database, which other variables would put elsewhere', () => {
  expect(optionsOf(undefined)).toBe(`--db ${quoted(databaseFile(undefined), process.platform)}`)
})

test('an address of PostgreSQL is no option: the variables that hold it and the secret are named instead', () => {
  const address = 'postgres://desk:hunter22@db.example:5432/desk?sslmode=require'
  const file = `--config '${resolve('conf', 'my file.json')}'`
  const env = { COUNTERSIGN_DB: address, COUNTERSIGN_SECRET: secret }
  const both = ['COUNTERSIGN_DB', 'COUNTERSIGN_SECRET']
  const pasted = (config: Config) => [operatorOptions(config), operatorVariables(config)]
  expect(pasted(configOf(undefined, address))).toStrictEqual(['', both])
  expect(pasted(configOf(undefined, undefined, env))).toStrictEqual(['', both])
  expect(pasted(configOf('{"db": "desk.db"}', address))).toStrictEqual([file, both])
  const named = JSON.stringify({ db: address.replace(':hunter22', '') })
  expect(pasted(configOf(named, undefined, { COUNTERSIGN_SECRET: secret }))).toStrictEqual([
    file,
    ['COUNTERSIGN_SECRET'],
  ])
  const whole = JSON.stringify({ db: '${env:DESK_DB}', secret: '${env:DESK_SECRET}' })
  expect(pasted(configOf(whole, undefined, { DESK_DB: address, DESK_SECRET: secret }))).toStrictEqual([file, []])
  expect(operatorVariables(configOf(undefined, 'desk.db'))).toStrictEqual([])
})

test('a shell reads each word as it was', () => {
  const word = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 30 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = `printf '%s\\0' ${words.map((text) => quoted(text, 'linux')).join(' ')}`
      const said = execFileSync('sh', ['-c', line], { encoding: 'utf8' })
      expect(said.split('\0').slice(0, -1)).toStrictEqual(words)
    }),
    { numRuns: 5 },
  )
  expect(quoted('/it/is mine', 'linux')).toBe("'/it/is mine'")
  expect(quoted(String.raw`C:\Users\Ada Ex\desk.db`, 'win32')).toBe(String.raw`"C:\Users\Ada Ex\desk.db"`)
})
