// What a server says of its tools may change without a word: `list_changed` is optional, and a server that means harm sends
// none. So before a call that may run because of what its annotations said, the server is asked for them again.
import type { Upstream } from '../gateway/upstream/upstream.ts'
import { statusText } from '../gateway/upstream/status.ts'
import type { UpstreamTool } from '../gateway/contract/upstream-contracts.ts'
import type { PendingServer } from '../model/pending-server.ts'
import { loginNeeded } from './logins.ts'
import { orAborted } from './or-aborted.ts'

/** In seconds, where the failure does not say when the server is tried again. */
const soon = 5

/**
 * Answers what a call of a server waits for: its list of tools, asked for now, and read. Where it cannot be had, the call is
 * refused, because nobody knows what its tool has become.
 */
export const freshListing = (upstream: Upstream, catchUp: () => Promise<void>): PendingServer => ({
  permissions: upstream.config.permissions,
  rationale: upstream.config.rationale,
  wait: async (tool, signal) => {
    const listed = await orAborted(upstream.relist(), signal)
    if (listed?.ok === true) {
      await catchUp()
      return undefined
    }
    const need = listed?.failure.need
    if (need !== undefined) return loginNeeded(tool, need)
    const state = upstream.state()
    return {
      kind: 'server-away',
      tool,
      server: upstream.name,
      state: state.kind === 'ready' ? 'up, but does not list its tools' : statusText(state, Date.now()),
      retryAfterSeconds: Math.max(1, Math.ceil((listed?.failure.retryAfterMs ?? soon * 1000) / 1000)),
    }
  },
})

/** The same for the one of these tools that is called by this name, where its annotations name the read or the write door. */
export function freshListingOf(
  tools: readonly UpstreamTool[],
  name: string,
  catchUp: () => Promise<void>,
): PendingServer | undefined {
  const tool = tools.find((each) => each.contract(each.callWith).wire === name)
  return tool === undefined || tool.callWith === 'call_tool_destructive'
    ? undefined
    : freshListing(tool.upstream, catchUp)
}
