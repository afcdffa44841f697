// The shells themselves say what changes something: every line that is rated a read runs in bash and in dash, in a folder
// where whatever it changed would be seen. `npm run bench -- shell` asks them the same of thousands of lines.
import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownCommands } from '../../../../server/gateway/programs/shell/commands.ts'
import { loadShellParser } from '../../../../server/gateway/programs/shell/parser.ts'
import { readShell } from '../../../../server/gateway/programs/shell/shell.ts'
import { longest } from '../../../longest.ts'
import { casesOf, runsOf } from '../../../full.ts'
import { shellSandbox, type ShellSandbox } from '../../../kit/shell-sandbox.ts'
import { reading } from './shell-lines.ts'

const shells = ['bash', 'dash'] as const

let sandbox: ShellSandbox

beforeAll(async () => {
  await loadShellParser()
  sandbox = shellSandbox()
})

afterAll(() => sandbox.remove())

const isRead = (line: string): boolean => readShell(line, 'posix').risk === 'low'

test.each(['touch z', 'rm a', 'sort -o b a', 'uniq a b', 'chmod 600 a', 'echo x >> a', 'tar cf z a', "sed -n 'w z' a"])(
  'that %s changes something is seen',
  (line) => {
    for (const shell of shells) expect(sandbox.run(shell, line), shell).toBeDefined()
  },
)

test('which of many lines changes something is found', () => {
  const lines = ['ls', 'touch z', 'cat a', 'rm b']
  expect(sandbox.changing(shells, lines).map(({ line }) => line)).toEqual(['touch z', 'rm b'])
})

test('nothing that is rated a read changes anything', () => {
  expect(sandbox.changing(shells, reading)).toEqual([])
})

const waits = /^sleep/

test.each(casesOf(knownCommands, (name) => name, ['find', 'sort', 'sed']))(
  'no option of %s that is rated a read writes, whatever stands behind it',
  (name) => {
    const { stdout, stderr } = spawnSync(name, ['--help'], { encoding: 'utf8', timeout: longest })
    const said = `${stdout ?? ''}${stderr ?? ''}`
    const options = [...new Set(Array.from(said.matchAll(/(?<![\w-])--?[A-Za-z0-9][\w-]*/g), ([option]) => option))]
    const lines = ['', ...options].flatMap((option) => [
      `${name} ${option} a z`,
      `${name} ${option} z a`,
      `${name} ${option}${option.startsWith('--') ? '=' : ''}z a b`,
    ])
    const asked = lines.filter((line) => isRead(line) && !waits.test(line))
    expect(sandbox.run('dash', asked.map((line) => `timeout 1 ${line}`).join('\n'), longest)).toBeUndefined()
  },
)

test('nor does any line of odd parts', () => {
  const start = fc.constantFrom(
    'ls',
    'cat a',
    'sort a',
    'uniq',
    'find .',
    'sed -n 1p',
    'awk',
    'echo',
    'printf',
    'test -f',
    'xargs',
    'timeout 1',
  )
  const part = fc.constantFrom(
    'a',
    'z',
    '-o',
    '-n',
    '-e',
    '-i',
    '-f',
    '-delete',
    '1p',
    "'{print $1}'",
    '$X',
    '$f',
    '*',
    '"',
    "'",
    '\\',
    '$(',
    '`',
    ')',
    ';',
    '&',
    '&&',
    '|',
    '>',
    '>>',
    '2>&1',
    '>/dev/null',
    '<',
    '\n',
    '#',
    '!',
    '{',
    '}',
    'touch z',
    'for f in a; do',
    'done',
    "'; touch z; '",
    '"; touch z; "',
    '"\\"; touch z; \\""',
    "'a\\'",
    "'w z'",
    '{a,b}',
  )
  const line = fc.tuple(start, fc.array(part, { maxLength: 6 })).map(([first, parts]) => [first, ...parts].join(' '))
  fc.assert(
    fc.property(line.filter(isRead), (text) => {
      expect(sandbox.run(shells, text)).toBeUndefined()
    }),
    { numRuns: runsOf(200) },
  )
})
