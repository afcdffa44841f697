// A host's file is changed in one place and nowhere else; and what stands in for a secret is the secret again when it is put
// back.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { expandDeep } from '../../../../server/config/references.ts'
import { editHostText, readHostText, valueAt } from '../../../../server/gateway/hosts/host-text.ts'
import { withReferences } from '../../../../server/gateway/hosts/references-to-secrets.ts'
import { userFiles } from './every-host.ts'

const entry = { command: 'node', args: ['countersign.js', 'gateway'] }
const edited = (
  format: 'json' | 'toml' | 'yaml',
  text: string,
  remove: readonly (readonly string[])[],
  at: readonly string[],
) => editHostText(format, text, { remove, set: { at, value: entry } })

test('comments, commas and the layout of all else in a JSON file stay', () => {
  const done = edited(
    'json',
    userFiles['.config/zed/settings.json'] ?? '',
    [
      ['context_servers', 'zed-old'],
      ['context_servers', 'zed'],
    ],
    ['context_servers', 'countersign'],
  )
  expect(done).toEqual({
    ok: true,
    value: `{
  // my editor
  "theme": "One Dark",
  "context_servers": {
    /* the older form */
    "countersign": {
      "command": "node",
      "args": [
        "countersign.js",
        "gateway"
      ]
    },
    "from-extension": { "source": "extension", "settings": {} },
  },
}
`,
  })
})

test('comments of a TOML file and of a YAML file stay, and all that is not a server', () => {
  const toml = edited(
    'toml',
    userFiles['.codex/config.toml'] ?? '',
    [
      ['mcp_servers', 'codex'],
      ['mcp_servers', 'codex-remote'],
    ],
    ['mcp_servers', 'countersign'],
  )
  expect(toml).toMatchObject({
    ok: true,
    value: expect.stringContaining('# my agent\nmodel = "gpt-5"   # the usual one\n'),
  })
  expect(readHostText('toml', toml.ok ? toml.value : '')).toMatchObject({
    value: {
      model: 'gpt-5',
      mcp_servers: { countersign: entry },
      profiles: { fast: { model: 'o3' } },
    },
  })
  const yaml = edited(
    'yaml',
    userFiles['.config/goose/config.yaml'] ?? '',
    [['extensions', 'goose']],
    ['extensions', 'countersign'],
  )
  expect(yaml).toMatchObject({ ok: true, value: expect.stringMatching(/^# goose\nGOOSE_PROVIDER: anthropic\n/) })
  expect(yaml.ok && yaml.value).not.toContain('uvx')
})

test.each([
  ['{"servers":{"a":{},"b":{}}}', '{"servers":{"b":{}}}'],
  ['{"servers":{"b":{},"a":{}}}', '{"servers":{"b":{}}}'],
  ['{\n\t"servers": {\n\t\t"b": {}, // kept\n\t\t"a": {}\n\t}\n}', '{\n\t"servers": {\n\t\t"b": {} // kept\n\t}\n}'],
  ['\uFEFF{"servers":{"a":{}}}', '\uFEFF{"servers":{}}'],
  [
    '{\r\n  "servers": {\r\n    "a": {}, /* a, b */\r\n    "b": {}\r\n  }\r\n}',
    '{\r\n  "servers": {\r\n     /* a, b */\r\n    "b": {}\r\n  }\r\n}',
  ],
])('%j without a is %j', (before, after) => {
  expect(editHostText('json', before, { remove: [['servers', 'a']] })).toEqual({ ok: true, value: after })
})

test.each([
  ['a key at the root', 'mcp_servers.a = { command = "x" } # c\nz = 1\n', 'mcp_servers.n = { k = ["v"] }\nz = 1\n'],
  [
    'a key of a table',
    '[mcp_servers]\n# top\na = { command = "x" }\nb = { url = "u" } # kept\n',
    '[mcp_servers]\n# top\nn = { k = ["v"] }\nb = { url = "u" } # kept\n',
  ],
  [
    'a table with others in it',
    '# one\n[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nK = "v"\n\n# two\n[other]\nd = 1979-05-27\nf = 1.0\n',
    '# one\n[mcp_servers.n]\nk = ["v"]\n\n# two\n[other]\nd = 1979-05-27\nf = 1.0\n',
  ],
  [
    'lines that end as on Windows',
    '[mcp_servers.a]\r\ncommand = "x"\r\n[b]\r\n',
    '[mcp_servers.n]\r\nk = ["v"]\r\n[b]\r\n',
  ],
  [
    'a file without an end of its last line',
    'm = 1\n[mcp_servers."a"]\nc = "x"',
    'm = 1\n[mcp_servers.n]\nk = ["v"]\n',
  ],
])('in TOML, %s is replaced by another and no other line changes', (_, before, after) => {
  const set = { at: ['mcp_servers', 'n'], value: { k: ['v'] } }
  expect(editHostText('toml', before, { remove: [['mcp_servers', 'a']], set })).toEqual({ ok: true, value: after })
})

test('a server within a line of TOML with others is left to a person', () => {
  const inline = 'mcp_servers = { a = { command = "x" }, b = { url = "u" } }\n'
  expect(editHostText('toml', inline, { remove: [['mcp_servers', 'a']] })).toMatchObject({ ok: false })
})

test('servers of any name and text are written into TOML and taken out again, and nothing else changes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 8 })
  const server = fc.record({
    command: text,
    args: fc.array(text, { maxLength: 3 }),
    env: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      text,
      { maxKeys: 3 },
    ),
  })
  const whole = userFiles['.codex/config.toml'] ?? ''
  fc.assert(
    fc.property(
      text.filter((key) => key !== '__proto__' && !key.startsWith('codex')),
      server,
      (name_, value) => {
        const at = ['mcp_servers', name_]
        const added = editHostText('toml', whole, { remove: [], set: { at, value } })
        const held = readHostText('toml', added.ok ? added.value : '')
        expect(held.ok && valueAt(held.value, at)).toEqual(value)
        const back = editHostText('toml', added.ok ? added.value : '', { remove: [at] })
        expect(back.ok && back.value.trimEnd()).toBe(whole.trimEnd())
      },
    ),
    { numRuns: runsOf(100) },
  )
})

test('a file in which the same key stands twice is left as it is', () => {
  const done = editHostText('json', '{"servers":{"a":{"x":1}},"servers":{"a":{}}}', { remove: [['servers', 'a']] })
  expect(done).toMatchObject({ ok: false, failure: expect.stringContaining('cannot be') })
})

/** Texts as people lay them out: comments and blanks between all tokens. */
const gap = fc.constantFrom('', ' ', '\n  ', ' // c, } "x": 1\n', ' /* { , */ ')
const name = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => text !== '__proto__')
const leaf = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constant(null), fc.constant({}))
const layout = fc.record({
  gaps: fc.array(gap, { minLength: 40, maxLength: 40 }),
  others: fc.uniqueArray(fc.tuple(name, leaf), { selector: ([key]) => key, maxLength: 3 }),
  servers: fc.uniqueArray(fc.tuple(name, leaf), { selector: ([key]) => key, minLength: 1, maxLength: 4 }),
  trailing: fc.boolean(),
})

test('whatever is taken from a JSON file of whatever layout, the rest of it says what it said, comments and all', () => {
  fc.assert(
    fc.property(layout, fc.integer({ min: 1, max: 15 }), ({ gaps, others, servers, trailing }, mask) => {
      let used = 0
      const g = (): string => gaps[used++ % gaps.length] ?? ''
      const object = (pairs: readonly (readonly [string, string])[]): string =>
        `{${pairs.map(([key, value]) => `${g()}${JSON.stringify(key)}${g()}:${g()}${value}${g()}`).join(',')}${trailing && pairs.length > 0 ? ',' : ''}${g()}}`
      const inner = object(servers.map(([key, value]) => [key, JSON.stringify(value)]))
      const text = object([
        ...others
          .filter(([key]) => key !== 'mcpServers')
          .map(([key, value]): [string, string] => [key, JSON.stringify(value)]),
        ['mcpServers', inner],
      ])
      const remove = servers.filter((_, at) => (mask & (1 << at)) !== 0).map(([key]) => ['mcpServers', key])
      const done = edited('json', text, remove, ['mcpServers', 'countersign'])
      if (!readHostText('json', text).ok) return
      expect(done.ok).toBe(true)
      const held = readHostText('json', done.ok ? done.value : '')
      expect(held.ok && valueAt(held.value, ['mcpServers', 'countersign'])).toEqual(entry)
      const comments = (whole: string): number => whole.split('// c, }').length
      if (remove.length === 0) expect(comments(done.ok ? done.value : '')).toBe(comments(text))
      for (const [key, value] of others)
        if (key !== 'mcpServers') expect(held.ok && valueAt(held.value, [key])).toEqual(value)
    }),
    { numRuns: runsOf(400) },
  )
})

test('secrets put back for their references give the server that its host had', () => {
  const word = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        '--token',
        '--api-key=abc123',
        'postgres://a:b@c/d?sslmode=x',
        'Bearer q7Rt2Lm9Xw4Zb8',
        '-e',
        'A=B',
        '$x',
        '{',
      ),
      fc.stringMatching(/^[A-Za-z0-9]{16,30}$/),
    )
    .filter((text) => !/\$\{/.test(text))
  const key = fc.constantFrom('API_KEY', 'URL', 'PASSWORD', 'X', 'Authorization', 'x-key', 'PATH')
  const server = fc.record({
    command: fc.constant('run'),
    args: fc.array(word, { maxLength: 4 }),
    env: fc.dictionary(key, word),
  })
  const remote = fc.record({ url: fc.webUrl({ withQueryParameters: true }), headers: fc.dictionary(key, word) })
  fc.assert(
    fc.property(fc.oneof(server, remote), (given) => {
      const secrets: Record<string, string> = {}
      const referred = withReferences(given, (use, value) => {
        const id = `secret:${use.replace(/[^\w.-]/g, '-')}.${Object.keys(secrets).length}`
        secrets[id] = value
        return `\${${id}}`
      })
      expect(expandDeep(referred, secrets)).toEqual({ ok: true, value: given })
    }),
    { numRuns: runsOf(160) },
  )
})
