// Some calls take more than one person. A vote is a row, and what it may not be is a constraint: one person votes once,
// and one right counts once, also where it was delegated to somebody else. Whoever reads an approval reads its votes with
// it. While an approval waits, a vote counts no longer than the right that it was cast in.
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely'
import { z } from 'zod'
import { fromRow } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { ApprovalDecision, Vote } from '../../model/approvals.ts'

const voteRow = z.object({
  decision: z.enum(['approved', 'rejected']),
  /** Who voted: an account's id, or the admin token. One person votes once. */
  person: z.string(),
  name: z.string(),
  via: z.enum(['admin-token', 'session', 'oidc', 'terminal']),
  for_name: z.string().nullable(),
  delegation: z.string().nullable(),
  at: epoch,
})

/** The columns of a vote. */
export interface VoteTable extends z.infer<typeof voteRow> {
  readonly approval_id: string
  /** In whose right: the same, or who delegated it. One right counts once. */
  readonly authority: string
}

const toVote = (raw: unknown): Vote => {
  const { forName, ...same } = fromRow(voteRow.parse(raw))
  return { ...same, onBehalfOf: forName }
}

type OfVotes = ExpressionBuilder<Tables, 'countersign_votes'>

/** The holder of the admin token, who has no account. */
const adminToken = 'admin-token'

/** Whether who voted, and whose right it was, are still let in, and what was delegated has not been revoked. */
const stands = (eb: OfVotes): ExpressionWrapper<Tables, 'countersign_votes', SqlBool> => {
  const letIn = (who: 'person' | 'authority') =>
    eb.or([
      eb(`countersign_votes.${who}`, '=', adminToken),
      eb.exists(
        eb
          .selectFrom('countersign_accounts')
          .select('countersign_accounts.id')
          .whereRef('countersign_accounts.id', '=', `countersign_votes.${who}`)
          .where('countersign_accounts.state', '=', 'active'),
      ),
    ])
  const delegated = eb.or([
    eb('countersign_votes.delegation', 'is', null),
    eb.exists(
      eb
        .selectFrom('countersign_delegations')
        .select('countersign_delegations.id')
        .whereRef('countersign_delegations.id', '=', 'countersign_votes.delegation')
        .where('countersign_delegations.revoked_at', 'is', null),
    ),
  ])
  return eb.and([letIn('person'), letIn('authority'), delegated])
}

const isDecided = (eb: OfVotes) =>
  eb.exists(
    eb
      .selectFrom('countersign_approvals')
      .select('countersign_approvals.id')
      .whereRef('countersign_approvals.id', '=', 'countersign_votes.approval_id')
      .where('countersign_approvals.state', '!=', 'pending'),
  )

/** The votes on these approvals, oldest first: all that were cast on a decided one, else those that count now. */
export async function votesOn(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Vote[]>> {
  const votes = new Map<string, Vote[]>()
  if (ids.length === 0) return votes
  const rows = await db
    .selectFrom('countersign_votes')
    .selectAll()
    .where('approval_id', 'in', [...ids])
    .where((eb) => eb.or([isDecided(eb), stands(eb)]))
    .orderBy('at')
    .orderBy('person')
    .execute()
  for (const row of rows) votes.set(row.approval_id, [...(votes.get(row.approval_id) ?? []), toVote(row)])
  return votes
}

/**
 * Casts a vote; false where this person, or the right that they act in, has voted already. Votes that count no more are taken
 * away: they must not come back to life with an account, nor keep the giver of a delegation from voting. The record has them.
 */
export async function castVote(
  trx: Kysely<Tables>,
  id: string,
  { decision, by }: ApprovalDecision,
  at: number,
): Promise<boolean> {
  const row: VoteTable = {
    approval_id: id,
    decision,
    person: by.person,
    authority: by.behalf?.person ?? by.person,
    name: by.name,
    via: by.via,
    for_name: by.behalf?.name ?? null,
    delegation: by.behalf?.delegation ?? null,
    at,
  }
  await trx
    .deleteFrom('countersign_votes')
    .where('approval_id', '=', id)
    .where((eb) => eb.not(stands(eb)))
    .execute()
  const cast = await trx
    .insertInto('countersign_votes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()
  return cast !== undefined
}

/** How the record names who voted: "Ada", "Bob for Carl". */
export const spokenVoter = ({ name, onBehalfOf }: Pick<Vote, 'name' | 'onBehalfOf'>): string =>
  onBehalfOf === undefined ? name : `${name} for ${onBehalfOf}`
