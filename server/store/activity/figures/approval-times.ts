// How quickly people agree says whether a tool's risk is rated right: a tool that everybody waves through at once should
// not wait for anybody. Approvals stay for a month; what is asked here is never older.
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { epoch } from '../../plan-row.ts'
import type { Tables } from '../../tables.ts'
import type { Slice } from './call-kinds.ts'

export interface ApprovalTime {
  readonly id: string
  readonly tool: string
  readonly risk: string
  readonly state: 'waiting' | 'approved' | 'rejected' | 'expired'
  /** From the question to the decision; `undefined` without one. */
  readonly decidedAfterMs: number | undefined
  /** What became of the call: it ran and did its work, it did not, or it has not run (yet). */
  readonly call: 'applied' | 'failed' | 'not_run'
}

const row = z.object({
  id: z.string(),
  tool: z.string(),
  risk: z.string(),
  state: z.string(),
  created_at: epoch,
  expires_at: epoch,
  decided_at: epoch.nullable(),
  plan_state: z.string().nullable(),
  plan_expires_at: epoch.nullable(),
})

const MOST = 20_000

/** Approvals that were asked for in this time, the newest first; at most 20,000. */
export const approvalTimes = async (
  db: Kysely<Tables>,
  { tenant, since, until }: Slice,
  now: number,
): Promise<readonly ApprovalTime[]> => {
  const rows = await db
    .selectFrom('countersign_approvals')
    .leftJoin('countersign_plans', 'countersign_plans.id', 'countersign_approvals.plan_id')
    .select([
      'countersign_approvals.id',
      'countersign_approvals.tool',
      'countersign_approvals.risk',
      'countersign_approvals.state',
      'countersign_approvals.created_at',
      'countersign_approvals.expires_at',
      'countersign_approvals.decided_at',
      'countersign_plans.state as plan_state',
      'countersign_plans.expires_at as plan_expires_at',
    ])
    .where('countersign_approvals.tenant', '=', tenant)
    .where('countersign_approvals.created_at', '>=', since)
    .where('countersign_approvals.created_at', '<', until)
    .orderBy('countersign_approvals.created_at', 'desc')
    .limit(MOST)
    .execute()
  return rows.map((raw) => {
    const found = row.parse(raw)
    const waits = found.expires_at > now && found.plan_state === 'open' && (found.plan_expires_at ?? 0) > now
    const state = found.state === 'pending' ? (waits ? 'waiting' : 'expired') : found.state
    return {
      id: found.id,
      call: callOf(found.plan_state),
      tool: found.tool,
      risk: found.risk,
      state: state === 'approved' || state === 'rejected' || state === 'waiting' ? state : 'expired',
      decidedAfterMs: found.decided_at === null ? undefined : Math.max(0, found.decided_at - found.created_at),
    }
  })
}

const failed: readonly (string | null)[] = ['failed', 'stale', 'unknown']

const callOf = (plan: string | null): ApprovalTime['call'] => {
  if (plan === 'applied') return 'applied'
  return failed.includes(plan) ? 'failed' : 'not_run'
}
