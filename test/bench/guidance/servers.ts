// How often an error of a real server is told for what it is (test/errors/recorded), servers that rules were not written for
// apart, and what one explanation costs: on texts that were made to cost, and beside a failing call of a real server.
import { createRequire } from 'node:module'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { explainAnswer } from '../../../server/errors/explain/explain-answer.ts'
import { answerRuleList } from '../../../server/errors/explain/rules/find-rule.ts'
import type { Answered } from '../../../server/errors/explain/stated.ts'
import { readProfile } from '../../../server/gateway/profiles/read-profile.ts'
import { compiledPattern } from '../../../server/gateway/rules/condition.ts'
import { quoted } from '../../../server/rail/answers/explained.ts'
import { recordedErrors } from '../../errors/recorded.ts'
import { ms, quantile, table } from '../figures.ts'

interface Counted {
  errors: number
  explained: number
  right: number
}

const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)

function shares(): readonly (readonly string[])[] {
  const rows = [...recordedErrors()].map(([server, { tuned, errors }]) => {
    const counted: Counted = { errors: 0, explained: 0, right: 0 }
    for (const { text, structured, code, class: said } of errors) {
      const { type } = explainAnswer({ text, structured, ...(code === undefined ? {} : { rpcCode: code }) }, quoted)
      counted.errors++
      if (type !== undefined) counted.explained++
      if ([said].flat().includes(type ?? 'upstream_error')) counted.right++
    }
    return { server, tuned: tuned === true, counted }
  })
  const rowOf = (name: string, of: readonly Counted[]): readonly string[] => {
    const sum = (key: keyof Counted): number => of.reduce((total, one) => total + one[key], 0)
    const errors = sum('errors')
    return [name, String(errors), share(sum('explained'), errors), share(sum('right'), errors)]
  }
  return [true, false].flatMap((tuned) => {
    const some = rows.filter((row) => row.tuned === tuned)
    return [
      rowOf(
        tuned ? 'rules were written for' : 'rules were not written for',
        some.map(({ counted }) => counted),
      ),
      ...some.map(({ server, counted }) => rowOf(`  ${server}`, [counted])),
    ]
  })
}

const size = 10_240
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
const words = answerRuleList.flatMap((rule) => rule.words).join(' ')
/** The beginnings of all examples: each lets its pattern run and then fails. */
const halves = answerRuleList
  .flatMap((rule) => rule.matches.map((text) => text.slice(0, Math.ceil(text.length / 2))))
  .join('\n')

const hostile: Readonly<Record<string, Answered>> = {
  'a short error': { text: "ENOENT: no such file or directory, open '/data/none.txt'" },
  'ten kilobytes of words': { text: fill('some words of a log line\n') },
  'every word of every rule': { text: fill(`${words} `) },
  'half of every example': { text: fill(`${halves}\n`) },
  'one letter, ten thousand times': { text: 'a'.repeat(size) },
  'words of two letters': { text: fill('ab ') },
  'open brackets': { text: fill('{"a":[') },
  'brackets and quotation marks': { text: fill('{["\\') },
  'a deep JSON': { text: `${'{"a":'.repeat(1700)}1${'}'.repeat(1700)}` },
  'a wide JSON': { text: JSON.stringify({ errors: Array.from({ length: 300 }, (_, at) => ({ message: `m${at}` })) }) },
  'a list of problems': {
    structured: {
      status: 422,
      title: 'x',
      errors: Array.from({ length: 5000 }, (_, at) => ({ pointer: `#/${at}`, detail: 'no' })),
    },
  },
  'arguments that are refused': { text: fill('Invalid arguments for tool x: Invalid input: no at a\n') },
  'numbers that are waits': { text: fill('429: try again in 9 ') },
}

const runs = 2000

function timesOf(work: () => void): readonly string[] {
  const measured: number[] = []
  for (let at = 0; at < runs; at++) {
    const began = performance.now()
    work()
    if (at >= runs / 5) measured.push(performance.now() - began)
  }
  return [ms(quantile(measured, 0.5)), ms(quantile(measured, 0.99))]
}

/** What the errors of a profile cost on the part of a text that they look at. */
function ofProfiles(): readonly (readonly string[])[] {
  return ['git-cyanheads', 'playwright'].map((name) => {
    const read = readProfile(readFileSync(`profiles/${name}.yaml`, 'utf8'), name)
    const patterns = read.ok ? (read.value.errors ?? []).map(({ matches }) => compiledPattern(matches)) : []
    const text = fill(`${words} `).slice(0, 1000)
    return [`the profile of ${name} before it`, ...timesOf(() => patterns.forEach((each) => each.test(text)))]
  })
}

/** Milliseconds of a call that a real server refuses, over stdio and without us. */
async function failingCall(): Promise<number> {
  const entry = join(
    dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')),
    'dist/index.js',
  )
  const folder = mkdtempSync(join(tmpdir(), 'guidance-'))
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [entry, folder], stderr: 'ignore' }))
  const measured: number[] = []
  for (let at = 0; at < 300; at++) {
    const began = performance.now()
    await client.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'none.txt') } })
    if (at >= 50) measured.push(performance.now() - began)
  }
  await client.close()
  return quantile(measured, 0.5)
}

/** Prints how errors of servers are explained, and what that costs. */
export async function errorsOfServers(): Promise<void> {
  const head = ['', 'errors', 'explained', 'right class']
  console.log(`\nguidance: errors of servers\n${table([head, ...shares()])}`)
  const costs = Object.entries(hostile).map(([name, answered]) => [
    name,
    ...timesOf(() => void explainAnswer(answered, quoted)),
  ])
  console.log(
    `\nguidance: cost of one error of a server\n${table([['text', 'half', 'p99'], ...costs, ...ofProfiles()])}`,
  )
  const call = await failingCall()
  const began = performance.now()
  for (let at = 0; at < runs; at++) explainAnswer(hostile['a short error'] ?? {}, quoted)
  const each = (performance.now() - began) / runs
  console.log(
    `\n  a call that server-filesystem refuses takes ${ms(call)}, its explanation ${ms(each)}: ${share(each, call)} of it`,
  )
}
