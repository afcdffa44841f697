// A plan with a state that the test sets, answered as the three app-only tools answer. For journeys with a real server
// there is a real plan; here it must be possible to say "expired" without waiting for it.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { PlanState } from '../../server/model/plan-store.ts'

export interface ScriptedPlan {
  state: PlanState
  clicked: boolean
  expiresInMs: number
  changedAt: string
  /** `false`: the server does not answer at all; `unknown`: it does not know the ticket. */
  answers: boolean | 'unknown'
  /** What else the server tells of it. */
  more?: Readonly<Record<string, unknown>>
  readonly callTool: (name: string, args: Record<string, unknown>) => Promise<CallToolResult>
}

/** A plan for the cards of `cards.ts`. Confirm records the click, cancel cancels, as long as it is open. */
export const scriptedPlan = (id = 'pl_7qk2', ticket = 'cs1_7qk2secret'): ScriptedPlan => {
  const plan: ScriptedPlan = {
    state: 'open',
    clicked: false,
    expiresInMs: 900_000,
    changedAt: '2026-11-21T12:03:00Z',
    answers: true,
    async callTool(name, args): Promise<CallToolResult> {
      if (plan.answers === false) await new Promise(() => {})
      if (plan.answers === 'unknown' || args['ticket'] !== ticket) {
        return { isError: true, content: [{ type: 'text', text: 'No such plan' }] }
      }
      if (plan.state === 'open' && name === 'countersign_plan_confirm') plan.clicked = true
      if (name === 'countersign_plan_cancel') {
        if (plan.state === 'open') plan.state = 'cancelled'
        else if (plan.state === 'applying') plan.more = { ...plan.more, cancel: 'asked' }
      }
      const open = plan.state === 'open'
      const { progress, ...more } = plan.more ?? {}
      return {
        ...(progress === undefined ? {} : { _meta: { 'countersign/progress': progress } }),
        content: [{ type: 'text', text: plan.state }],
        structuredContent: {
          plan_id: id,
          state: plan.state,
          changed_at: plan.changedAt,
          ...more,
          ...(open ? { expires_in_ms: plan.expiresInMs, clicked: plan.clicked } : {}),
        },
      }
    },
  }
  return plan
}
