// What is said of a call whose server is not there: how the server stands, or who has to log in there first.
import { hasFailedOften, secondsUntilTry, statusText } from '../../gateway/upstream/status.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import type { PendingServer } from '../../model/pending-server.ts'
import { loginNeeded } from './logins.ts'

type Unavailable = NonNullable<Awaited<ReturnType<PendingServer['wait']>>>

/** Why this tool was not called. `now`: epoch milliseconds. */
export function unavailableFailure(upstream: Upstream, tool: string, now: number): Unavailable {
  const state = upstream.state()
  return state.need === undefined
    ? {
        kind: 'server-unavailable',
        tool,
        server: upstream.name,
        state: state.kind === 'ready' ? 'up, but does not list its tools' : statusText(state, now),
        retryAfterSeconds: secondsUntilTry(state, now),
        needsPerson: state.remedy !== undefined || hasFailedOften(state),
      }
    : loginNeeded(tool, state.need)
}
