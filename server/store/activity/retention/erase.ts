// A person may ask to be forgotten, and the log must still prove that nothing else was touched. The texts and their salt
// go, the name becomes its pseudonym, and one entry of the chain says that this was done and until where.
import type { Kysely } from 'kysely'
import { clean, type Chain } from '../chain/chain.ts'
import type { ChainTransaction } from '../write/chain-transaction.ts'
import { LONGEST_CALL_MS } from '../read/row.ts'
import type { Transact } from '../write/write-batcher.ts'
import { writeErasure } from '../write/write-entry.ts'
import type { Principal } from '../../../model/principal.ts'
import type { Tables } from '../../tables.ts'

export interface Erased {
  /** What the subject is called from now on. */
  readonly pseudonym: string
  readonly calls: number
  /** Calls that had not ended; to be erased when they have. */
  readonly running: number
}

/**
 * The statements that remove the texts of a subject in one tenant: of its calls, of their events, and a count of the calls
 * that are left. They hold the log, so each reads the subject's own rows and nobody else's.
 */
export const erasing = (db: Kysely<Tables>, tenant: string, pseudonym: string, now: number) => ({
  calls: db
    .updateTable('countersign_activity')
    .set({
      subject: pseudonym,
      erased_at: now,
      salt: null,
      rationale: null,
      intent: null,
      notes: null,
      error_message: null,
      args: null,
      result: null,
      session: null,
      fingerprint: null,
      error_sample: null,
    })
    .where('tenant', '=', tenant)
    .where('pseudonym', '=', pseudonym)
    .where('salt', 'is not', null)
    .where((is) => is.or([is('end_seq', 'is not', null), is('at', '<=', now - LONGEST_CALL_MS)])),
  // By the ids of calls alone, which are of this tenant: were it named, SQLite would read all of its events.
  events: db
    .updateTable('countersign_activity_events')
    .set({ data: null, salt: null })
    .where('pseudonym', '=', pseudonym)
    .where('salt', 'is not', null)
    .where('call_id', 'in', (is) =>
      is
        .selectFrom('countersign_activity')
        .select('id')
        .where('tenant', '=', tenant)
        .where('pseudonym', '=', pseudonym)
        .where('salt', 'is', null),
    ),
  left: db
    .selectFrom('countersign_activity')
    .select((is) => is.fn.countAll().as('calls'))
    .where('tenant', '=', tenant)
    .where('pseudonym', '=', pseudonym)
    .where('salt', 'is not', null),
})

/** Removes the texts of a subject's calls in its tenant, in one step. */
export const eraseSubject = async (
  transact: Transact<ChainTransaction>,
  chain: Chain,
  { tenant, subject }: Principal,
  now: number,
): Promise<Erased> => {
  const pseudonym = chain.pseudonym(clean(tenant), clean(subject))
  const erase = async (tx: ChainTransaction): Promise<Erased> => {
    const { calls, events, left } = erasing(tx.trx, clean(tenant), pseudonym, now)
    const { numUpdatedRows } = await calls.executeTakeFirst()
    const { numUpdatedRows: ofEvents } = await events.executeTakeFirst()
    const running = await left.executeTakeFirst()
    if (numUpdatedRows > 0n || ofEvents > 0n) await writeErasure(tx, clean(tenant), pseudonym, now)
    return { pseudonym, calls: Number(numUpdatedRows), running: Number(running?.calls ?? 0) }
  }
  return await transact(true, erase, [])
}
