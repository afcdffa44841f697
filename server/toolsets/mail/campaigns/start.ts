// A confirmed `emails.bulk_send` becomes a campaign: whom it goes to and what it says are copied, so that what is changed
// afterwards changes nothing of it. One statement copies the recipients, however many they are.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { MailDatabase } from '../schema.ts'
import { audienceOf, type Segment } from '../segments/queries.ts'
import type { NamedAddress } from '../transports/smtp.ts'
import type { StoredTemplate } from '../templates/queries.ts'
import type { Values } from '../templates/values.ts'
import { wordsIn } from '../words.ts'

/** What a campaign is made of. */
export interface NewCampaign {
  readonly tenant: string
  readonly createdBy: string
  /** Idempotency key of the call. */
  readonly run: string
  readonly template: Pick<StoredTemplate, 'id' | 'name' | 'subject' | 'body' | 'variables' | 'fallbacks'>
  readonly segment: Pick<Segment, 'id' | 'name' | 'conditions'>
  readonly sender: NamedAddress
  readonly replyTo: string | null
  /** What the call gives, by the name of the variable. */
  readonly given: Values
  /** Who gets no mail beside those that are undeliverable, by the position: a variable is missing, say. */
  readonly skips?: readonly { readonly position: number; readonly reason: string }[]
  /** Epoch milliseconds. */
  readonly now: number
  /** When it begins, ISO 8601; at once when absent. */
  readonly dueAt?: string | undefined
}

export interface StartedCampaign {
  readonly campaignId: string
  readonly counts: { readonly pending: number; readonly skipped: number }
}

/**
 * Writes a campaign and its recipients: each contact of the segment once, in the order of its address, those who get nothing
 * with the reason. It begins when its transaction has committed, or when it is due.
 */
export async function startCampaign(transaction: MailDatabase, given: NewCampaign): Promise<StartedCampaign> {
  const { tenant, template, segment, sender, skips = [] } = given
  const campaignId = `cp_${randomBytes(10).toString('hex')}`
  const now = new Date(given.now).toISOString()
  const dueAt = given.dueAt ?? now
  await transaction
    .insertInto('mail_campaigns')
    .values({
      id: campaignId,
      tenant,
      created_by: given.createdBy,
      created_at: now,
      run: given.run,
      template_id: template.id,
      template_name: template.name,
      segment_id: segment.id,
      segment_name: segment.name,
      sender_name: sender.name,
      sender_address: sender.address,
      reply_to: given.replyTo,
      subject: template.subject,
      body: template.body,
      variables: JSON.stringify(template.variables),
      fallbacks: JSON.stringify(template.fallbacks),
      given: JSON.stringify(given.given),
      due_at: dueAt,
      next_at: dueAt,
      state: 'running',
      ended_at: null,
      failure_code: null,
      failure_text: null,
      failing_since: null,
      version: 1,
    })
    .execute()
  await transaction
    .insertInto('mail_campaign_mails')
    .columns([
      'campaign_id',
      'position',
      'tenant',
      'contact_id',
      'address',
      'address_key',
      'domain',
      'name',
      'first_name',
      'last_name',
      'company',
      'response',
      'state',
      'attempts',
      'due_at',
      'ended_at',
    ])
    .expression((from) =>
      from
        .selectFrom(
          audienceOf(transaction, { tenant, conditions: segment.conditions })
            .selectAll('mail_contacts')
            .select(whyUndeliverable.as('why'))
            .as('contact'),
        )
        .select([
          sql<string>`cast(${campaignId} as text)`.as('campaign_id'),
          sql<number>`row_number() over (order by contact.address_key)`.as('position'),
          'contact.tenant',
          'contact.id as contact_id',
          'contact.address',
          'contact.address_key',
          'contact.domain',
          'contact.name',
          'contact.first_name',
          'contact.last_name',
          'contact.company',
          'contact.why as response',
          sql<string>`case when contact.why is null then 'pending' else 'skipped' end`.as('state'),
          sql<number>`0`.as('attempts'),
          sql<string>`cast(${dueAt} as text)`.as('due_at'),
          sql<string | null>`case when contact.why is null then null else cast(${now} as text) end`.as('ended_at'),
        ]),
    )
    .execute()
  await skip(transaction, campaignId, skips, now)
  const counted = await transaction
    .selectFrom('mail_campaign_mails')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('count')])
    .where('campaign_id', '=', campaignId)
    .groupBy('state')
    .execute()
  const of = (state: string): number => Number(counted.find((each) => each.state === state)?.count ?? 0)
  return { campaignId, counts: { pending: of('pending'), skipped: of('skipped') } }
}

/** Why nothing is sent to a contact whose address is marked. */
export const undeliverableWords = wordsIn('en').reasons.undeliverable
const marked = undeliverableWords('')

const whyUndeliverable = sql<
  string | null
>`case when undeliverable is not null then cast(${marked} as text) || undeliverable end`

/** A statement takes a bounded number of values. */
const mostAtOnce = 500

async function skip(
  transaction: MailDatabase,
  campaignId: string,
  skips: NonNullable<NewCampaign['skips']>,
  now: string,
): Promise<void> {
  for (const [reason, those] of Map.groupBy(skips, ({ reason: why }) => why))
    for (let at = 0; at < those.length; at += mostAtOnce)
      await transaction
        .updateTable('mail_campaign_mails')
        .set({ state: 'skipped', response: reason, ended_at: now })
        .where('campaign_id', '=', campaignId)
        .where(
          'position',
          'in',
          those.slice(at, at + mostAtOnce).map(({ position }) => position),
        )
        // Who is undeliverable is told so.
        .where('state', '=', 'pending')
        .execute()
}
