// What a server says of its tools may change without a word: `list_changed` is optional, and a server that means harm sends
// none. So before a call that may run because of what its annotations said, the server is asked for them again.
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import type { UpstreamTool } from '../../gateway/contract/upstream-contracts.ts'
import type { PendingServer } from '../../model/pending-server.ts'
import { loginNeeded } from './logins.ts'
import { waitUnlessAborted } from './wait-unless-aborted.ts'
import { unavailableFailure } from './unavailable-failure.ts'

/** In milliseconds: how long a call waits for a server that is starting. */
const patienceMs = 30_000

/**
 * Answers what a call of a server waits for: its list of tools, asked for now, and read. Where it cannot be had, the call is
 * refused, because nobody knows what its tool has become.
 */
export const freshListing = (upstream: Upstream, catchUp: () => Promise<void>): PendingServer => ({
  permissions: upstream.config.permissions,
  rationale: upstream.config.rationale,
  wait: async (tool, signal) => {
    const listed = await waitUnlessAborted(upstream.relist(), signal)
    if (listed?.ok === true) {
      await catchUp()
      return undefined
    }
    const need = listed?.failure.need
    if (need !== undefined) return loginNeeded(tool, need)
    return unavailableFailure(upstream, tool, Date.now())
  },
})

/** In milliseconds: longer than it takes to renew a token. */
const pingTimeoutMs = 40_000

/**
 * Answers what a call waits for that passes whatever the server says of its tools: that the server is there, where it is
 * not, and that it takes the login, where it has one. A confirmed call would otherwise be used up by a server that never
 * got it.
 */
export const untilReady = (upstream: Upstream): PendingServer | undefined =>
  upstream.state().kind === 'ready' && !upstream.hasSentToken()
    ? undefined
    : {
        permissions: upstream.config.permissions,
        rationale: upstream.config.rationale,
        wait: async (tool, signal) => {
          await waitUnlessAborted(upstream.listed(patienceMs), signal)
          if (upstream.state().kind !== 'ready') return unavailableFailure(upstream, tool, Date.now())
          return upstream.hasSentToken() ? notLoggedIn(upstream, tool, signal) : undefined
        },
      }

/**
 * Why a call would not be carried out for want of a login, found out with a request that changes nothing; a token that the
 * server does not take any more is renewed by it. What else comes of it says nothing of the call.
 */
async function notLoggedIn(upstream: Upstream, tool: string, signal: AbortSignal): ReturnType<PendingServer['wait']> {
  const asked = await waitUnlessAborted(upstream.request('ping', {}, { signal, timeoutMs: pingTimeoutMs }), signal)
  if (asked?.ok !== false) return undefined
  const { need, kind, message, retryAfterMs = 5000 } = asked.failure
  if (need !== undefined) return loginNeeded(tool, need)
  return kind === 'unavailable'
    ? {
        kind: 'server-unavailable',
        tool,
        server: upstream.name,
        state: `not reached: ${message}`,
        retryAfterSeconds: retryAfterMs / 1000,
      }
    : undefined
}

/** What a call waits for of the one of these tools that is called by this name, by the call tool that its annotations name. */
export function freshListingOf(
  tools: readonly UpstreamTool[],
  name: string,
  catchUp: () => Promise<void>,
): PendingServer | undefined {
  const tool = tools.find((each) => each.contract(each.callWith).wire === name)
  if (tool === undefined) return undefined
  return tool.callWith === 'call_tool_destructive' ? untilReady(tool.upstream) : freshListing(tool.upstream, catchUp)
}
