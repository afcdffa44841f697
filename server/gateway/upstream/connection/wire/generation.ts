// What a server says of the versions of the protocol that it speaks.
import { McpError, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { httpStatus } from '../call-failure.ts'
import type { WireParts } from './wire.ts'

/** The first version without `initialize`, and the newest that we speak. */
export const modernVersion = '2026-07-28'

/** What a server answers to `server/discover`, as far as we read it. */
const discovered = z.looseObject({
  supportedVersions: z.array(z.string()).min(1),
  capabilities: z.looseObject({}),
  instructions: z.string().optional(),
  _meta: z.looseObject({}).optional(),
})
const unsupported = z.looseObject({
  code: z.literal(-32022),
  data: z.looseObject({ supported: z.array(z.string()).min(1) }),
})

const refusedAsModern = z.looseObject({
  // Headers that do not fit the body, and a capability that its client lacks ("Error Codes").
  code: z.union([z.literal(-32020), z.literal(-32021)]),
  message: z.string(),
  data: z.unknown().optional(),
})

/** A server that says which versions it speaks. */
export type Discovered = z.infer<typeof discovered>

/** What became of the question which generation a server speaks. */
export type Found =
  /** It speaks our version; nothing more is known where it refused the question and named that. */
  | { readonly kind: 'modern'; readonly discovered?: Discovered }
  /** It has no handshake, and refuses to say more. */
  | { readonly kind: 'refused'; readonly error: DiscoverRefused }
  /** It has no handshake, and speaks none of our versions. */
  | { readonly kind: 'other-versions'; readonly versions: readonly string[] }
  /** It answered something else. */
  | { readonly kind: 'older' }
  | { readonly kind: 'silent' }
  /** Its process is over: some servers of older versions end when anything comes before `initialize`. */
  | { readonly kind: 'ended' }

export const isModernVersion = (version: string): boolean => version >= modernVersion

/** The question itself. */
export const discoverRequest = (
  id: string,
  { version, downstream }: Pick<WireParts, 'version' | 'downstream'>,
): JSONRPCRequest => ({
  jsonrpc: '2.0',
  id,
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': modernVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'countersign', version },
      'io.modelcontextprotocol/clientCapabilities': downstream?.capabilities ?? {},
    },
  },
})

/** What an answer to `server/discover` says. */
export function readDiscovered(message: JSONRPCMessage): Found {
  if ('result' in message) {
    const read = discovered.safeParse(message.result)
    if (!read.success) return { kind: 'older' }
    return ofVersions(read.data.supportedVersions) ?? { kind: 'modern', discovered: read.data }
  }
  return 'error' in message ? readRefusal(message.error) : { kind: 'older' }
}

/** What an error says with which `server/discover` is answered: whoever knows those of 2026-07-28 has no handshake. */
export function readRefusal(error: unknown): Found {
  const versions = unsupported.safeParse(error)
  if (versions.success) return ofVersions(versions.data.data.supported) ?? { kind: 'modern' }
  const refused = refusedAsModern.safeParse(error)
  if (!refused.success) return { kind: 'older' }
  const { code, message, data } = refused.data
  return { kind: 'refused', error: new DiscoverRefused(code, message, data) }
}

/** Nothing where ours is among them. */
function ofVersions(versions: readonly string[]): Found | undefined {
  if (versions.includes(modernVersion)) return undefined
  return versions.some((version) => !isModernVersion(version))
    ? { kind: 'older' }
    : { kind: 'other-versions', versions }
}

/** What is remembered of a server from one connection to the next. */
export interface KnownGeneration {
  /** It begins with `initialize`, or ends where anything comes before: it is not asked again. */
  isOlder: boolean
}

/** A server has no handshake, and none of our versions. */
export class OtherVersions extends Error {
  constructor(versions: readonly string[]) {
    super(`it speaks MCP ${versions.join(', ').slice(0, 200)}, and this one ${modernVersion} and older versions`)
  }
}

/** A server of MCP 2026-07-28 does not say which versions it speaks. */
export class DiscoverRefused extends McpError {}

/** A server ended because it was asked something before `initialize`: it is to be started again, and not asked. */
export class EndedWhenAsked extends Error {}

/**
 * Whether a remote server may have refused to list its tools because it is spoken to in a version that is not its own. Servers
 * say so in many words, so this is a reason to ask it over another connection, and no more. Of an older server that costs a handshake:
 * so one of 2026-07-28 is known by its codes there, or by a body that is not JSON-RPC.
 */
export function mayBeOtherVersion(error: unknown, spoken: string): boolean {
  const isBadRequest = httpStatus(error) === 400
  if (isModernVersion(spoken))
    return isBadRequest || (error instanceof McpError && (error.code === -32022 || lacksHandshake.test(error.message)))
  return isBadRequest && error instanceof Error && (namesVersion.test(error.message) || !isJsonRpc.test(error.message))
}

/** What older servers say to a request without `initialize`. */
const lacksHandshake = /protocol version|session|not initialized/i
const namesVersion = /"code"\s*:\s*-3202[02]\b|protocol version/i
const isJsonRpc = /"jsonrpc"/
