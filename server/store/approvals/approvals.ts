// An agent may ask twice for the same thing while nobody looks. So asking is one transaction that finds the waiting
// approval or makes one and keeps its plan alive; how a decision falls stands in `decide.ts`.
import type { ExpressionBuilder, Kysely } from 'kysely'
import { takeTurns, toTakeFrom } from '../dialect-locks.ts'
import { retryOnConnectionLoss } from '../retry-on-connection-loss.ts'
import { holdPlan } from '../plans.ts'
import type { StoreParts, Tables } from '../tables.ts'
import type {
  Approval,
  ApprovalDecision,
  ApprovalDraft,
  ApprovalFilter,
  Approvals,
  Decided,
} from '../../model/approvals.ts'
import { toApproval, toApprovalRow } from './approval-row.ts'
import { decideIn } from './decide.ts'
import { votesOn } from './votes.ts'

/** Approvals, for those who watch them. */
interface WatchedApprovals extends Approvals {
  /** How many wait for a decision, and the newest of them; of one tenant, or of all. Reads no content. */
  waiting(tenant?: string): Promise<WaitingApprovals>
}

export interface WaitingApprovals {
  readonly pending: number
  readonly newest: string | undefined
}

/** Approvals on one database. */
export const createApprovals = ({ db, sealer, now }: StoreParts): WatchedApprovals => {
  const readAll = async (rows: readonly { readonly id: string }[]): Promise<readonly Approval[]> => {
    const at = now()
    const votes = await votesOn(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => toApproval(row, sealer, at, votes.get(row.id) ?? []))
  }

  const requestOnce = async (draft: ApprovalDraft): Promise<{ approval: Approval; existing: boolean }> =>
    await db.transaction().execute(async (trx) => {
      await takeTurns(trx, 'approval', draft.digest, draft.principal.tenant, draft.principal.subject)
      const at = now()
      const waiting = await withPlan(trx)
        .where('countersign_approvals.digest', '=', draft.digest)
        .where('countersign_approvals.tenant', '=', draft.principal.tenant)
        .where('countersign_approvals.subject', '=', draft.principal.subject)
        .where((is) => isWaiting(is, at))
        .executeTakeFirst()
      if (waiting !== undefined) {
        const votes = await votesOn(trx, [waiting.id])
        // Its own, where it asks again because the answer was lost.
        const existing = waiting.id !== draft.id
        return { approval: toApproval(waiting, sealer, at, votes.get(waiting.id) ?? []), existing }
      }
      await trx
        .insertInto('countersign_approvals')
        .values(toApprovalRow(draft, sealer, at))
        .execute()
      await holdPlan(trx, draft.planId, draft.ttlMs, at)
      const row = await withPlan(trx).where('countersign_approvals.id', '=', draft.id).executeTakeFirstOrThrow()
      return { approval: toApproval(row, sealer, at, []), existing: false }
    })

  const find = async (id: string): Promise<Approval | undefined> => {
    const row = await withPlan(db).where('countersign_approvals.id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : (await readAll([row]))[0]
  }

  const findByCall: Approvals['findByCall'] = async ({ digest, principal }) => {
    const at = now()
    const ofCall = withPlan(db)
      .where('countersign_approvals.digest', '=', digest)
      .where('countersign_approvals.tenant', '=', principal.tenant)
      .where('countersign_approvals.subject', '=', principal.subject)
      .orderBy('countersign_approvals.created_at', 'desc')
      .orderBy('countersign_approvals.id', 'desc')
    const live = await ofCall.where((is) => is.or([isWaiting(is, at), mayRun(is, at)])).execute()
    if (live.length > 0) return await readAll(live)
    const newest = await ofCall.where('countersign_approvals.expires_at', '>', at).limit(1).execute()
    return (await readAll(newest)).filter(({ state }) => state !== 'expired')
  }

  const list = async ({ state, tenant, limit, before }: ApprovalFilter): Promise<readonly Approval[]> => {
    const at = now()
    let query = withPlan(db)
      .orderBy('countersign_approvals.created_at', 'desc')
      .orderBy('countersign_approvals.id', 'desc')
      .limit(limit)
    if (tenant !== undefined) query = query.where('countersign_approvals.tenant', '=', tenant)
    if (state === 'pending') query = query.where((is) => isWaiting(is, at))
    else if (state === 'expired')
      query = query
        .where('countersign_approvals.state', '=', 'pending')
        // The plan's columns are null where it has been swept, and a comparison with null is no answer.
        .where((is) => is.or([is.not(isWaiting(is, at)), is('countersign_plans.id', 'is', null)]))
    else if (state !== undefined) query = query.where('countersign_approvals.state', '=', state)
    if (before !== undefined) {
      const last = await db
        .selectFrom('countersign_approvals')
        .select(['created_at', 'id'])
        .where('id', '=', before)
        .executeTakeFirst()
      if (last === undefined) return []
      query = query.where((is) =>
        is(
          is.refTuple('countersign_approvals.created_at', 'countersign_approvals.id'),
          '<',
          is.tuple(last.created_at, last.id),
        ),
      )
    }
    return await readAll(await query.execute())
  }

  const decide = async (id: string, decision: ApprovalDecision): Promise<Decided> => {
    const kind = await decideIn({ db, sealer, now }, id, decision)
    const approval = await find(id)
    return kind === 'gone' || approval === undefined ? { kind: 'gone' } : { kind, approval }
  }

  const claimable = async (limit: number): Promise<readonly Approval[]> => {
    const at = now()
    const rows = await withPlan(db)
      .where('countersign_approvals.state', '=', 'approved')
      .where('countersign_approvals.run_by', '>', at)
      .where('countersign_plans.state', '=', 'open')
      .where('countersign_plans.expires_at', '>', at)
      .orderBy('countersign_approvals.decided_at')
      .limit(limit)
      .execute()
    return await readAll(rows)
  }

  const waiting = async (tenant?: string): Promise<WaitingApprovals> => {
    const at = now()
    let found = waitingApprovals(db, at)
    if (tenant !== undefined) found = found.where('countersign_approvals.tenant', '=', tenant)
    const { pending } = await found.select((is) => is.fn.countAll().as('pending')).executeTakeFirstOrThrow()
    const newest = await found
      .select('countersign_approvals.id as id')
      .orderBy('countersign_approvals.created_at', 'desc')
      .orderBy('countersign_approvals.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return { pending: Number(pending), newest: newest?.id }
  }

  return {
    request: (draft) => retryOnConnectionLoss(() => requestOnce(draft)),
    find,
    findByCall,
    list,
    decide,
    claimable,
    waiting,
  }
}

const withPlan = (db: Kysely<Tables>) =>
  db
    .selectFrom('countersign_approvals')
    .leftJoin('countersign_plans', 'countersign_plans.id', 'countersign_approvals.plan_id')
    .selectAll('countersign_approvals')
    .select(['countersign_plans.state as plan_state', 'countersign_plans.expires_at as plan_expires_at'])

const isWaiting = (is: ExpressionBuilder<Tables, 'countersign_approvals' | 'countersign_plans'>, at: number) =>
  is.and([
    is('countersign_approvals.state', '=', 'pending'),
    is('countersign_approvals.expires_at', '>', at),
    is('countersign_plans.state', '=', 'open'),
    is('countersign_plans.expires_at', '>', at),
  ])

/** The approvals that wait for a person, with their plans. */
export const waitingApprovals = (db: Kysely<Tables>, at: number) =>
  db
    .selectFrom('countersign_approvals')
    .innerJoin('countersign_plans', 'countersign_plans.id', 'countersign_approvals.plan_id')
    .where((is) => isWaiting(is, at))

const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** Removes approvals that nobody has waited for since a month, at most `limit`. Who decided stays in the activity log. */
export const sweepApprovals = async (db: Kysely<Tables>, at: number, limit: number): Promise<number> => {
  const gone = await db
    .deleteFrom('countersign_approvals')
    .where('id', 'in', (of) =>
      toTakeFrom(
        db,
        of
          .selectFrom('countersign_approvals')
          .select('id')
          .where('created_at', '<=', at - KEEP_MS)
          .where('expires_at', '<=', at - KEEP_MS)
          .limit(limit),
      ),
    )
    .returning('id')
    .execute()
  const ids = gone.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('countersign_votes').where('approval_id', 'in', ids).execute()
  return ids.length
}

const mayRun = (is: ExpressionBuilder<Tables, 'countersign_approvals' | 'countersign_plans'>, at: number) =>
  is.and([
    is('countersign_approvals.state', '=', 'approved'),
    is.or([
      is('countersign_plans.state', '=', 'applying'),
      is.and([is('countersign_plans.state', '=', 'open'), is('countersign_plans.expires_at', '>', at)]),
    ]),
  ])
