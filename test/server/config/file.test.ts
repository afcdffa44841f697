// The settings file as an operator writes it: what is right is in force, and what is wrong is named by the line, the
// variable or the flag to change.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, readConfigText, type Override } from '../../../server/config/file.ts'
import { parseConfigText } from '../../../server/config/text.ts'

const read = (text: string, env: Record<string, string> = {}, flags: readonly Override[] = []) =>
  readConfigText(text, 'countersign.json', env, flags)

const problemsOf = (text: string, env: Record<string, string> = {}, flags: readonly Override[] = []) => {
  const config = read(text, env, flags)
  if (config.ok) throw new Error('It was accepted.')
  return config.failure.problems.map(({ place, message, next }) => ({ place, message, next }))
}

const settings = (text: string, env: Record<string, string> = {}, flags: readonly Override[] = []) => {
  const config = read(text, env, flags)
  if (!config.ok) throw new Error(config.failure.message)
  return config.value
}

describe('what is in force', () => {
  test('are defaults where nobody says anything', () => {
    const config = readConfig(undefined, {})
    expect(config).toMatchObject({
      ok: true,
      value: { server: { http: { port: 3323, host: '127.0.0.1' }, access: { mode: 'open' }, rationale: 'required' } },
    })
  })

  test('comes from the file, over it from the environment, over both from flags', () => {
    const text = '{ // which port\n  "http": { "port": 1, "host": "127.0.0.2" },\n  "languages": ["fr"], /* one */\n}'
    const env = { COUNTERSIGN_PORT: '2', COUNTERSIGN_LANGUAGES: 'de, ja' }
    const flag = { path: ['http', 'port'], value: 3, source: '--port' }
    expect(settings(text).server.http).toMatchObject({ port: 1, host: '127.0.0.2' })
    expect(settings(text, env).server).toMatchObject({ http: { port: 2, host: '127.0.0.2' }, languages: ['de', 'ja'] })
    expect(settings(text, env, [flag]).server.http.port).toBe(3)
  })

  test('is known with where it comes from', () => {
    const config = settings('{\n  "http": { "port": 1 }\n}', { COUNTERSIGN_HOST: '127.0.0.9' })
    expect(config.originOf(['http', 'port'])).toEqual({ kind: 'file', line: 2, column: 21 })
    expect(config.originOf(['http', 'host'])).toEqual({
      kind: 'override',
      source: 'The environment variable COUNTERSIGN_HOST',
    })
    expect(config.originOf(['access', 'mode'])).toEqual({ kind: 'default' })
  })

  test('has variables put in where the file names them, and knows that it has', () => {
    const config = settings('{"db": "postgres://u:${PW}@h/d", "name": "${NAME:-Desk}"}', {
      PW: 'geheim',
    })
    expect(config.server).toMatchObject({ db: 'postgres://u:geheim@h/d', name: 'Desk' })
    expect(config.referenceAt(['db'])).toBe('postgres://u:${PW}@h/d')
  })

  test('the bucket of files is an address, and no folder beside the file', () => {
    const folder = 's3://bucket/prefix?region=eu-central-1'
    expect(settings(JSON.stringify({ files: { folder } })).server.files.folder).toBe(folder)
  })

  test('means files beside the settings file, wherever the server is started', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'c.json')
    writeFileSync(file, '{"db": "here.db", "activity": {"anchor": "heads.log"}}')
    expect(readConfig(file, {})).toMatchObject({
      ok: true,
      value: { server: { db: join(folder, 'here.db'), activity: { anchor: join(folder, 'heads.log') } } },
    })
    // What the environment says is said from where the server is started.
    expect(readConfig(file, { COUNTERSIGN_DB: 'there.db' })).toMatchObject({ value: { server: { db: 'there.db' } } })
    expect(readConfig(undefined, { COUNTERSIGN_CONFIG: file })).toMatchObject({
      value: { server: { db: resolve(folder, 'here.db') } },
    })
    for (const db of [':memory:', 'postgres://h/d', '/absolute.db'])
      expect(settings(JSON.stringify({ db })).server.db).toBe(db)
  })

  test('leaves the keys of the gateway to the gateway', () => {
    const text = '{"mcpServers": {"a": {"command": "x", "env": {"K": "${NOT_SET}"}}}, "confirmation": "host"}'
    expect(settings(text).server).toMatchObject({ confirmation: 'host' })
  })
})

describe('what is wrong', () => {
  const wrong: readonly (readonly [what: string, text: string, place: string, message: RegExp, next: RegExp])[] = [
    ['a misspelt key', '{\n  "htpp": {}\n}', '2:3', /"htpp" is an unknown key/, /Did you mean "http"\?/],
    ['a misspelt key within', '{"http": {"prot": 1}}', '1:11', /http has an unknown key "prot"/, /"port"/],
    ['a key in a list', '{"policy":{"approvals":[{"tools":["a"],"aprovers":2}]}}', '1:40', /"aprovers"/, /"approvers"/],
    ['a key that nothing is like', '{"log": {"zzzzzzzz": 1}}', '1:10', /"zzzzzzzz"/, /Known are level\./],
    [
      'a wrong type',
      '{\n "http": {\n  "port": "80"}}',
      '3:11',
      /http\.port cannot be "80": it must be a number/,
      /Correct/,
    ],
    [
      'a number out of range',
      '{"http": {"port": 70000}}',
      '1:19',
      /http\.port cannot be 70000: it must be at most 65535/,
      /Correct/,
    ],
    ['a word that is none of them', '{"access": {"mode": "opne"}}', '1:21', /"open" or "tokens" or "jwt"/, /Correct/],
    [
      'a missing section',
      '{"access": {"mode": "jwt"}}',
      '1:12',
      /access\.jwt is missing; mode "jwt" needs it/,
      /Correct/,
    ],
    [
      'a section without meaning',
      '{"access": {"jwt": {"issuer": "https://i", "tenant": "t"}}}',
      '1:20',
      /has no meaning with mode "open"/,
      /Correct/,
    ],
    [
      'two ways to a tenant',
      '{"access": {"mode": "jwt", "jwt": {"issuer": "https://i", "tenant": "t", "tenant_claim": "c"}}}',
      '1:35',
      /either `tenant` or `tenant_claim`/,
      /Correct/,
    ],
    [
      'an issuer that anybody could be',
      '{"access": {"mode": "jwt", "jwt": {"issuer": "http://i", "tenant": "t"}}}',
      '1:46',
      /must be an https address/,
      /Correct/,
    ],
    ['an address with a path', '{"http": {"public_url": "https://x/y"}}', '1:25', /without a path/, /Correct/],
    [
      'a secret that stands there',
      '{"secret": "abcdefghijklmnop"}',
      '1:12',
      /secret must be a reference/,
      /\$\{COUNTERSIGN_SECRET\}/,
    ],
    [
      'an admin token that stands there',
      '{"operators": {"admin_token": "abcdefghijklmnop"}}',
      '1:31',
      /must be a reference/,
      /COUNTERSIGN_ADMIN_TOKEN/,
    ],
    [
      'a variable that is not set',
      '{"db": "x",\n "name": "${NOPE}"}',
      '2:10',
      /name needs the environment variable NOPE/,
      /Set NOPE/,
    ],
    ['the same key twice', '{"db": "a",\n "db": "b"}', '2:2', /has the key "db" twice/, /Keep one/],
    ['a key that changes objects', '{"__proto__": {}}', '1:2', /"__proto__"/, /Take it out/],
    [
      'a comma too many',
      '{"db": "a",\n,"name": "b"}',
      '2:1',
      /is not JSON: .*comma too many/,
      /Correct it at that place/,
    ],
    ['a comma too few', '{"db": "a"\n "name": "b"}', '2:2', /a comma is missing/, /Correct/],
    ['a string without an end', '{"db": "a', '1:8', /a string is not closed/, /Correct/],
    ['an unfinished object', '{"http": {"port": 1}', '1:21', /a closing brace \} is missing/, /Correct/],
    ['a comment without an end', '{ /* "db": 1 }', '1:3', /comment is not closed/, /Correct/],
    ['nothing', '', '1:1', /is not JSON/, /Correct/],
    ['a list', '[]', '1:1', /is no object/, /Write/],
    [
      'a role that there is not',
      '{"operators": {"oidc": {"issuer": "https://i", "client_id": "c", "roles": {"a": ["boss"]}}}}',
      '1:82',
      /must be "viewer" or "approver" or "admin"/,
      /Correct/,
    ],
    [
      'a risk that there is not',
      '{"tenants": {"acme": {"risk": {"x": "huge"}}}}',
      '1:37',
      /tenants\.acme\.risk\.x cannot be "huge"/,
      /Correct/,
    ],
  ]

  test.each(wrong)('%s is named by line and column', (_, text, place, message, next) => {
    const [first] = problemsOf(text)
    expect(first?.place).toBe(`countersign.json:${place}`)
    expect(first?.message).toMatch(message)
    expect(first?.message).toContain(`countersign.json:${place}: `)
    expect(first?.next).toMatch(next)
  })

  test('is named all at once, in the order of the file, and the first in one line', () => {
    const text = '{\n "log": {"level": 1},\n "http": {"port": true, "prot": 2}\n}'
    expect(problemsOf(text).map(({ place }) => place)).toEqual([
      'countersign.json:2:19',
      'countersign.json:3:19',
      'countersign.json:3:25',
    ])
    expect(read(text)).toMatchObject({ failure: { next: expect.stringContaining('and 2 more') as string } })
  })

  test('is named by its variable, or by its flag', () => {
    const flag = { path: ['http', 'port'], value: 70_000, source: '--port' }
    expect(problemsOf('{}', { COUNTERSIGN_PORT: 'x', COUNTERSIGN_DB: '' }, [flag])).toEqual([
      {
        place: 'The environment variable COUNTERSIGN_DB',
        message: 'The environment variable COUNTERSIGN_DB is empty',
        next: 'Change it or unset it, and start again.',
      },
      {
        place: '--port',
        message: '--port cannot be 70000: it must be at most 65535',
        next: 'Change it or unset it, and start again.',
      },
    ])
  })

  test('is a file that is not there', () => {
    expect(readConfig('/nowhere/c.json', {})).toMatchObject({
      ok: false,
      failure: { message: 'The file /nowhere/c.json cannot be read (ENOENT).' },
    })
    expect(readConfig(undefined, { COUNTERSIGN_CONFIG: '/nowhere/c.json' })).toMatchObject({
      failure: { message: expect.stringContaining('COUNTERSIGN_CONFIG names "/nowhere/c.json"') as string },
    })
  })

  test('never repeats what may be a secret', () => {
    const texts = [
      '{"secret": "hunter2hunter2hunter2"}',
      '{"operators": {"oidc": {"client_secret": ["hunter2"], "issuer": "https://i", "client_id": "c"}}}',
      '{"metrics": {"token": {"x": "hunter2"}}}',
      '{"webhooks": [{"url": "hunter2", "secret": 5}]}',
      '{"log": {"level": "${PW}"}}',
    ]
    for (const text of texts) expect(JSON.stringify(problemsOf(text, { PW: 'hunter2' }))).not.toContain('hunter2')
    expect(JSON.stringify(problemsOf('{}', { COUNTERSIGN_SECRET: 'hunter2' }))).not.toContain('hunter2')
  })
})

describe('any text', () => {
  const json = fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 5 },
  )

  test('reads as JSON reads it, and each value is found where it stands', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', '\t', '  '), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const plain = JSON.parse(text) as Record<string, unknown>
        const parsed = parseConfigText(text, 'x')
        // `__proto__` within is refused, as it should be.
        fc.pre(!text.includes('"__proto__"'))
        if (!parsed.ok) throw new Error(parsed.failure[0]?.message)
        expect(parsed.value.value).toEqual(plain)
        for (const [key, member] of Object.entries(plain)) {
          const { line, column } = parsed.value.placeOf([key])
          const rest = text
            .split('\n')
            .slice(line - 1)
            .join('\n')
            .slice(column - 1)
          const begins = JSON.stringify(member, null, indent).split('\n')[0] ?? ''
          expect(rest.startsWith(begins)).toBe(true)
        }
      }),
    )
  })

  test('never throws, and says what is wrong somewhere within the text', () => {
    const bits = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '//',
      '/*',
      '*/',
      'a',
      '1',
      'null',
      '\n',
      ' ',
      '\\',
      '\uFEFF',
    )
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const parsed = parseConfigText(text, 'x')
        if (parsed.ok) return
        for (const { line, column } of parsed.failure) {
          const lines = text.split('\n')
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(lines.length)
          expect(column).toBeGreaterThanOrEqual(1)
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 2)
        }
      }),
    )
  })
})
