// What a client says of itself at `initialize`: its name, and whether it renders cards.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { z } from 'zod'
import { withoutClaims } from '../model/principal.ts'
import type { Caller } from '../rail/engine.ts'
import { viewMimeType } from './listing.ts'

/** Identifier of the MCP Apps extension (SEP-1865, "Extension Identifier"). */
const appsExtension = 'io.modelcontextprotocol/ui'

const capabilitiesSchema = z.looseObject({
  extensions: z.record(z.string(), z.unknown()).optional(),
  experimental: z.record(z.string(), z.unknown()).optional(),
})
const appsSchema = z.looseObject({ mimeTypes: z.array(z.string()) })

/** Whether a client that announced these capabilities renders cards; `unknown` before it announced any. */
export function cardsOf(capabilities: unknown): Caller['cards'] {
  if (capabilities === undefined) return 'unknown'
  const parsed = capabilitiesSchema.safeParse(capabilities)
  if (!parsed.success) return 'unknown'
  const announced = parsed.data.extensions?.[appsExtension] ?? parsed.data.experimental?.[appsExtension]
  if (announced === undefined) return 'no'
  // The extension demands its types of views, and announces none without them. Mastra sends it so, and would give its model the
  // tools that only cards may call.
  const apps = appsSchema.safeParse(announced)
  return apps.success && apps.data.mimeTypes.includes(viewMimeType) ? 'yes' : 'no'
}

/**
 * The caller at the other end of a connection. Where each request has an SDK server of its own, another one got `initialize`,
 * and the client is unknown.
 */
export const connectedCaller = (
  server: Server,
  {
    session,
    principal,
    trusted,
    request,
    languages,
  }: Pick<Caller, 'principal' | 'trusted' | 'request' | 'languages'> & { readonly session: string | undefined },
): Caller => ({
  ...withoutClaims(principal),
  trusted,
  ...(request === undefined ? {} : { request }),
  ...(languages === undefined ? {} : { languages }),
  permissions: 'all',
  ...(session === undefined ? {} : { session }),
  client: server.getClientVersion()?.name ?? 'unknown',
  cards: cardsOf(server.getClientCapabilities()),
})
