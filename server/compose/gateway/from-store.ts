// What a gateway knows from its own store: definitions as they were first seen, and from the activity log what a preview
// of somebody else's tool says of the calls before it.
import type { GatewayOptions } from './gateway.ts'
import type { UpstreamToolOptions } from '../../gateway/contract/upstream-contracts.ts'
import { shownCalls, similarBlocks, type PastCall } from '../../gateway/upstream/similar-calls.ts'
import type { Store } from '../../store/store.ts'

const outcomes = ['applied', 'failed', 'outcome_unknown'] as const
const isPast = (status: string): status is PastCall['outcome'] => (outcomes as readonly string[]).includes(status)

/** What whoever starts one says of it. `pins`: the store's own when absent. */
export type GatewaySetup = Pick<GatewayOptions, 'config' | 'mode' | 'patienceMs' | 'waitsForClient'> & {
  readonly pins?: GatewayOptions['pins']
  /** Where logins are kept; the store itself when absent. */
  readonly logins?: Pick<Store, 'logins' | 'now'>
}

/** What the store knows for a gateway. */
export const fromStore = (
  { pins, activity }: Pick<Store, 'pins' | 'activity'>,
  report: GatewayOptions['report'],
): Pick<GatewayOptions, 'pins' | 'similar' | 'report'> => ({ pins, similar: similarFrom(activity, report), report })

/** Looks for the last calls of the same tool by the same tenant. A log that does not answer holds up no preview. */
const similarFrom =
  (activity: Pick<Store['activity'], 'page'>, report: GatewayOptions['report']) =>
  async (...[tool, , { principal }]: Parameters<NonNullable<UpstreamToolOptions['similar']>>) => {
    try {
      const { calls } = await activity.page({
        filter: { tools: [tool], tenants: [principal.tenant], statuses: outcomes },
        limit: shownCalls,
      })
      return similarBlocks(
        tool,
        calls.flatMap(({ at, status, durationMs, subject }) =>
          isPast(status) ? [{ at, outcome: status, durationMs, own: subject === principal.subject }] : [],
        ),
      )
    } catch (error) {
      report(error, `what calls of ${tool} did before`)
      return []
    }
  }
