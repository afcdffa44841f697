// What a server says of the versions of the protocol that it speaks.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

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

/** A server that says which versions it speaks. */
export type Discovered = z.infer<typeof discovered>

/** What became of the question which generation a server speaks. */
export type Found =
  | { readonly kind: 'modern'; readonly discovered: Discovered }
  /** It has no handshake, and speaks none of our versions. */
  | { readonly kind: 'other-versions'; readonly versions: readonly string[] }
  /** It answered something else. */
  | { readonly kind: 'older' }
  | { readonly kind: 'silent' }
  /** Its process is over: some servers of older versions end when anything comes before `initialize`. */
  | { readonly kind: 'ended' }

const isModernVersion = (version: string): boolean => version >= modernVersion

/** What an answer to `server/discover` says. */
export function readDiscovered(message: JSONRPCMessage): Found {
  if ('result' in message) {
    const read = discovered.safeParse(message.result)
    if (!read.success) return { kind: 'older' }
    return ofVersions(read.data.supportedVersions) ?? { kind: 'modern', discovered: read.data }
  }
  const refused = 'error' in message ? unsupported.safeParse(message.error) : undefined
  return (refused?.success === true ? ofVersions(refused.data.data.supported) : undefined) ?? { kind: 'older' }
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

/** A server ended because it was asked something before `initialize`: it is to be started again, and not asked. */
export class EndedWhenAsked extends Error {}
