// How long until a server behind us can be used, and what standing in front of it takes of memory? Started in turn, each as
// people start it: `wrap` speaks on its standard input and output, the two proxies by HTTP. Beside them, a server that somebody
// wrote with this library, and the same tools on the SDK alone.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { freePort } from '../free-port.ts'
import type { Aim } from './aims.ts'
import { median, table } from './figures.ts'
import { upstreamFile } from './gateway-servers.ts'
import { end, megabytes, processorSeconds } from './processes.ts'
import { proxies } from './proxies.ts'

const rounds = 5
/** Until a process has settled after its start, in milliseconds. */
const settledMs = 3000
const longestStartMs = 60_000

const countersign = fileURLToPath(new URL('../../dist/program/countersign.js', import.meta.url))
const three = fileURLToPath(new URL('serve-three.ts', import.meta.url))

/** Of one start, until the tools are listed; memory is of the process alone, without a server behind it. */
interface Start {
  readonly ms: number
  readonly processorSeconds: number
  readonly megabytes: number
}

async function figuresOf(client: Client, pid: number, began: number, tool = 'echo'): Promise<Start> {
  const { tools } = await client.listTools()
  if (!tools.some(({ name }) => name === tool)) throw new Error(`It has no tool ${tool}.`)
  const ms = performance.now() - began
  const seconds = processorSeconds(pid)
  await wait(settledMs)
  return { ms, processorSeconds: seconds, megabytes: megabytes(pid, 'smaps_rollup', 'Rss') }
}

async function startOnStdio(args: readonly string[], tool?: string): Promise<Start> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' })
  const client = new Client({ name: 'bench', version: '1' })
  const began = performance.now()
  await client.connect(transport)
  try {
    return await figuresOf(client, transport.pid ?? 0, began, tool)
  } finally {
    await client.close()
  }
}

async function startProxy(args: (port: number) => readonly string[]): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, args(port), { stdio: ['pipe', 'ignore', 'ignore'] })
  try {
    const client = await connected(new URL(`http://127.0.0.1:${port}/mcp`), began)
    return await figuresOf(client, child.pid ?? 0, began)
  } finally {
    await end(child)
  }
}

/** Tries again every few milliseconds until something answers. */
async function connected(url: URL, began: number): Promise<Client> {
  for (;;)
    try {
      const client = new Client({ name: 'bench', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(url))
      return client
    } catch (error) {
      if (performance.now() - began > longestStartMs) throw error
      await wait(5)
    }
}

/** Prints what a start takes, of `wrap` and of the proxies. */
export async function measureStarts(folder: string): Promise<readonly Aim[]> {
  if (process.platform !== 'linux') return []
  const starts: Readonly<Record<string, () => Promise<Start>>> = {
    'countersign wrap': () =>
      startOnStdio([countersign, 'wrap', '--db', join(folder, 'start.db'), '--', process.execPath, upstreamFile]),
    'mcp-proxy': () => startProxy(proxies.mcpProxy),
    supergateway: () => startProxy(proxies.supergateway),
    'three tools, this library': () => startOnStdio([three, 'countersign'], 'texts_keep'),
    'three tools, the SDK alone': () => startOnStdio([three, 'bare'], 'texts_keep'),
  }
  const taken = new Map<string, Start[]>()
  // The first round fills the caches of files.
  for (let round = 0; round <= rounds; round++)
    for (const [name, start] of Object.entries(starts)) {
      const one = await start()
      if (round > 0) taken.set(name, [...(taken.get(name) ?? []), one])
    }
  const of = (name: string, figure: keyof Start): number => median((taken.get(name) ?? []).map((one) => one[figure]))
  console.log(`start until the tools (of the server behind) are listed, ${rounds} times in turn, medians`)
  console.log(
    table([
      ['', 'start', 'CPU s', 'resident'],
      ...Object.keys(starts).map((name) => [
        name,
        `${of(name, 'ms').toFixed(0)} ms`,
        of(name, 'processorSeconds').toFixed(2),
        `${of(name, 'megabytes').toFixed(0)} MB`,
      ]),
    ]),
  )
  const share = (figure: keyof Start): number =>
    of('countersign wrap', figure) / Math.min(of('mcp-proxy', figure), of('supergateway', figure))
  return [
    { what: 'wrap, start, to the faster of two proxies', aim: 1, unit: 'times', measured: share('ms') },
    { what: 'wrap, memory, to the smaller of two proxies', aim: 1, unit: 'times', measured: share('megabytes') },
    {
      what: 'library on stdio, processor of a start, to the SDK alone',
      aim: 2,
      unit: 'times',
      measured:
        of('three tools, this library', 'processorSeconds') / of('three tools, the SDK alone', 'processorSeconds'),
    },
  ]
}
