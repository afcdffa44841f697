// From a number to the calls that it counts: the same filters, as an address of Activity.
import type { Insights } from '../shapes.ts'
import type { AdminContext } from '../context.ts'
import { toActivity } from '../route.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** The outcomes of each kind, as the filter of Activity names them. */
export const statusesOf = {
  done: 'ok,applied,replayed',
  waiting: 'previewed,awaiting_approval,running,open,unknown',
  failed: 'refused,failed,mismatch,stale,outcome_unknown',
} as const

/** What people did, and what the server did later, is on record beside calls and counts as none. */
const sources = 'mcp,rest,cli,approval'

/** The calls of these insights that fit the filters. */
export const rowsOf =
  ({ since, until, tenant }: Pick<Insights, 'since' | 'until' | 'tenant'>, { operator }: AdminContext) =>
  (filters: Filters): string => {
    const all: Filters = {
      since,
      until,
      source: sources,
      // Who sees one tenant sees that one anyway.
      tenant: operator.tenant === null ? tenant : undefined,
      ...filters,
    }
    return toActivity(
      Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    )
  }
