// A command line is cut as a shell cuts it, or not at all.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandWords } from '../../../../server/gateway/hosts/command-words.ts'

const cut = (line: string, platform: 'linux' | 'win32' = 'linux', file = '') =>
  commandWords(line, { platform }, async (path) => path === file)

test.each([
  ['npx @playwright/mcp@latest', ['npx', '@playwright/mcp@latest'], {}],
  ['  npx   -y  pkg ', ['npx', '-y', 'pkg'], {}],
  [`run 'a b' "c d" e\\ f`, ['run', 'a b', 'c d', 'e f'], {}],
  [`run "say \\"x\\"" 'it''s'`, ['run', 'say "x"', 'its'], {}],
  [`run '' "a|b"`, ['run', '', 'a|b'], {}],
  ['A=1 B="x y" run --c=d', ['run', '--c=d'], { A: '1', B: 'x y' }],
  ['run', ['run'], {}],
])('%s', async (line, words, env) => {
  const done = await cut(line)
  expect(done).toMatchObject({ ok: true, value: { env } })
  expect(done.ok && [done.value.command, ...done.value.args]).toEqual(words)
})

test.each(['a b | c', 'a && b', 'a b; c', 'a b > c', 'a $(b c)', 'a `b c`', 'a "b c', 'A=1 B=2'])(
  'no program is found in %s',
  async (line) => {
    expect(await cut(line)).toMatchObject({ ok: false, failure: expect.any(String) })
  },
)

test('a path with blanks is one word where it is a file, or ends as programs of Windows do', async () => {
  const mac = '/Applications/My App/bin/mcp'
  expect(await cut(mac, 'linux', mac)).toMatchObject({ value: { command: mac, args: [] } })
  const windows = 'C:\\Program Files\\nodejs\\node.exe'
  expect(await cut(windows, 'win32')).toMatchObject({ value: { command: windows, args: [] } })
  expect(await cut('node C:\\srv\\x.js "a b"', 'win32')).toMatchObject({
    value: { command: 'node', args: ['C:\\srv\\x.js', 'a b'] },
  })
})

test('words that somebody has quoted for a shell come back as they were', async () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'))
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 5 }), async (args) => {
      const done = await cut(['run', ...args.map(quoted)].join(' '))
      expect(done).toEqual({ ok: true, value: { command: 'run', args, env: {} } })
    }),
  )
})
