// Some calls take more than one person. A vote is a row, and what it may not be is a constraint: one hand votes once, and
// one right counts once, also where it was lent to somebody else. Whoever reads an approval reads its votes with it.
import type { Insertable, Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import type { VoteTable } from '../accounts/table.ts'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { ApprovalDecision, Vote } from './approval.ts'

const voteRow = z.object({
  decision: z.enum(['approved', 'rejected']),
  person: z.string(),
  name: z.string(),
  via: z.enum(['admin-token', 'session', 'oidc', 'terminal']),
  for_name: z.string().nullable(),
  delegation: z.string().nullable(),
  at: epoch,
})

const toVote = (raw: unknown): Vote => {
  const { for_name, delegation, ...same } = voteRow.parse(raw)
  return { ...same, onBehalfOf: for_name ?? undefined, delegation: delegation ?? undefined }
}

/** The votes on these approvals, oldest first. */
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
    .orderBy('at')
    .orderBy('person')
    .execute()
  for (const row of rows) votes.set(row.approval_id, [...(votes.get(row.approval_id) ?? []), toVote(row)])
  return votes
}

/** Casts a vote; false where this hand, or the right it acts in, has voted already. */
export async function castVote(
  trx: Kysely<Tables>,
  id: string,
  { decision, by }: ApprovalDecision,
  at: number,
): Promise<boolean> {
  const row: Insertable<VoteTable> & Selectable<VoteTable> = {
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
