// A report names a mail by its Message-ID: one of `emails.send_external`, or one of a campaign.
import { messageIdOf, readMessageId } from '../campaigns/mail-renderer.ts'
import { findCampaign } from '../campaigns/queries.ts'
import { recipientsOf } from '../queries.ts'
import type { CampaignMailRow, MailDatabase, RecipientRow } from '../schema.ts'

export type SentRecipient = Pick<
  RecipientRow | CampaignMailRow,
  'position' | 'tenant' | 'name' | 'address' | 'address_key' | 'domain'
>

export interface SentMail {
  /** Of the mail, or of the campaign. */
  readonly id: string
  /** As people know it: its subject, or the template of its campaign. */
  readonly title: string
  /** As it was sent, where it is the same for everybody. */
  readonly subject: string | undefined
  readonly sender: string
  /** ISO 8601: not before. */
  readonly wentOutAt: string
  /** Those to whom it may have gone. */
  readonly recipients: readonly SentRecipient[]
  /** Writes down that it did not reach a recipient after all. */
  cameBack(transaction: MailDatabase, position: number, why: string): Promise<void>
}

/** The mail of this tenant that has this Message-ID. */
export async function findSentMail(db: MailDatabase, tenant: string, reported: string): Promise<SentMail | undefined> {
  const messageId = await ownMessageId(db, reported)
  const named = readMessageId(messageId)
  return named === undefined ? ofItsOwn(db, tenant, messageId) : ofCampaign(db, tenant, messageId, named)
}

/** Nobody has a report of what never went out. */
const mayHave = ['accepted', 'refused', 'unknown'] as const

const refused = (why: string) => ({ state: 'refused', response: `Came back: ${why}` }) as const

/** The id of a mail begins its Message-ID: by that its row is found without reading all of them. */
const idIn = (messageId: string): string => /^<(em_[0-9a-f]{20})@/.exec(messageId)?.[1] ?? ''

async function ofItsOwn(db: MailDatabase, tenant: string, messageId: string): Promise<SentMail | undefined> {
  const email = await db
    .selectFrom('mail_emails')
    .select(['id', 'subject', 'sender_address', 'leaves_at'])
    .where('id', '=', idIn(messageId))
    .where('tenant', '=', tenant)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  if (email === undefined) return undefined
  return {
    id: email.id,
    title: email.subject,
    subject: email.subject,
    sender: email.sender_address,
    wentOutAt: email.leaves_at,
    recipients: (await recipientsOf(db, [email.id])).filter(({ state }) => mayHave.some((each) => each === state)),
    async cameBack(transaction, position, why) {
      await transaction
        .updateTable('mail_recipients')
        .set(refused(why))
        .where('email_id', '=', email.id)
        .where('position', '=', position)
        .execute()
    },
  }
}

async function ofCampaign(
  db: MailDatabase,
  tenant: string,
  messageId: string,
  { campaignId, position: at }: { readonly campaignId: string; readonly position: number },
): Promise<SentMail | undefined> {
  const campaign = await findCampaign(db, tenant, campaignId)
  if (campaign === undefined || messageIdOf(campaign, at) !== messageId) return undefined
  const recipients = await db
    .selectFrom('mail_campaign_mails')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .where('position', '=', at)
    .where('state', 'in', mayHave)
    .execute()
  return {
    id: campaignId,
    title: campaign.template_name,
    subject: undefined,
    sender: campaign.sender_address,
    wentOutAt: campaign.created_at,
    recipients,
    async cameBack(transaction, position, why) {
      await transaction
        .updateTable('mail_campaign_mails')
        .set({ ...refused(why), owner: null })
        .where('campaign_id', '=', campaignId)
        .where('position', '=', position)
        .where('state', 'in', mayHave)
        .execute()
    },
  }
}

/** Whose mail has this Message-ID. */
export async function tenantOf(db: MailDatabase, messageId: string): Promise<string | undefined> {
  const own = await ownMessageId(db, messageId)
  const named = readMessageId(own)
  const row = await (
    named === undefined
      ? db.selectFrom('mail_emails').select('tenant').where('id', '=', idIn(own)).where('message_id', '=', own)
      : db.selectFrom('mail_campaigns').select('tenant').where('id', '=', named.campaignId)
  ).executeTakeFirst()
  return row?.tenant
}

/** Amazon SES gives each mail a Message-ID of its own, of which its answer for the recipients is the first half. */
const ofSes = /^<([\w-]{10,100})@(?:[\w-]+\.)?amazonses\.com>$/

/** The Message-ID under which a mail is kept here. */
async function ownMessageId(db: MailDatabase, messageId: string): Promise<string> {
  const [, answer] = ofSes.exec(messageId) ?? []
  if (answer === undefined) return messageId
  const email = await db
    .selectFrom('mail_recipients as recipient')
    .innerJoin('mail_emails as email', 'email.id', 'recipient.email_id')
    .select('message_id')
    .where('service_id', '=', answer)
    .executeTakeFirst()
  if (email !== undefined) return email.message_id
  const mail = await db
    .selectFrom('mail_campaign_mails as one')
    .innerJoin('mail_campaigns as campaign', 'campaign.id', 'one.campaign_id')
    .select(['campaign.id', 'campaign.run', 'sender_address', 'position'])
    .where('service_id', '=', answer)
    .executeTakeFirst()
  return mail === undefined ? messageId : messageIdOf(mail, mail.position)
}
