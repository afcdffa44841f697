// When a campaign goes on: at once, when somebody is to be asked again, when its mail server answers again, or never more.
import type { MailDatabase } from '../schema.ts'

/** Something of a campaign that had ended is to be sent after all. */
export const reopen = (db: MailDatabase, campaignId: string, now: string): Promise<unknown> =>
  db
    .updateTable('mail_campaigns')
    .set((eb) => ({ state: 'running', ended_at: null, next_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', campaignId)
    .execute()

/** When there is something of it to send next; ended where nothing is left. True where it has ended by this. */
export const planNext = (db: MailDatabase, campaignId: string, now: string, soon: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('mail_campaigns')
      .set({ next_at: soon })
      .where('id', '=', campaignId)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    const left = await transaction
      .selectFrom('mail_campaign_mails')
      .select((eb) => ['state', eb.fn.min('due_at').as('due_at')])
      .where('campaign_id', '=', campaignId)
      .where('state', 'in', ['pending', 'deferred', 'sending'])
      .groupBy('state')
      .execute()
    // What others have in their hands is looked at again soon.
    const next = left.map(({ state, due_at }) => (state === 'sending' ? soon : due_at)).sort()[0]
    await transaction
      .updateTable('mail_campaigns')
      .set(next === undefined ? { state: 'finished', ended_at: now, ...noFailure } : { next_at: next })
      .$if(next === undefined, (query) => query.set((eb) => ({ version: eb('version', '+', 1) })))
      .where('id', '=', campaignId)
      .execute()
    return next === undefined
  })

export const restCodes = [
  'mail_server_unreachable',
  'mail_server_defers',
  'mail_server_refuses_us',
  'mail_server_refuses_all',
  'template_unreadable',
  'quota_used_up',
] as const
export type RestCode = (typeof restCodes)[number]

/** Why a campaign rests: it goes on by itself at `nextAt`, or waits for a person where that is absent. */
export interface Rest {
  readonly code: RestCode
  readonly text: string
  readonly nextAt?: string
}

/** What a campaign that does not rest has of one. */
export const noFailure = { failure_code: null, failure_text: null, failing_since: null } as const

interface RestPlan {
  /** ISO 8601. */
  readonly now: string
  /** Those who were put off with everybody else: the attempt does not count for them. */
  readonly putOff: readonly number[]
}

export async function writeRest(
  db: MailDatabase,
  campaignId: string,
  { code, text, nextAt }: Rest,
  { now, putOff }: RestPlan,
): Promise<void> {
  await db
    .updateTable('mail_campaigns')
    .set({ failure_code: code, failure_text: text, ...(nextAt === undefined ? {} : { next_at: nextAt }) })
    .$if(nextAt !== undefined && code !== 'quota_used_up', (query) =>
      query.set((eb) => ({ failing_since: eb.fn.coalesce('failing_since', eb.val(now)) })),
    )
    .$if(nextAt === undefined, (query) =>
      query.set((eb) => ({ state: 'paused', failing_since: null, version: eb('version', '+', 1) })),
    )
    .where('id', '=', campaignId)
    .where('state', '=', 'running')
    .execute()
  if (putOff.length === 0) return
  await db
    .updateTable('mail_campaign_mails')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), due_at: nextAt ?? now }))
    .where('campaign_id', '=', campaignId)
    .where('position', 'in', putOff)
    .where('state', '=', 'deferred')
    .where('attempts', '>', 0)
    .execute()
}

/** The mail server takes mail again. */
export async function clearRest(db: MailDatabase, campaignId: string): Promise<void> {
  await db
    .updateTable('mail_campaigns')
    .set(noFailure)
    .where('id', '=', campaignId)
    .where('state', '=', 'running')
    .execute()
}
