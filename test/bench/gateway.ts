// What does standing in front of a server cost? The same server from npm is asked directly, through two well-known
// proxies, and through us, in turn, so that whatever else the machine does hits all of them alike.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../free-port.ts'
import { compose } from '../../server/compose/compose.ts'
import type { Aim } from './aims.ts'
import { median, ms, quantile, table } from './figures.ts'
import { benchGateway, upstreamFile } from './gateway-servers.ts'
import { measureStarts } from './gateway-start.ts'
import { end, start, withFolder } from './processes.ts'
import { proxies } from './proxies.ts'
import { openClient } from './raw-client.ts'
import { issuesWith } from '../kit/schemas.ts'
import type { Contract } from '../../server/tools/contract.ts'

const warmUp = 300
const rounds = 2000
const longestMs = 60_000

const rows = {
  direct: 'directly, over stdio',
  mcpProxy: 'mcp-proxy',
  supergateway: 'supergateway',
  relay: 'a relay of 40 lines',
  asking: 'the same, asking for the tools first',
  pass: 'Countersign, pass-through',
  full: 'Countersign, full',
} as const
type Row = keyof typeof rows
const rowNames = Object.keys(rows) as Row[]

interface Contestant {
  /** Milliseconds of one call, from its request to its last byte. */
  call(message: string): Promise<number>
  stop(): Promise<void>
}

const echo = (message: string) => ({ name: 'echo', arguments: { message } })
const throughDoor = (server: string, message: string) => ({
  name: `${server}:echo`,
  args_json: JSON.stringify({ message }),
  intent: { operation_type: 'read', reason: 'The benchmark asks for it.' },
})

/** A fast error is not a fast answer. */
function expectEcho(body: string, message: string): void {
  if (!body.includes(`Echo: ${message}`)) throw new Error(`It answered something else: ${body.slice(0, 300)}`)
}

/** Measures and prints. */
export function gateway(): Promise<readonly Aim[]> {
  return withFolder(async (folder) => {
    console.log('gateway: one call at a time, the same server from npm behind each; HTTP on the loopback, raw client')
    console.log()
    const taken = await takeTurns(folder)
    printRows(taken)
    console.log()
    const added = (row: Row): number => median(taken[row]) - median(taken.direct)
    const peer = Math.min(added('mcpProxy'), added('supergateway'))
    const note = `peer: the faster proxy; a relay that does nothing else adds ${ms(added('relay'))}, and ${ms(added('asking'))} where it asks for the tools first`
    return [
      { what: 'gateway with a durable record, added p50', aim: 0.8, unit: 'ms', measured: added('full'), peer, note },
      { what: 'gateway, pass-through, added p50', aim: 0.8, unit: 'ms', measured: added('pass'), peer, note },
      { what: 'validation of a gateway call, p50', aim: 50, unit: 'µs', measured: await printValidation() },
      ...(await measureStarts(folder)),
    ]
  })
}

async function takeTurns(folder: string): Promise<Record<Row, number[]>> {
  const opened: Partial<Record<Row, Contestant>> = {}
  const taken = Object.fromEntries(rowNames.map((row) => [row, [] as number[]])) as Record<Row, number[]>
  try {
    opened.direct = await openDirect()
    opened.mcpProxy = await openProxy(proxies.mcpProxy)
    opened.supergateway = await openProxy(proxies.supergateway)
    opened.relay = await openRelay('plain')
    opened.asking = await openRelay('asking')
    opened.pass = await openOurs(folder, 'pass')
    opened.full = await openOurs(folder, 'full')
    const end = performance.now() + longestMs
    for (let round = 0; round < warmUp + rounds && performance.now() < end; round++) {
      const message = `Round ${round}.`
      // Who comes after whom changes, so that nobody always follows the slowest.
      for (let turn = 0; turn < rowNames.length; turn++) {
        const row = rowNames[(turn + round) % rowNames.length] ?? 'direct'
        const took = await opened[row]?.call(message)
        if (round >= warmUp && took !== undefined) taken[row].push(took)
      }
    }
  } finally {
    await Promise.all(Object.values(opened).map((each) => each.stop()))
  }
  return taken
}

function printRows(taken: Record<Row, number[]>): void {
  const base = { p50: median(taken.direct), p99: quantile(taken.direct, 0.99) }
  const line = (row: Row): string[] => {
    const [p50, p99] = [median(taken[row]), quantile(taken[row], 0.99)]
    return [
      rows[row],
      ms(p50),
      row === 'direct' ? '' : ms(p50 - base.p50),
      ms(p99),
      row === 'direct' ? '' : ms(p99 - base.p99),
    ]
  }
  console.log(table([['', 'p50', 'added', 'p99', 'added'], ...rowNames.map(line)]))
  console.log()
  console.log(
    `  ${taken.direct.length} rounds after ${warmUp} to warm up, the rows in turn; echo of server-everything:`,
  )
  console.log('  directly          one JSON line to its stdin, one from its stdout')
  console.log('  the two proxies   the same server as their child, one kept session, JSON or a stream as they answer')
  console.log(
    '  a relay           reads each message and sends it on, and nothing else; the second one asks `tools/list` first',
  )
  console.log('  pass-through      wrap, without an activity log')
  console.log('  full              gateway: intent and arguments validated, the call recorded on disk')
}

/** The server itself, with nothing in between but a pipe. */
async function openDirect(): Promise<Contestant> {
  const child = spawn(process.execPath, [upstreamFile], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (line: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: number }
    if (id !== undefined) waiting.get(id)?.(line)
  })
  let last = 0
  const ask = (method: string, params: unknown): Promise<string> =>
    new Promise((resolve) => {
      const id = ++last
      waiting.set(id, (line) => {
        waiting.delete(id)
        resolve(line)
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'bench', version: '1' },
    capabilities: {},
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return {
    call: async (message) => {
      const begun = performance.now()
      const line = await ask('tools/call', echo(message))
      const took = performance.now() - begun
      expectEcho(line, message)
      return took
    },
    stop: () => end(child),
  }
}

async function openProxy(args: (port: number) => readonly string[]): Promise<Contestant> {
  const port = await freePort()
  const child = spawn(process.execPath, args(port), { stdio: ['pipe', 'ignore', 'ignore'] })
  await listening(port)
  return overHttp(`http://127.0.0.1:${port}/mcp`, () => end(child))
}

async function openRelay(how: 'plain' | 'asking'): Promise<Contestant> {
  const relay = await start('serve-relay.ts', how)
  return overHttp(relay.url, () => relay.stop())
}

/** Who hands on a call as it is. */
async function overHttp(url: string, stop: () => Promise<void>): Promise<Contestant> {
  const client = await openClient(url)
  return {
    call: async (message) => {
      const { ms, body } = await client.call('echo', { message })
      expectEcho(body, message)
      return ms
    },
    stop: async () => {
      client.close()
      await stop()
    },
  }
}

async function openOurs(folder: string, how: 'pass' | 'full'): Promise<Contestant> {
  const served = await start('serve-gateway.ts', join(folder, `${how}.db`), how)
  const client = await openClient(served.url)
  return {
    call: async (message) => {
      const { ms, body } =
        how === 'pass'
          ? await client.call('echo', { message, rationale: 'The benchmark asks for it.' })
          : await client.call('call_tool_read', throughDoor('s1', message))
      expectEcho(body, message)
      return ms
    },
    stop: async () => {
      client.close()
      await served.stop()
    },
  }
}

/** What our own checks take, without any wire: both keys, the annotations, the JSON and the server's schema. */
async function printValidation(): Promise<number> {
  const composed = await compose({
    file: ':memory:',
    gateway: { config: await benchGateway(1), mode: 'gateway', patienceMs: 60_000 },
  })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts } = composed.value
  try {
    const validate = async (message: string): Promise<boolean> => {
      const door = parts.gatewayTools?.translate('call_tool_read', throughDoor('s1', message))
      if (door === undefined) return false
      const { found, args } = door as {
        found?: { contract: Contract }
        args: { rationale?: string }
      }
      const { rationale: _, ...own } = args
      return found !== undefined && issuesWith(found.contract.input, own).length === 0
    }
    const took: number[] = []
    for (let round = 0; round < 20_000; round++) {
      const begun = performance.now()
      const valid = await validate(`Round ${round}.`)
      if (round >= 2000) took.push((performance.now() - begun) * 1000)
      if (!valid) throw new Error('The call was not valid.')
    }
    console.log(`validation alone: p50 ${median(took).toFixed(1)} µs, p99 ${quantile(took, 0.99).toFixed(1)} µs`)
    return median(took)
  } finally {
    await composed.value.close()
  }
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const socket = connect(port, '127.0.0.1')
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Nothing listens on port ${port}.`)
}
