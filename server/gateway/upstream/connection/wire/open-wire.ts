// Which generation of the protocol an upstream speaks, it says itself: it is asked before anything else, as the specification
// wants it, and whoever does not answer as a modern server gets `initialize`.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { PackageMissing } from '../../../../errors/optional-package.ts'
import { codes, httpStatus } from '../call-failure.ts'
import { createChannel, type Channel } from './channel.ts'
import { EndedWhenAsked, OtherVersions, type Found } from './generation.ts'
import { loadModernClient } from './modern-sdk.ts'
import { openModernWire } from './modern-wire.ts'
import { openOlderWire } from './older-wire.ts'
import { createRemoteChannel } from './remote-channel.ts'
import type { Reach } from './transport.ts'
import type { Wire, WireParts } from './wire.ts'

/**
 * How long a silent server may keep others from `initialize`. Servers that are slow to start answer later than that, and are
 * found out by how they answer `initialize`; so this is no limit for them, and it is what a server costs that is never going to
 * answer. Over HTTP there is a network between, and the start of a process that serves the first request.
 */
const discoverMs = { stdio: 1000, http: 3000 } as const

/**
 * Opens the client that an upstream wants. `asks`: whether it is asked which one that is.
 * @throws {OtherVersions} {DiscoverRefused} {EndedWhenAsked} {PackageMissing} and what the SDK throws.
 */
export async function openWire(reach: Reach, parts: WireParts, asks: boolean): Promise<Wire> {
  const { kind, transport, remote } = reach
  // The transport of 2024 has no versions without `initialize`.
  if (kind === 'sse' || !asks) return openOlder(transport, parts)
  const channel = remote === undefined ? createChannel(transport) : createRemoteChannel(transport, remote)
  const opening: Opening = { channel, parts, isRemote: kind === 'http' }
  const found = await channel.discover(parts, Math.min(discoverMs[kind], parts.timeoutMs))
  if (found.kind === 'ended') throw new EndedWhenAsked('it ended')
  return found.kind === 'silent' ? openSilent(opening) : openFound(found, opening)
}

interface Opening {
  readonly channel: Channel
  readonly parts: WireParts
  readonly isRemote: boolean
}

/** `isRefused`: the server has refused `initialize` already, and would again. */
async function openFound(found: Found, { channel, parts, isRemote }: Opening, isRefused = false): Promise<Wire> {
  if (found.kind === 'other-versions') throw new OtherVersions(found.versions)
  if (found.kind === 'refused') throw found.error
  if (found.kind !== 'modern') return openOlder(channel.older({ keep: false }), parts)
  try {
    const sdk = await loadModernClient()
    const { discovered } = found
    const transport = await channel.modern()
    parts.signal.throwIfAborted()
    return await openModernWire(sdk, transport, parts, { discovered, isRemote })
  } catch (error) {
    if (isRefused || !(error instanceof PackageMissing)) throw error
    // Many speak older versions, too.
    return openOlder(channel.older({ keep: false }), parts).catch((refused: unknown) => {
      throw isRefusal(refused) ? error : refused
    })
  }
}

/** A server that has not answered yet: it is slow to start, or never answers what comes before `initialize`. */
async function openSilent(opening: Opening): Promise<Wire> {
  const { channel, parts } = opening
  const attached = channel.older({ keep: true })
  try {
    const wire = await openOlder(attached, parts)
    attached.own()
    return wire
  } catch (error) {
    parts.signal.throwIfAborted()
    if (!isRefusal(error)) throw error
    const found = await channel.discover(parts, parts.timeoutMs)
    if (found.kind === 'older' || found.kind === 'silent' || found.kind === 'ended') throw error
    return openFound(found, opening, true)
  }
}

/** Says `initialize`, unless the attempt is called off: a transport that was closed would be opened by it once more. */
async function openOlder(transport: Transport, parts: WireParts): Promise<Wire> {
  parts.signal.throwIfAborted()
  return openOlderWire(transport, parts)
}

/** An error that the server itself answered with. */
const isRefusal = (error: unknown): boolean => {
  const status = httpStatus(error)
  if (status !== undefined) return status >= 400 && status < 500
  return error instanceof McpError && error.code !== codes.closed && error.code !== codes.timedOut
}
