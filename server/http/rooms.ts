// Every server that opens a web door opens the same rooms behind it: one for operators, one for programs that speak no
// MCP. Who starts a server says who is asking and hands over what it has; which room needs what is known here.
import type { RunApproved } from './admin-approvals.ts'
import type { ActivityApiOptions } from './activity-api.ts'
import type { AdminApiOptions } from './admin-api.ts'
import { requireAdmin } from './admin-token.ts'
import type { ToolsApiOptions } from './tools-api.ts'

export interface RoomsOptions extends Pick<ToolsApiOptions, 'road' | 'principalOf'> {
  readonly store: AdminApiOptions['store'] & Pick<ActivityApiOptions, 'activity'>
  readonly runApproved: RunApproved
  readonly adminToken: string | undefined
}

/** What the web door needs for its rooms. */
export const roomsOf = ({
  road,
  store,
  runApproved,
  adminToken,
  principalOf,
}: RoomsOptions): {
  readonly admin: AdminApiOptions
  readonly tools: ToolsApiOptions
  readonly activity: ActivityApiOptions
} => ({
  admin: {
    token: adminToken,
    store,
    run: runApproved,
    rationale: road.settings.rationale,
    report: (error, where) => road.report(error, where),
  },
  tools: { road, grace: store.grace, principalOf },
  activity: { activity: store.activity, guard: requireAdmin(adminToken), now: road.now },
})
