// A relay between HTTP and the stdio of the bench's upstream, as a process of its own: `node serve-relay.ts <how>`. It reads
// each message, sends it on with an id of its own, and answers with what came: no session, no check, no record. `asking`: it
// asks for the list of tools before each call, as the gateway does (ADR 38), and makes nothing of it. What it costs, no
// gateway in a process of its own saves. Prints its address as one line of JSON; ends when its stdin does.
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { upstreamFile } from './gateway-servers.ts'

interface Message {
  readonly id?: number | string
  readonly method?: string
}

const isAsking = process.argv[2] === 'asking'
const child = spawn(process.execPath, [upstreamFile], { stdio: ['pipe', 'pipe', 'ignore'] })
const waiting = new Map<number | string, (answer: Message) => void>()
createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line) as Message
  if (message.id === undefined || message.method !== undefined) return
  waiting.get(message.id)?.(message)
  waiting.delete(message.id)
})

const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
let last = 0
const ask = (message: Message): Promise<Message> =>
  new Promise((resolve) => {
    const id = ++last
    waiting.set(id, resolve)
    send({ ...message, id })
  })

async function bodyOf(request: IncomingMessage): Promise<Message> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Message
}

const http = createServer((request, response) => {
  void (async () => {
    const message = await bodyOf(request)
    if (isAsking && message.method === 'tools/call')
      await ask({ jsonrpc: '2.0', method: 'tools/list', params: {} } as Message)
    const answer = JSON.stringify({ ...(await ask(message)), id: message.id })
    if (message.method === 'initialize') send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
      .end(answer)
  })()
})
http.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` }))
})
for await (const _ of process.stdin);
child.stdin.end()
http.close()
http.closeAllConnections()
