// Retention cuts a chain; a cut must not look like a deletion, and a deletion must not pass for a cut. So the place of
// the cut is signed, with the entries before it that are still there because their calls ended after it.
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import { epoch } from '../../plan-row.ts'
import type { Tables } from '../../tables.ts'
import type { Chain } from './chain.ts'
import type { Entry } from './entries.ts'

export interface Checkpoint {
  readonly seq: number
  readonly link: string
  /** Signatures of the entries before the cut that were kept, by number. */
  readonly kept: ReadonlyMap<number, string>
}

const keptJson = z.array(z.tuple([z.int(), z.string()]))

/** Where a tenant's chain starts to be whole; `forged` where the record of it is not ours. */
export const checkpointOf = async (
  db: Kysely<Tables>,
  chain: Chain,
  tenant: string,
): Promise<Checkpoint | 'forged'> => {
  const row = await db
    .selectFrom('countersign_activity_checkpoints')
    .selectAll()
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  if (row === undefined) return { seq: 0, link: chain.genesis(tenant), kept: new Map() }
  const { link, kept } = row
  const [seq, at] = [epoch.parse(row.seq), epoch.parse(row.at)]
  if (chain.sign('checkpoint', [tenant, seq, link, at, kept]) !== row.mac) return 'forged'
  return { seq, link, kept: new Map(keptJson.parse(JSON.parse(kept))) }
}

/** Signs a cut behind entry `seq`. */
export const writeCheckpoint = async (
  trx: Transaction<Tables>,
  chain: Chain,
  cut: { readonly tenant: string; readonly seq: number; readonly link: string; readonly at: number },
  entries: readonly Entry[],
): Promise<void> => {
  const { tenant, seq, link, at } = cut
  const kept = JSON.stringify(entries.map((entry) => [entry.seq, signatureOf(chain, entry)]))
  const mac = chain.sign('checkpoint', [tenant, seq, link, at, kept])
  await trx.deleteFrom('countersign_activity_checkpoints').where('tenant', '=', tenant).execute()
  await trx.insertInto('countersign_activity_checkpoints').values({ tenant, seq, link, at, kept, mac }).execute()
}

/** Proves a kept entry, now that the link before it is gone. */
export const signatureOf = (chain: Chain, entry: Entry): string => chain.sign('kept', entry.content)
