// Who is at the other end of an attached `McpServer`. Over stdio or in memory that is one client of the process that
// attached it; over HTTP anybody may send the next request, so each one is asked about, and a program that cannot answer
// for them is not served there at all.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { RequestInfo } from '@modelcontextprotocol/sdk/types.js'
import { fail, ok, type Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'
import { askPrincipal, type PrincipalOf, type RequestFacts } from './identity.ts'

/** What the SDK hands a tool about the request that called it, as far as it tells who sent it. */
export interface ReceivedFacts extends RequestFacts {
  readonly requestInfo?: RequestInfo
}

export interface CallerFinder {
  /** Who is at the other end where that is one client. */
  readonly principal: Principal
  readonly principalOf: PrincipalOf | undefined
  readonly report: (error: unknown, where: string) => string
}

/** What an author is told who serves an attached server over HTTP without saying who calls. */
export const needsPrincipalOf = {
  message: 'This McpServer is served over HTTP, and the tools attached to it do not know who sends a request.',
  next: 'Give createCountersign a principalOf: it gets each request, and its authInfo, and answers { tenant, subject } or undefined.',
} as const

/** The principal of one request, or a sentence for who sent it. */
export async function principalFor(
  { principal, principalOf, report }: CallerFinder,
  { requestInfo, authInfo, sessionId }: ReceivedFacts,
): Promise<Result<Principal, string>> {
  // What one of the SDK's HTTP transports has received carries its headers; stdio and memory bring none of the three.
  if (requestInfo === undefined && authInfo === undefined && sessionId === undefined) return ok(principal)
  if (principalOf === undefined) return fail(`${needsPrincipalOf.message} ${needsPrincipalOf.next}`)
  const facts: RequestFacts = {
    ...(authInfo === undefined ? {} : { authInfo }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
  const asked = await askPrincipal(principalOf, toRequest(requestInfo), facts, report)
  return asked.ok ? asked : fail(`${asked.failure.message} ${asked.failure.next}`)
}

/** The request as the web door would have handed it over. The SDK keeps no method and has read the body. */
function toRequest(info: RequestInfo | undefined): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(info?.headers ?? {}))
    for (const each of [value ?? []].flat()) headers.append(name, each)
  return new Request(info?.url ?? 'http://localhost/', { method: 'POST', headers })
}

/** The SDK's transports for HTTP by what they take; a second copy of the SDK has other classes and the same methods. */
const isForHttp = (transport: Transport): boolean => 'handleRequest' in transport || 'handlePostMessage' in transport

/** Keeps a server from being connected to a transport for HTTP, when `principalOf` cannot say who calls there. */
export function refuseHttp({ server }: McpServer, refusal: () => Error): void {
  const connect = server.connect.bind(server)
  server.connect = async (transport) => {
    if (isForHttp(transport)) throw refusal()
    await connect(transport)
  }
}
