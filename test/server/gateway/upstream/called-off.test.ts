// An attempt to connect that is called off, as where the gateway ends: nothing more is said to its server, and nobody waits.
import { createServer as createHttpServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../../server/gateway/upstream/connection/connection.ts'
import { listening, listeningUntil } from '../../../kit/listening.ts'
import { readGatewayText } from '../read-text.ts'

interface Beginning {
  readonly opening: Promise<unknown>
  readonly calledOff: AbortController
}

/** Begins to connect to that address. */
async function begin(url: string): Promise<Beginning> {
  const calledOff = new AbortController()
  const nothing = () => undefined
  const events = { onClose: nothing, onNotification: nothing, onTrouble: nothing }
  const config = await readGatewayText(JSON.stringify({ mcpServers: { it: { url } } }), {})
  const server = config.ok ? config.value.servers['it'] : undefined
  if (server === undefined) throw new Error('The settings name a server.')
  const opening = openConnection(server, '1', events, { timeoutMs: 60_000, signal: calledOff.signal })
  return { opening, calledOff }
}

test('an attempt that is called off while it begins asks its server nothing', async () => {
  const asked: string[] = []
  const http = createHttpServer(({ method }, response) => {
    asked.push(String(method))
    response.writeHead(404).end()
  })
  onTestFinished(() => void http.close())
  const { opening, calledOff } = await begin(`${await listening(http)}/mcp`)
  calledOff.abort(new Error('the server ends'))
  await expect(opening).rejects.toThrow('the server ends')
  expect(asked).toStrictEqual([])
})

test.each([
  ['the question which version is spoken', 'server/discover', ['server/discover']],
  ['initialize', 'initialize', ['server/discover', 'initialize']],
])('an attempt that is called off during %s ends with that, and says nothing more', async (_, during, heard) => {
  const asked: string[] = []
  const reached = Promise.withResolvers<void>()
  const http = createHttpServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method } = JSON.parse(Buffer.concat(parts).toString() || '{}') as { method?: string }
      asked.push(method ?? String(request.method))
      // What is asked last is never answered.
      if (method === during) reached.resolve()
      else response.writeHead(400).end()
    })
  })
  const origin = await listeningUntil(onTestFinished, http)
  const { opening, calledOff } = await begin(`${origin}/mcp`)
  opening.catch(() => undefined)
  await reached.promise
  calledOff.abort(new Error('the server ends'))
  await expect(opening).rejects.toThrow('the server ends')
  // A request of its own comes behind whatever else was sent before it.
  await fetch(origin)
  expect(asked).toStrictEqual([...heard, 'GET'])
})
