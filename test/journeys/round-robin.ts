// What an operator puts in front of several servers at its plainest: each request goes to the next one, whoever sent it
// and whatever session it belongs to.
import { createServer, request } from 'node:http'
import { atEnd } from './at-end.ts'
import { listeningUntil } from '../kit/listening.ts'
import { longest } from '../longest.ts'

/** A proxy in front of these addresses; answers its own. */
export const roundRobin = async (servers: readonly URL[]): Promise<URL> => {
  let turn = 0
  const proxy = createServer((incoming, outgoing) => {
    const server = servers[turn++ % servers.length]
    const forwarded = request(
      new URL(incoming.url ?? '/', server),
      // On a connection of its own: one that was used before may be closed at its other end while a busy machine sends.
      { agent: false, method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: server?.host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  proxy.keepAliveTimeout = longest
  return new URL('/mcp', await listeningUntil(atEnd, proxy))
}
