// One caller must not keep the others waiting. Hostile inputs go to a gateway one after another, while another process
// asks its /healthz again and again; the longest time without an answer is what the input cost everybody else.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Aim } from './aims.ts'
import { hostileInputs } from './hostile-inputs.ts'
import { start, withFolder } from './processes.ts'

/** A process of its own, so that what is sent here does not count; for each line it tells the longest answer since. */
const asker = `
  const { Agent, get } = require('node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let longest = 0
  const ask = () => {
    const begun = performance.now()
    const ended = () => {
      longest = Math.max(longest, performance.now() - begun)
      setTimeout(ask, 1)
    }
    get(process.argv[1], { agent }, (answer) => answer.resume().once('end', ended)).once('error', ended)
  }
  process.stdin.on('data', () => {
    console.log(longest)
    longest = 0
  })
  process.stdin.once('end', () => process.exit())
  ask()
`

/** Sends a body and reads the answer to its end; the status, or that the connection was closed. */
function send(url: string, body: Buffer): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': body.length,
  }
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume().once('close', () => resolve(String(answer.statusCode)))
    })
    sent.once('error', () => resolve('closed'))
    sent.end(body)
  })
}

/** Asks an address again and again from a process of its own. */
function startAsking(address: URL): { longest(): Promise<number>; stop(): void } {
  const child = spawn(process.execPath, ['-e', asker, address.href], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return {
    async longest() {
      const told = once(lines, 'line')
      child.stdin.write('longest\n')
      return Number((await told)[0])
    },
    stop: () => child.stdin.end(),
  }
}

/**
 * Prints the longest pause beside each input. Two figures tell what of it is ours on a machine that has other work, too:
 * the longest pause of an idle server at the same time, and how long the thread that answers has worked in all, which no
 * pause of ours is longer than.
 */
export const stalls = (): Promise<readonly Aim[]> =>
  withFolder(async (folder) => {
    const served = await start('serve-gateway.ts', `${folder}/stalls.db`, 'full', '2')
    const idle = await start('serve-gateway.ts', `${folder}/idle.db`, 'full', '2')
    const [asking, control] = [served, idle].map(({ url }) => startAsking(new URL('/healthz', url)))
    if (asking === undefined || control === undefined) throw new Error('Two servers are asked.')
    const worked = async (): Promise<number> => ((await served.ask('processor'))[0] ?? 0) / 1000
    /** What is asked when the work ends is answered after it, so the pauses are read a moment later. */
    const beside = async (work: () => Promise<unknown>): Promise<Figures> => {
      const [before] = await Promise.all([worked(), asking.longest(), control.longest()])
      await work()
      await new Promise((resolve) => setTimeout(resolve, 100))
      const [after, pause, ofIdle] = await Promise.all([worked(), asking.longest(), control.longest()])
      return { pause, ofIdle, work: after - before }
    }
    try {
      console.log('stalls: longest pause of /healthz, that of an idle server beside it, all work of the thread; in ms')
      const rows: Figures[] = []
      const say = (figures: Figures, what: string): void => console.log(`  ${columns(figures)}  ${what}`)
      say(await beside(() => new Promise((resolve) => setTimeout(resolve, 2000))), '        two idle seconds')
      for (const [name, body] of hostileInputs()) {
        let status = ''
        const figures = await beside(async () => void (status = await send(served.url, body)))
        rows.push(figures)
        say(figures, `${status.padStart(6)}  ${name} (${mb(body)})`)
      }
      const most = (of: (figures: Figures) => number): number => Math.max(...rows.map(of))
      say(
        { pause: most((each) => each.pause), ofIdle: most((each) => each.ofIdle), work: most((each) => each.work) },
        `longest of ${rows.length}`,
      )
      return [
        {
          what: 'longest pause of a gateway by hostile input',
          aim: 100,
          unit: 'ms',
          measured: most((each) => each.pause),
        },
      ]
    } finally {
      asking.stop()
      control.stop()
      await Promise.all([served.stop(), idle.stop()])
    }
  })

interface Figures {
  readonly pause: number
  readonly ofIdle: number
  readonly work: number
}

const columns = ({ pause, ofIdle, work }: Figures): string =>
  [pause, ofIdle, work].map((ms) => ms.toFixed(0).padStart(5)).join(' ')

const mb = (body: Buffer): string => `${(body.length / 1e6).toFixed(1)} MB`
