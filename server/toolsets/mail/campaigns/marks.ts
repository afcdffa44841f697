// What a process writes down of a campaign while it sends: which mails it takes, before their first byte, and what became
// of those before. Both stand in one transaction, so that a commit is paid for once for many mails.
import { sql } from 'kysely'
import type { LaterEvent } from '../../toolset.ts'
import type {
  CampaignMailRow,
  CampaignMailState,
  CampaignRow,
  CampaignState,
  MailDatabase,
  MailRecording,
} from '../schema.ts'

/** What became of a mail, or whose it is no more: `pending` was not begun. */
export interface Outcome {
  readonly position: number
  readonly state: Exclude<CampaignMailState, 'sending' | 'stopped'>
  readonly response: string | null
  readonly attempts: number
  readonly dueAt: string
}

interface Holder {
  readonly campaign: CampaignRow
  readonly owner: string
  /** ISO 8601. */
  readonly now: string
  readonly leaseUntil: string
}

export interface Step {
  /** Marked as `sending`: the holder may send them. */
  readonly taken: readonly CampaignMailRow[]
  /** Of whom no mail goes out by now: contact and reason. */
  readonly undeliverable: ReadonlyMap<string, string>
  readonly state: CampaignState
}

/** Writes outcomes down and takes up to so many more mails, while the campaign is running. */
export const step = (
  recording: MailRecording,
  holder: Holder,
  outcomes: readonly Outcome[],
  most: number,
): Promise<Step | undefined> =>
  recording(async (transaction, record) => {
    // A statement that changes nothing, and holds the row: who stops the campaign comes before all of this or after it.
    const campaign = await transaction
      .updateTable('mail_campaigns')
      .set((eb) => ({ next_at: eb.ref('next_at') }))
      .where('id', '=', holder.campaign.id)
      .returning('state')
      .executeTakeFirst()
    if (campaign === undefined) return undefined
    if (outcomes.length > 0)
      for (const ended of await settle(transaction, holder, outcomes, campaign.state)) record(ended)
    const taken = campaign.state === 'running' && most > 0 ? await take(transaction, holder, most) : []
    return { taken, undeliverable: await undeliverableOf(transaction, taken), state: campaign.state }
  })

/** Also of mails that others have meanwhile called unknown: this process knows. Answers what is to be on record. */
async function settle(
  transaction: MailDatabase,
  { campaign, owner, now }: Holder,
  outcomes: readonly Outcome[],
  is: CampaignState,
): Promise<readonly LaterEvent[]> {
  const rows = outcomes.map(({ position, state, response, attempts, dueAt }) => {
    const isOpen = state === 'pending' || state === 'deferred'
    const after = isOpen && is === 'stopped' ? 'stopped' : state
    return sql`(cast(${position} as integer), cast(${after} as text), cast(${response} as text), cast(${attempts} as integer), cast(${dueAt} as text), cast(${isOpen && after !== 'stopped' ? null : now} as text))`
  })
  const settled = await transaction
    .updateTable('mail_campaign_mails')
    .from(sql<GivenRow>`(values ${sql.join(rows)})`.as('given'))
    .set((eb) => ({
      state: eb.ref('given.column2'),
      response: eb.ref('given.column3'),
      attempts: eb.ref('given.column4'),
      due_at: eb.ref('given.column5'),
      ended_at: eb.ref('given.column6'),
      owner: null,
      lease_until: null,
    }))
    .where('campaign_id', '=', campaign.id)
    .whereRef('position', '=', 'given.column1')
    .where('owner', '=', owner)
    .where('state', 'in', ['sending', 'unknown'])
    .returning(['position', 'address', 'state', 'response'])
    .execute()
  return settled.flatMap((mail) => eventOf(campaign, mail) ?? [])
}

const outcomeOf: Partial<Record<CampaignMailState, LaterEvent['outcome']>> = {
  accepted: 'applied',
  refused: 'failed',
  skipped: 'refused',
  unknown: 'outcome_unknown',
}

/** The row of the activity log for a mail that has ended. */
function eventOf(
  { tenant, created_by: subject, run }: Pick<CampaignRow, 'tenant' | 'created_by' | 'run'>,
  { position, address: to, state, response }: Pick<CampaignMailRow, 'position' | 'address' | 'state' | 'response'>,
): LaterEvent | undefined {
  const outcome = outcomeOf[state]
  if (outcome === undefined) return undefined
  return {
    name: 'email.bulk.sent',
    principal: { tenant, subject },
    run,
    outcome,
    // Each text that is looked through costs as much as the rest of the row: the campaign stands in the row of its call, and
    // what a server says of a mail that it takes with the mail.
    details: { position, to, ...(state === 'accepted' ? {} : { response }) },
  }
}

/** As both databases name the columns of `values`. */
interface GivenRow {
  column1: number
  column2: CampaignMailState
  column3: string | null
  column4: number
  column5: string
  column6: string | null
}

/** Those that are asked again come first: they have waited. */
async function take(transaction: MailDatabase, holder: Holder, most: number): Promise<CampaignMailRow[]> {
  const taken: CampaignMailRow[] = []
  for (const state of ['deferred', 'pending'] as const) {
    if (taken.length === most) break
    const rows = await transaction
      .updateTable('mail_campaign_mails')
      .set({ state: 'sending', owner: holder.owner, lease_until: holder.leaseUntil })
      .where('campaign_id', '=', holder.campaign.id)
      .where('position', 'in', (eb) =>
        eb
          .selectFrom('mail_campaign_mails')
          .select('position')
          .where('campaign_id', '=', holder.campaign.id)
          .where('state', '=', state)
          .where('due_at', '<=', holder.now)
          .orderBy('due_at')
          .orderBy('position')
          .limit(most - taken.length),
      )
      .returningAll()
      .execute()
    taken.push(...rows.toSorted((a, b) => a.position - b.position))
  }
  return taken
}

async function undeliverableOf(
  transaction: MailDatabase,
  taken: readonly CampaignMailRow[],
): Promise<ReadonlyMap<string, string>> {
  if (taken.length === 0) return new Map()
  const rows = await transaction
    .selectFrom('mail_contacts')
    .select(['id', 'undeliverable'])
    .where(
      'id',
      'in',
      taken.map(({ contact_id }) => contact_id),
    )
    .where('undeliverable', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, undeliverable }) => [id, undeliverable ?? '']))
}

/** Says that the holder is still at these. */
export async function renew(db: MailDatabase, holder: Holder, positions: readonly number[]): Promise<void> {
  await db
    .updateTable('mail_campaign_mails')
    .set({ lease_until: holder.leaseUntil })
    .where('campaign_id', '=', holder.campaign.id)
    .where('position', 'in', positions)
    .where('owner', '=', holder.owner)
    .where('state', '=', 'sending')
    .execute()
}

/**
 * Mails of the holder that it does not know of: of a commit whose answer was lost. They were not begun, and may be taken again.
 */
export async function putBackStrays(db: MailDatabase, holder: Holder, known: readonly number[]): Promise<void> {
  await db
    .updateTable('mail_campaign_mails')
    .set({ state: 'pending', owner: null, lease_until: null })
    .where('campaign_id', '=', holder.campaign.id)
    .where('owner', '=', holder.owner)
    .where('state', '=', 'sending')
    .$if(known.length > 0, (query) => query.where('position', 'not in', known))
    .execute()
}

/** What a mail says whose holder is gone. */
const lostWords = 'The process that sent it ended before it wrote down an answer.'

/** Their holder is gone, or was silent for longer than its lease. The holder itself may still say what became of one. */
export async function giveUpLost(db: MailDatabase, recording: MailRecording, now: string): Promise<void> {
  const lost = await db
    .selectFrom('mail_campaign_mails')
    .select('campaign_id')
    .distinct()
    .where('state', '=', 'sending')
    .where('lease_until', '<', now)
    .execute()
  // A statement that changes nothing would still wait for whoever writes.
  for (const { campaign_id: id } of lost)
    await recording(async (transaction, record) => {
      const campaign = await transaction
        .updateTable('mail_campaigns')
        .set((eb) => ({ next_at: eb.ref('next_at') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const mails = await transaction
        .updateTable('mail_campaign_mails')
        .set({ state: 'unknown', response: lostWords, ended_at: now })
        .where('campaign_id', '=', id)
        .where('state', '=', 'sending')
        .where('lease_until', '<', now)
        .returning(['position', 'address', 'state', 'response'])
        .execute()
      for (const mail of mails) {
        const event = eventOf(campaign, mail)
        if (event !== undefined) record(event)
      }
    })
}

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
      .set(
        next === undefined
          ? { state: 'finished', ended_at: now, failure_code: null, failure_text: null }
          : { next_at: next },
      )
      .$if(next === undefined, (query) => query.set((eb) => ({ version: eb('version', '+', 1) })))
      .where('id', '=', campaignId)
      .execute()
    return next === undefined
  })

/** Why a campaign rests: it goes on by itself at `nextAt`, or waits for a person where that is absent. */
export interface Rest {
  readonly code: 'mail_server_unreachable' | 'mail_server_defers' | 'mail_server_refuses_us' | 'template_unreadable'
  readonly text: string
  readonly nextAt?: string
}

export async function writeRest(db: MailDatabase, campaignId: string, { code, text, nextAt }: Rest): Promise<void> {
  await db
    .updateTable('mail_campaigns')
    .set({ failure_code: code, failure_text: text, ...(nextAt === undefined ? {} : { next_at: nextAt }) })
    .$if(nextAt === undefined, (query) => query.set((eb) => ({ state: 'paused', version: eb('version', '+', 1) })))
    .where('id', '=', campaignId)
    .where('state', '=', 'running')
    .execute()
}

/** The mail server takes mail again. */
export async function clearRest(db: MailDatabase, campaignId: string): Promise<void> {
  await db
    .updateTable('mail_campaigns')
    .set({ failure_code: null, failure_text: null })
    .where('id', '=', campaignId)
    .where('state', '=', 'running')
    .execute()
}
