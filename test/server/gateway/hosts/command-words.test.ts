// A command line is cut as a shell cuts it, or not at all.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { longest } from '../../../longest.ts'
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

test.each([
  'a "$X"',
  'a $X',
  "a $'b'",
  'a "`b`"',
  'a\nb c',
  'a b # c',
  'a ~/b',
  'a --dir=~/b',
  'a *.js',
  'a .?',
  'a {b,c}',
  '! a b',
  'if a b',
  'A+=1 a',
  'a b | c',
  'a && b',
  'a b; c',
  'a b > c',
  'a $(b c)',
  'a `b c`',
  'a "b c',
  'A=1 B=2',
])('no program is found in %s', async (line) => {
  expect(await cut(line)).toMatchObject({ ok: false, failure: expect.any(String) })
})

test('what only looks as if a shell did more with it is kept', async () => {
  const args = [
    '@scope/pkg@^1.2',
    'https://x.example/mcp?a=1#b*',
    'mcp[cli]',
    'a~b',
    '${TOKEN}',
    '${secret:a.KEY}',
    'a!',
  ]
  expect(await cut(['npx', ...args].join(' '))).toEqual({ ok: true, value: { command: 'npx', args, env: {} } })
})

test.each([
  [`run 'a b'`, ["'a", "b'"]],
  [`run "a\\"b" C:\\\\"d e"\\f`, ['a"b', 'C:\\d e\\f']],
  [`run "C:\\a b\\\\" ""`, ['C:\\a b\\', '']],
])('on Windows %s is cut as its programs cut it', async (line, args) => {
  expect(await cut(line, 'win32')).toEqual({ ok: true, value: { command: 'run', args, env: {} } })
})

test.each([
  // Two marks in quotes are one, and whether that ends the quotes is read differently.
  [`run "a""b"`, ['a"b']],
  [`run "a""" """b"`, undefined],
  [`run "a""b c"`, undefined],
  [`run """a"""`, ['"a"']],
  // cmd.exe knows no backslash: what follows lies outside of quotes for it.
  [`run "a\\" & b"`, undefined],
  [`run "a\\" b"`, ['a" b']],
  [`run "a\\"b" c & d"`, undefined],
  ['run %A B%', undefined],
  ['run "%A B%"', undefined],
  ['run 5% 10', ['5%', '10']],
  ['run %%', ['%%']],
  ['(run a)', undefined],
])('on Windows %s is cut where all who read it read the same', async (line, args) => {
  const done = await cut(line, 'win32')
  expect(done.ok ? [done.value.command, ...done.value.args] : undefined).toEqual(args && ['run', ...args])
})

test('on Windows the reason names the sign, or says what is unclear', async () => {
  const reason = async (line: string) => {
    const done = await cut(line, 'win32')
    return done.ok ? '' : done.failure
  }
  expect(await reason('run %A B%')).toBe('its command needs a shell (for %)')
  expect(await reason('run "a\\" & b"')).toBe('its command needs a shell (for &)')
  expect(await reason('run "a""b c"')).toBe(
    'its command has quotation marks in a row, which programs of Windows read differently',
  )
})

/** As Microsoft documents how to write an argument: backslashes are doubled before a mark, and a mark gets one. */
const quotedForWindows = (text: string): string =>
  `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`

test('on Windows words that somebody has quoted for a program come back as they were', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '\\', '"', "'", '\t', '&', '=', 'é'), maxLength: 8 })
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (args) => {
      const done = await cut(['run', ...args.map(quotedForWindows)].join(' '), 'win32')
      // With an ampersand where cmd.exe takes the quotes for closed there is no program.
      if (!done.ok) {
        expect([args.join(''), done.failure]).toEqual([
          expect.stringContaining('&'),
          expect.stringContaining('(for &)'),
        ])
        return
      }
      compared += 1
      expect(done.value).toEqual({ command: 'run', args, env: {} })
    }),
    { numRuns: 2000 },
  )
  expect(compared).toBeGreaterThan(500)
})

/** The arguments as the C runtime cuts them, sign by sign, in the order of its documented rules. */
function runtimeWords(line: string): readonly string[] {
  const words: string[] = []
  let at = 0
  for (;;) {
    while (line[at] === ' ' || line[at] === '\t') at++
    if (at >= line.length) return words
    let [word, isQuoted] = ['', false]
    for (; at < line.length && (isQuoted || (line[at] !== ' ' && line[at] !== '\t')); at++) {
      let slashes = 0
      for (; line[at] === '\\'; at++) slashes++
      if (line[at] !== '"') {
        word += '\\'.repeat(slashes)
        at--
        if (slashes > 0) continue
        at++
        word += line[at]
        continue
      }
      word += '\\'.repeat(slashes >> 1)
      if (slashes % 2 === 1) word += '"'
      else if (isQuoted && line[at + 1] === '"') {
        word += '"'
        at++
      } else isQuoted = !isQuoted
    }
    words.push(word)
  }
}

test('on Windows whatever is cut is what the C runtime cuts, and cmd.exe would have done nothing with it', async () => {
  const part = fc.constantFrom(
    'a',
    'b c',
    ' ',
    '\t',
    '"',
    '""',
    '"""',
    '\\',
    '\\\\',
    '\\"',
    '&',
    '|',
    '^',
    '%',
    '%x y%',
    "'",
  )
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
      const line = `run ${parts.join('')}`
      const done = await cut(line, 'win32')
      if (!done.ok || done.value.command !== 'run') return
      compared += 1
      expect([line, done.value.args]).toEqual([line, runtimeWords(line.trim().slice(3))])
      // Every other stretch between marks lies outside of quotes for cmd.exe.
      const outside = line.split('"').filter((_, at) => at % 2 === 0)
      expect([line, outside.join('')]).toEqual([line, expect.not.stringMatching(/[&|^]/)])
      expect([line, line.includes('%x y%')]).toEqual([line, false])
    }),
    { numRuns: 3000 },
  )
  expect(compared).toBeGreaterThan(300)
})

test.each(['run %APPDATA%\\x', 'run a & b', 'run a ^b', 'run "a'])(
  'on Windows no program is found in %s',
  async (line) => {
    expect(await cut(line, 'win32')).toMatchObject({ ok: false })
  },
)

test('whatever is cut is what sh starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sh-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = `run() { printf '%s\\n\\0' "$A" "$@"; }`
  const plain = [
    'a',
    'b',
    ' ',
    '  ',
    '\t',
    "'a b'",
    `'"'`,
    '"b c"',
    '"\\""',
    '"\\\\"',
    '"\\a"',
    '\\ ',
    '\\\\',
    "''",
    '""',
  ]
  const odd = ['=', '-', '/', ':', '.', ',', '@', '%', '[x]', '?', 'é', '!', '^', '\\\n', '"a\nb"', '"\\\n"', "'$A'"]
  const special = [
    ...'\n,\r,$,#,~,*,{,},`,;,|,&,<,>,(,)'.split(','),
    "'",
    '"',
    '\\',
    '$A',
    "$'a'",
    '"$A"',
    '"\\$"',
    '"`a`"',
    '{a,b}',
    '~/a',
    'if',
  ]
  const part = fc.oneof(
    { arbitrary: fc.constantFrom(...plain), weight: 6 },
    { arbitrary: fc.constantFrom(...odd), weight: 3 },
    { arbitrary: fc.constantFrom(...special), weight: 1 },
  )
  const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.option(text), text, text, async (value, front, back) => {
      const line = `${value === null ? '' : `A=${value} `}run ${front} ${back}`
      const done = await cut(line)
      if (!done.ok || done.value.command !== 'run') return
      compared += 1
      const env = { PATH: process.env['PATH'], HOME: folder }
      const started = spawnSync('sh', ['-c', `${run}\n${line}`], {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: longest,
      })
      const words = started.stdout.split('\n\0').slice(0, -1)
      expect([line, words, started.stderr]).toEqual([line, [done.value.env['A'] ?? '', ...done.value.args], ''])
    }),
    { numRuns: runsOf(2000) },
  )
  expect(compared).toBeGreaterThan(runsOf(200))
})

test('a path with blanks is one word where it is a file, or ends as programs of Windows do', async () => {
  const mac = '/Applications/My App/bin/mcp'
  expect(await cut(mac, 'linux', mac)).toMatchObject({ value: { command: mac, args: [] } })
  const windows = 'C:\\Program Files\\nodejs\\node.exe'
  expect(await cut(windows, 'win32')).toMatchObject({ value: { command: windows, args: [] } })
  expect(await cut('"C:\\My Tools\\node.exe" x.js', 'win32')).toMatchObject({
    value: { command: 'C:\\My Tools\\node.exe', args: ['x.js'] },
  })
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

test.each([
  ['npx mcp-remote https://a.example/mcp?a=1&b=2', '&'],
  ['run "p@ss!word $X"', '$'],
  ['run --token=s!cret#1;2 x', ';'],
  ['run x=~/notes', '~'],
  ['run src/*.json', '*'],
  ['run {a,b}', '{'],
  ['if x', 'if'],
])('of %j the sign is told that only a shell understands', async (line, sign) => {
  expect(await cut(line)).toEqual({ ok: false, failure: `its command needs a shell (for ${sign})` })
})

test.each([
  ['run a&b', '&'],
  ['run "a&b" %X%', '%'],
])('on Windows, of %j the sign is told that only cmd.exe understands', async (line, sign) => {
  expect(await cut(line, 'win32')).toEqual({ ok: false, failure: `its command needs a shell (for ${sign})` })
})
