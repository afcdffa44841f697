// Which generation of the protocol an upstream speaks, it says itself. Over stdio it is asked for that first, as the
// specification wants; over HTTP `initialize` comes first, since a question would cost each older server one more way there
// and back at each start, and a server of 2026-07-28 alone refuses it at once.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { PackageMissing } from '../../../errors/optional-package.ts'
import { codes } from './call-failure.ts'
import { createChannel, type Channel } from './channel.ts'
import { EndedWhenAsked, OtherVersions, type Found } from './generation.ts'
import { loadModernClient } from './modern-sdk.ts'
import { openModernWire } from './modern-wire.ts'
import { openOlderWire } from './older-wire.ts'
import type { Reach } from './transport.ts'
import type { Wire, WireParts } from './wire.ts'

/**
 * How long a silent server may keep others from `initialize`. Servers that are slow to start answer later than that, and are
 * found out by how they answer `initialize`; so this is no limit for them, and it is what a server costs that is never going to answer.
 */
const discoverMs = 1000

/**
 * Opens the client that an upstream wants. `asks`: whether it is asked which one that is.
 * @throws {OtherVersions} {EndedWhenAsked} {PackageMissing} and what the SDK throws.
 */
export async function openWire(reach: Reach, parts: WireParts, asks: boolean): Promise<Wire> {
  if (reach.isModern === true) return openModernWire(await loadModernClient(), reach.transport, parts)
  if (reach.kind !== 'stdio' || !asks) return openOlderWire(reach.transport, parts)
  const channel = createChannel(reach.transport)
  const found = await channel.discover(parts, Math.min(discoverMs, parts.timeoutMs))
  if (found.kind === 'ended') throw new EndedWhenAsked('it ended')
  return found.kind === 'silent' ? openSilent(channel, parts) : openFound(found, channel, parts)
}

async function openFound(found: Found, channel: Channel, parts: WireParts): Promise<Wire> {
  if (found.kind === 'other-versions') throw new OtherVersions(found.versions)
  if (found.kind !== 'modern') return openOlderWire(channel.attach({ keep: false }), parts)
  try {
    return await openModernWire(await loadModernClient(), channel.attach({ keep: false }), parts, found.discovered)
  } catch (error) {
    if (!(error instanceof PackageMissing)) throw error
    // Many speak older versions, too.
    return openOlderWire(channel.attach({ keep: false }), parts).catch((refused: unknown) => {
      throw isRefusal(refused) ? error : refused
    })
  }
}

/** A server that has not answered yet: it is slow to start, or never answers what comes before `initialize`. */
async function openSilent(channel: Channel, parts: WireParts): Promise<Wire> {
  const attached = channel.attach({ keep: true })
  try {
    const wire = await openOlderWire(attached, parts)
    attached.own()
    return wire
  } catch (error) {
    if (!isRefusal(error)) throw error
    const found = await channel.discover(parts, parts.timeoutMs)
    if (found.kind === 'modern' || found.kind === 'other-versions') return openFound(found, channel, parts)
    throw error
  }
}

/** An error that the server itself answered with. */
const isRefusal = (error: unknown): boolean =>
  error instanceof McpError && error.code !== codes.closed && error.code !== codes.timedOut
