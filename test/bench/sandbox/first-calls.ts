// What an agent waits for its first program in JavaScript, as it is installed (`dist`) and in a process of its own each time:
// of the sandbox alone, and of the first call of `execute_code` over stdio. Beside it, in the same round, the least that it
// could be: a thread of Node, without anything and with QuickJS as its package has it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, ms, table, times } from '../figures.ts'
import { withFolder } from '../processes.ts'
import type { Aim } from '../aims.ts'
import { one, spread, timed } from './peers.ts'

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const countersign = fromHere('../../../dist/program/countersign.js')
const rounds = 9
/** By then a server has started what it starts before it is asked. */
const settledMs = 2000

interface Took {
  readonly ms: number
  /** Milliseconds of the processor, all threads, where that is known. */
  readonly processor?: number
}

/** What a program that calls `begin` and `end` took in between. */
function inProcess(script: string): Took {
  const measured = `${script}
    function begin() {
      globalThis.from = [process.cpuUsage(), performance.now()]
    }
    function end() {
      const ms = performance.now() - from[1]
      const { user, system } = process.cpuUsage(from[0])
      console.log(JSON.stringify({ ms, processor: (user + system) / 1000 }))
    }`
  const line = ['--input-type=module', '--eval', measured]
  return JSON.parse(execFileSync(process.execPath, line, { encoding: 'utf8' })) as Took
}

const thread = (code: string): string => `
  import { Worker } from 'node:worker_threads'
  begin()
  const worker = new Worker(${JSON.stringify(code)}, { eval: true, execArgv: [] })
  worker.once('error', (error) => { throw error })
  worker.once('message', end)`

const says = `require('node:worker_threads').parentPort.postMessage(1)`

const quickJs = `(async () => {
  const { newQuickJSWASMModuleFromVariant } = require('quickjs-emscripten-core')
  const variant = require('@jitl/quickjs-wasmfile-release-sync').default
  const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext()
  context.unwrapResult(context.evalCode(${JSON.stringify(one.javascript)})).dispose()
  ${says}
})()`

const program = fromHere('../../../dist/program')
/** The part of the program that has the sandbox: its name ends in a digest. */
const builtSandbox = (): string =>
  readdirSync(program).find((name) => /^open-sandbox-.*\.js$/.test(name)) ?? 'open-sandbox.js'

const sandbox = (before: string): string => `
  import { openSandbox } from ${JSON.stringify(join(program, builtSandbox()))}
  const sandbox = openSandbox()
  ${before}
  begin()
  const ran = await sandbox.run({ tenant: 'a', subject: 'b' }, { language: 'javascript', code: ${JSON.stringify(one.javascript)} })
  if (ran.value?.ended !== 'finished') throw new Error(JSON.stringify(ran))
  end()
  await sandbox.close()`

const expected = `sandbox.expectPrograms(); await new Promise((go) => setTimeout(go, ${settledMs}))`

/** Milliseconds of the first call of a server, so long after the handshake. */
async function firstCall(folder: string, pauseMs: number): Promise<Took> {
  const client = new Client({ name: 'bench', version: '1' })
  const args = ['--no-warnings', countersign, 'demo', '--stdio', '--db', join(folder, 'countersign.db')]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  await client.listTools()
  await wait(pauseMs)
  const ms = await timed(async () => {
    const given = { rationale: 'The benchmark asks for it.', language: 'javascript', code: one.javascript }
    const { isError, content } = await client.callTool({ name: 'execute_code', arguments: given })
    if (isError === true) throw new Error(JSON.stringify(content))
  })
  await client.close()
  return { ms }
}

/** Prints what first programs take, and what stands below them. */
export async function firstPrograms(): Promise<readonly Aim[]> {
  return withFolder(async (folder) => {
    const measures: readonly (readonly [name: string, measure: () => Took | Promise<Took>])[] = [
      ['a thread of Node that does nothing', () => inProcess(thread(says))],
      ['a thread with quickjs-emscripten bare: its first run', () => inProcess(thread(quickJs))],
      ['the sandbox alone, at once', () => inProcess(sandbox(''))],
      ['the sandbox alone, expected for two seconds', () => inProcess(sandbox(expected))],
      ['execute_code over stdio, at once', () => firstCall(folder, 0)],
      ['execute_code over stdio, two seconds later', () => firstCall(folder, settledMs)],
    ]
    const taken = measures.map((): Took[] => [])
    for (let round = 0; round <= rounds; round += 1)
      for (const [at, [, measure]] of measures.entries()) {
        const took = await measure()
        // In the first round files are read from disk, and what Node compiles is kept for the others.
        if (round > 0) taken[at]?.push(took)
      }
    const rows = measures.map(([name], at) => {
      const all = taken[at] ?? []
      const processor = all.flatMap((each) => each.processor ?? [])
      return [name, ...spread(all.map(({ ms }) => ms)), processor.length === 0 ? '' : ms(median(processor))]
    })
    console.log(`First programs in JavaScript, each in a process of its own (load ${loadavg()[0]?.toFixed(1)})`)
    console.log(table([['', 'p50', 'p99', 'processor, p50'], ...rows]))
    const middle = (at: number): number => median((taken[at] ?? []).map((each) => each.ms))
    // What the first program waits for at least: a thread, and in it QuickJS as its package has it.
    const bare = middle(1)
    const note = `peer: a thread of Node (${ms(middle(0))}) that runs quickjs-emscripten; ours takes ${times(middle(2) / bare)}`
    return [
      {
        what: 'JavaScript, first program, where a server has been up for two seconds',
        aim: 60,
        unit: 'ms',
        measured: middle(3),
      },
      {
        what: 'execute_code in JavaScript over stdio, first program, where a server has been up for two seconds',
        aim: 60,
        unit: 'ms',
        measured: middle(5),
      },
      { what: 'JavaScript, first program, at once', aim: 60, unit: 'ms', measured: middle(2), peer: bare, note },
      {
        what: 'execute_code in JavaScript over stdio, first program, at once',
        aim: 60,
        unit: 'ms',
        measured: middle(4),
        peer: bare,
      },
    ]
  })
}
