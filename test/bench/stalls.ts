// One caller must not keep the others waiting. Hostile inputs go to a gateway one after another, while another process
// asks its /healthz again and again; the longest time without an answer is what the input cost everybody else.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
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

/** Prints the longest pause beside each input. */
export const stalls = (): Promise<void> =>
  withFolder(async (folder) => {
    const served = await start('serve-gateway.ts', `${folder}/stalls.db`, 'full', '2')
    const child = spawn(process.execPath, ['-e', asker, new URL('/healthz', served.url).href], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })
    const longest = async (): Promise<number> => {
      const told = once(lines, 'line')
      child.stdin.write('longest\n')
      return Number((await told)[0])
    }
    try {
      const idle = await beside(longest, () => new Promise((resolve) => setTimeout(resolve, 2000)))
      console.log(`stalls: longest pause of /healthz; ${idle.toFixed(0)} ms in two idle seconds`)
      const pauses: number[] = []
      for (const [name, body] of hostileInputs()) {
        let status = ''
        const pause = await beside(longest, async () => void (status = await send(served.url, body)))
        pauses.push(pause)
        console.log(`  ${pause.toFixed(0).padStart(6)} ms  ${status.padStart(6)}  ${name} (${mb(body)})`)
      }
      console.log(`  longest of ${pauses.length}: ${Math.max(...pauses).toFixed(0)} ms (aim: below 100 ms)`)
    } finally {
      child.stdin.end()
      await served.stop()
    }
  })

const mb = (body: Buffer): string => `${(body.length / 1e6).toFixed(1)} MB`

/** What is asked when the work ends is answered after it, so the pause is read a moment later. */
async function beside(longest: () => Promise<number>, work: () => Promise<unknown>): Promise<number> {
  await longest()
  await work()
  await new Promise((resolve) => setTimeout(resolve, 100))
  return longest()
}
