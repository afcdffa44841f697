// A person may ask to be forgotten, and the log must still prove that nothing else was touched. The texts and their salt
// go, the name becomes its pseudonym, and one entry of the chain says that this was done and until where.
import { sql } from 'kysely'
import { clean, type Chain } from '../chain/chain.ts'
import type { ChainTransaction } from '../write/chain-transaction.ts'
import { LONGEST_CALL_MS } from '../read/row.ts'
import { takeWords } from '../search/index-words.ts'
import type { TransactInLog } from '../write/append.ts'
import { moveRecent } from '../write/recent.ts'
import { writeErasure } from '../write/write-entry.ts'
import type { Principal } from '../../../model/principal.ts'

export interface Erased {
  /** What the subject is called from now on. */
  readonly pseudonym: string
  readonly calls: number
  /** Calls that had not ended; to be erased when they have. */
  readonly running: number
}

/** Removes the texts of a subject's calls, in every tenant or in one, in one step for each tenant. */
export const eraseSubject = async (
  transact: TransactInLog,
  chain: Chain,
  { tenant, subject }: Principal,
  now: number,
): Promise<Erased> => {
  const pseudonym = chain.pseudonym(clean(tenant), clean(subject))
  const erase = async (tx: ChainTransaction): Promise<Erased> => {
    const { trx } = tx
    await takeWords(trx)
    await moveRecent(trx)
    const { numUpdatedRows } = await trx
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
      .where('tenant', '=', clean(tenant))
      .where('pseudonym', '=', pseudonym)
      .where('salt', 'is not', null)
      .where((is) => is.or([is('end_seq', 'is not', null), is('at', '<=', now - LONGEST_CALL_MS)]))
      .executeTakeFirst()
    const ofErased = trx
      .selectFrom('countersign_activity')
      .select('id')
      .where('tenant', '=', clean(tenant))
      .where('pseudonym', '=', pseudonym)
      .where('salt', 'is', null)
    const { numUpdatedRows: events } = await trx
      .updateTable('countersign_activity_events')
      .set({ data: null, salt: null })
      .where('tenant', '=', clean(tenant))
      .where('pseudonym', '=', pseudonym)
      .where('salt', 'is not', null)
      .where('call_id', 'in', ofErased)
      .executeTakeFirst()
    await sql`delete from countersign_activity_words where position in (${ofErased.clearSelect().select('position')})`.execute(
      trx,
    )
    const left = await trx
      .selectFrom('countersign_activity')
      .select((is) => is.fn.countAll().as('calls'))
      .where('tenant', '=', clean(tenant))
      .where('pseudonym', '=', pseudonym)
      .where('salt', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n || events > 0n) await writeErasure(tx, clean(tenant), pseudonym, () => now)
    return { pseudonym, calls: Number(numUpdatedRows), running: Number(left?.calls ?? 0) }
  }
  return await transact(true, erase)
}
