// What a row of a list says with the help of others: who decided about it, and what was asked for where the row itself only
// names the plan. Both stand in the record, under the chain, and are gone with an erasure.
import { briefColumns } from './row.ts'
import type { Db } from './query.ts'

/** Who decided about an approval, as the record has it. */
export interface Decision {
  readonly approvalId: string
  readonly by: string
  readonly decision: 'approved' | 'rejected'
}

/** The call of which a plan was made. */
export interface Asked {
  readonly planId: string
  readonly tool: string
  /** JSON text. */
  readonly args: string
}

/** What people decided about these approvals, in the order in which they did. */
export const decisionsOn = async (db: Db, approvals: readonly string[]): Promise<readonly Decision[]> => {
  if (approvals.length === 0) return []
  const rows = await db
    .selectFrom('countersign_activity')
    .select(['approval_id', 'subject', 'tool'])
    .where('approval_id', 'in', approvals)
    .where('source', '=', 'operator')
    .where('outcome', '=', 'ok')
    .where('tool', 'in', ['approval.approved', 'approval.rejected'])
    .orderBy('position')
    .execute()
  return rows.map(({ approval_id, subject, tool }) => ({
    approvalId: approval_id ?? '',
    by: subject,
    decision: tool === 'approval.approved' ? 'approved' : 'rejected',
  }))
}

/** The calls of which these plans were made, where their arguments are short. */
export const askedFor = async (db: Db, plans: readonly string[]): Promise<readonly Asked[]> => {
  if (plans.length === 0) return []
  const rows = await db
    .selectFrom('countersign_activity')
    .select(briefColumns())
    .where('plan_id', 'in', plans)
    .where('outcome', 'in', ['previewed', 'awaiting_approval'])
    .orderBy('position')
    .execute()
  return rows.flatMap(({ plan_id, tool, args }) =>
    plan_id === null || args === null ? [] : [{ planId: plan_id, tool, args }],
  )
}
