// Everything that is read of campaigns, as free functions with the database first.
import type { CampaignMailRow, CampaignMailState, CampaignRow, MailDatabase } from '../schema.ts'

/** How many of its mails are in each state. */
export type Counts = Readonly<Record<CampaignMailState | 'total', number>>

const none: Counts = {
  total: 0,
  pending: 0,
  sending: 0,
  deferred: 0,
  accepted: 0,
  refused: 0,
  unknown: 0,
  skipped: 0,
  stopped: 0,
}

/** A campaign of this tenant. */
export const findCampaign = (db: MailDatabase, tenant: string, id: string): Promise<CampaignRow | undefined> =>
  db.selectFrom('mail_campaigns').selectAll().where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst()

/** The counts of these campaigns. */
export async function countsOf(db: MailDatabase, ids: readonly string[]): Promise<ReadonlyMap<string, Counts>> {
  const counts = new Map(ids.map((id) => [id, { ...none }]))
  if (ids.length === 0) return counts
  const rows = await db
    .selectFrom('mail_campaign_mails')
    .select((eb) => ['campaign_id', 'state', eb.fn.countAll<number | string>().as('count')])
    .where('campaign_id', 'in', ids)
    .groupBy(['campaign_id', 'state'])
    .execute()
  for (const { campaign_id, state, count } of rows) {
    const of = counts.get(campaign_id)
    if (of === undefined) continue
    of[state] = Number(count)
    of.total += Number(count)
  }
  return counts
}

export const countsOfOne = async (db: MailDatabase, id: string): Promise<Counts> =>
  (await countsOf(db, [id])).get(id) ?? none

/** Mails that are still to go out. */
export const leftOf = ({ pending, deferred, sending }: Counts): number => pending + deferred + sending

/** Mails that it has, gone out or not: one for everybody who is not skipped. */
export const mailsOf = ({ total, skipped }: Counts): number => total - skipped

/** A page of its recipients in their order, optionally those in one state. */
export const pageOfMails = (
  db: MailDatabase,
  campaignId: string,
  {
    state,
    after = 0,
    limit,
  }: { readonly state?: CampaignMailState | undefined; readonly after?: number; readonly limit: number },
): Promise<CampaignMailRow[]> =>
  db
    .selectFrom('mail_campaign_mails')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .where('position', '>', after)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'pending'))
    .orderBy('position')
    .limit(limit)
    .execute()
