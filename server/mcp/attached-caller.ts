// The principal of a request to an attached `McpServer`. Over stdio or in memory the server has one client; over HTTP anybody
// may send the next request, so the program is asked about each one, and without `principalOf` it is not served there.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestInfo } from '@modelcontextprotocol/sdk/types.js'
import type { ServerContext } from '@modelcontextprotocol/server'
import { acceptedLanguages } from '../cards/reader-languages.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'
import type { Caller } from '../rail/engine.ts'
import { askPrincipal, type PrincipalOf, type RequestFacts } from './identity.ts'
import type { Extra } from './protocol.ts'

/** What the SDK tells a tool about who sent its request. */
export interface ReceivedFacts extends RequestFacts {
  readonly requestInfo?: RequestInfo
  /** In place of `requestInfo` with the SDK's second generation. */
  readonly request?: Request
  /** What a request of MCP 2026-07-28 or later says of its client. */
  readonly envelope?: Readonly<Record<string, unknown>>
}

/** What an attached tool is told of its request. */
export type AttachedExtra = Extra & ReceivedFacts & { readonly _meta?: Record<string, unknown> | undefined }

/** The same of both generations of the SDK, whose second one has it in other places. */
export function extraOf(told: AttachedExtra | ServerContext): AttachedExtra {
  if (!('mcpReq' in told)) return told
  const { mcpReq, http, sessionId } = told
  const { _meta, envelope, signal } = mcpReq
  return {
    signal,
    sendNotification: (notification) => mcpReq.notify(notification),
    ...(_meta === undefined ? {} : { _meta }),
    ...(envelope === undefined ? {} : { envelope: { ...envelope } }),
    ...(http?.req === undefined ? {} : { request: http.req }),
    ...(http?.authInfo === undefined ? {} : { authInfo: http.authInfo }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
}

export interface CallerFinder {
  /** The principal where the server has one client. */
  readonly principal: Principal
  readonly principalOf: PrincipalOf | undefined
  readonly report: (error: unknown, where: string) => string
}

/** The error for an attached server that is served over HTTP without `principalOf`. */
export const needsPrincipalOf = {
  message: 'This McpServer is served over HTTP, and the tools attached to it do not know who sends a request.',
  next: 'Give createCountersign a principalOf: it gets each request, and its authInfo, and answers { tenant, subject } or undefined.',
} as const

/** Only the SDK's transports for HTTP set any of them. */
export const isOverHttp = ({ requestInfo, request, authInfo, sessionId }: ReceivedFacts): boolean =>
  requestInfo !== undefined || request !== undefined || authInfo !== undefined || sessionId !== undefined

/** The principal of one request, or why there is none, as a sentence for the client. */
export async function principalFor(
  { principal, principalOf, report }: CallerFinder,
  facts: ReceivedFacts,
): Promise<Result<Principal, string>> {
  if (!isOverHttp(facts)) return ok(principal)
  const { authInfo, sessionId } = facts
  if (principalOf === undefined) return fail(`${needsPrincipalOf.message} ${needsPrincipalOf.next}`)
  const told: RequestFacts = {
    ...(authInfo === undefined ? {} : { authInfo }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
  const asked = await askPrincipal(principalOf, facts.request ?? toRequest(facts.requestInfo), told, report)
  return asked.ok ? asked : fail(`${asked.failure.message} ${asked.failure.next}`)
}

/** The request that came in, and what its reader wants to read. */
export function requestOf(facts: ReceivedFacts): Pick<Caller, 'request' | 'languages'> {
  if (facts.request === undefined && facts.requestInfo === undefined) return {}
  const request = facts.request ?? toRequest(facts.requestInfo)
  return { request, languages: acceptedLanguages(request.headers.get('accept-language')) }
}

/** The request as `principalOf` expects it. The SDK keeps no method and has read the body. */
function toRequest(info: RequestInfo | undefined): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(info?.headers ?? {}))
    for (const each of [value ?? []].flat()) headers.append(name, each)
  return new Request(info?.url ?? 'http://localhost/', { method: 'POST', headers })
}

/** Recognised by methods and not by class, because a second copy of the SDK has classes of its own. */
const isForHttp = (transport: object): boolean =>
  ['handleRequest', 'handlePostMessage', 'handleMessage'].some((method) => method in transport)

/** Makes `connect` refuse transports for HTTP. */
export function refuseHttp({ server }: McpServer, refusal: () => Error): void {
  const connect = server.connect.bind(server)
  server.connect = async (transport) => {
    if (isForHttp(transport)) throw refusal()
    await connect(transport)
  }
}
