// What is left for people to decide: which, for those who tell them, and how much, as a figure. Contents stay sealed.
import type { Kysely } from 'kysely'
import { waitingApprovals } from '../approvals/approvals.ts'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { UndecidedApproval } from './notification.ts'

const MOST = 500

/** Approvals that wait for a decision, those that end first before the others; after this one, where one is given. */
export const undecided = async (
  db: Kysely<Tables>,
  at: number,
  after?: Pick<UndecidedApproval, 'id' | 'expiresAt'>,
): Promise<readonly UndecidedApproval[]> => {
  const rows = await waitingApprovals(db, at)
    .$if(after !== undefined, (query) =>
      query.where((is) =>
        is(
          is.refTuple('countersign_approvals.expires_at', 'countersign_approvals.id'),
          '>',
          is.tuple(after?.expiresAt ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .select([
      'countersign_approvals.id as id',
      'countersign_approvals.tenant as tenant',
      'countersign_approvals.created_at as created_at',
      'countersign_approvals.expires_at as expires_at',
    ])
    .orderBy('countersign_approvals.expires_at')
    .orderBy('countersign_approvals.id')
    .limit(MOST)
    .execute()
  return rows.map(({ id, tenant, created_at: created, expires_at: expires }) => ({
    id,
    tenant,
    createdAt: epoch.parse(created),
    expiresAt: epoch.parse(expires),
  }))
}

/** How many, by risk. */
export const waitingByRisk = async (
  db: Kysely<Tables>,
  at: number,
): Promise<readonly { readonly risk: string; readonly count: number }[]> => {
  const rows = await waitingApprovals(db, at)
    .select(['countersign_approvals.risk as risk', (is) => is.fn.countAll<string | number>().as('count')])
    .groupBy('countersign_approvals.risk')
    .execute()
  return rows.map(({ risk, count }) => ({ risk, count: Number(count) }))
}
