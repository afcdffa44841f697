// Secrets of configured servers: what was kept comes back, and what was changed, exposed or lost is said and not guessed.
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeSecrets, readSecrets } from '../../../server/store/secrets-file.ts'
import { ok } from '../../../server/errors/result.ts'
import { place } from '../../journeys/at-end.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const kept = async (secrets: Readonly<Record<string, string>>): Promise<string> => {
  const file = join(place(), 'data', 'secrets.json')
  expect(await changeSecrets(file, () => ok(new Map(Object.entries(secrets))))).toMatchObject({ ok: true })
  return file
}

test('what is kept is read back, whatever it is, and does not stand in the file', async () => {
  const secret = fc.string({ unit: anyCharacter, minLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.stringMatching(/^[a-z][a-z.]{0,9}$/), secret), async (secrets) => {
      const file = await kept(secrets)
      expect(await readSecrets(file)).toEqual({ ok: true, value: new Map(Object.entries(secrets)) })
      const text = readFileSync(file, 'utf8')
      for (const value of Object.values(secrets)) expect(text).not.toContain(JSON.stringify(value))
    }),
    { numRuns: 4 },
  )
})

test('where the file does not open, a command that keeps or removes one changes nothing in it', async () => {
  const file = await kept({ a: 'one' })
  const cut = readFileSync(file, 'utf8').slice(0, 30)
  writeFileSync(file, cut)
  expect(await changeSecrets(file, (held) => ok(new Map([...held, ['b', 'two']])))).toMatchObject({ ok: false })
  expect(readFileSync(file, 'utf8')).toBe(cut)
})

test('where nothing was kept there are none, and files are their owner’s alone', async () => {
  expect(await readSecrets(join(place(), 'none.json'))).toEqual({ ok: true, value: new Map() })
  const file = await kept({ a: 'one' })
  expect([file, `${file}.key`].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o600])
})

test('of commands that keep secrets at the same moment none undoes another', async () => {
  const file = await kept({})
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(names.map((name) => changeSecrets(file, (held) => ok(new Map([...held, [name, `of ${name}`]])))))
  const held = await readSecrets(file)
  expect(held.ok && Object.fromEntries(held.value)).toEqual(
    Object.fromEntries(names.map((name) => [name, `of ${name}`])),
  )
})

test.each<[string, (file: string) => void, RegExp]>([
  ['others may read it', (file) => chmodSync(file, 0o644), /permissions 0644.*/],
  ['its key is gone', (file) => rmSync(`${file}.key`), /The key of the secrets in .* is not at/],
  ['others may read its key', (file) => chmodSync(`${file}.key`, 0o640), /permissions 0640/],
  ['its key is no key', (file) => writeFileSync(`${file}.key`, 'short'), /has 5 bytes/],
  ['its key is another one', (file) => writeFileSync(`${file}.key`, Buffer.alloc(32)), /cannot be opened: The sealed/],
  ['it is cut short', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 30)), /it is no JSON/],
  [
    'one secret was put in the place of another',
    (file) => {
      const held = JSON.parse(readFileSync(file, 'utf8')) as { secrets: Record<string, string> }
      held.secrets['b'] = held.secrets['a'] ?? ''
      writeFileSync(file, JSON.stringify(held))
    },
    /cannot be opened: The sealed configured secret of b/,
  ],
])('says so where %s', async (_, harm, message) => {
  const file = await kept({ a: 'one', b: 'two' })
  harm(file)
  const failure = { message: expect.stringMatching(message), next: expect.not.stringMatching(/database|COUNTERSIGN_/) }
  expect(await readSecrets(file)).toMatchObject({ ok: false, failure })
})
