// What a server that is starting offers is not known yet. An agent that knows a tool's name from yesterday need not hear
// that: its call waits. However many wait, they share one start and one look at the new tools.
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import { leftOutBy, rulesFor } from '../../gateway/rules/tool-overrides.ts'
import type { ToolOverride } from '../../gateway/upstream/settings/upstream-config.schema.ts'
import type { PendingServer } from '../../model/pending-server.ts'
import { waitUnlessAborted } from './wait-unless-aborted.ts'
import { unavailableFailure } from './unavailable-failure.ts'

interface PendingServersParts {
  /** In milliseconds. */
  readonly patienceMs: number
  readonly now: () => number
  /** Whether the tools of this server have been read. */
  readonly isRead: (upstream: Upstream) => boolean
  /** Reads all tools again, unless that is under way. */
  readonly catchUp: () => Promise<void>
}

/** Answers what a call of a server's tool waits for: nothing where its tools are known, or where the settings keep the tool from everybody. */
export function createPendingServers({ patienceMs, now, isRead, catchUp }: PendingServersParts) {
  const waits = new Map<Upstream, Promise<void>>()
  const arrive = async (upstream: Upstream): Promise<void> => {
    await upstream.listed(patienceMs)
    if (upstream.identity() !== undefined) await catchUp()
  }
  const shared = (upstream: Upstream): Promise<void> => {
    const waiting = waits.get(upstream) ?? arrive(upstream).finally(() => waits.delete(upstream))
    waits.set(upstream, waiting)
    return waiting
  }
  return (upstream: Upstream | undefined, name: string): PendingServer | undefined =>
    upstream === undefined || isRead(upstream) || isKept(upstream, name)
      ? undefined
      : {
          permissions: upstream.config.permissions,
          rationale: upstream.config.rationale,
          wait: async (tool, signal) => {
            await waitUnlessAborted(shared(upstream), AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
            if (isRead(upstream)) return undefined
            return unavailableFailure(upstream, tool, now())
          },
        }
}

/** Whether the settings keep the tool from everybody: nobody waits for what will not be there. */
const isKept = ({ config }: Upstream, name: string): boolean =>
  leftOutBy(config, name) !== undefined || isForbidden(rulesFor(config.tools, name))

/** Whether no call of the tool can be allowed: a rule on the arguments may give another risk. */
const isForbidden = ({ risk, when = [] }: ToolOverride = {}): boolean =>
  risk === 'forbidden' && when.every((rule) => (rule.risk ?? risk) === 'forbidden')
