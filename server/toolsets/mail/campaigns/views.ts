// Campaigns as the outside sees them.
import { z } from 'zod'
import type { MailSettings } from '../options.ts'
import { paceOf } from '../quota.ts'
import type { CampaignMailRow, CampaignRow, MailDatabase } from '../schema.ts'
import { countsOfOne, leftOf, pageOfMails, type Counts } from './queries.ts'
import { measuredRate } from './rate.ts'

export const campaignId = z.string().min(1).max(60).describe('Id of a campaign, like "cp_…"')

const statuses = ['scheduled', 'sending', 'paused', 'stopped', 'finished'] as const
export const campaignStatus = z.enum(statuses)
export type CampaignStatus = (typeof statuses)[number]

const mailStates = ['pending', 'sending', 'deferred', 'accepted', 'refused', 'unknown', 'skipped', 'stopped'] as const
export const mailState = z
  .enum(mailStates)
  .describe(
    'pending: not asked yet; deferred: refused for now, asked again by itself; accepted, refused: by the mail server; unknown: may have arrived; skipped: never offered to the mail server; stopped: gets nothing, because the campaign was stopped',
  )

export const countsOut = z.strictObject({
  total: z.int(),
  pending: z.int(),
  sending: z.int(),
  deferred: z.int(),
  accepted: z.int(),
  refused: z.int(),
  unknown: z.int(),
  skipped: z.int(),
  stopped: z.int(),
})

export const summaryOut = z.strictObject({
  campaignId: z.string(),
  status: campaignStatus,
  template: z.string(),
  segment: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  startsAt: z.string(),
  endedAt: z.string().optional(),
  counts: countsOut,
})

export const recipientOut = z.strictObject({
  position: z.int(),
  address: z.string(),
  state: mailState,
  attempts: z.int(),
  response: z.string().optional().describe('The words of the mail server, or why it is not sent'),
  askedAgainAt: z.string().optional(),
})

export const campaignOut = summaryOut.extend({
  from: z.string(),
  replyTo: z.string().optional(),
  subject: z.string().describe('Of the template, as it was confirmed'),
  rests: z
    .strictObject({ code: z.string(), why: z.string(), goesOnAt: z.string().optional() })
    .optional()
    .describe('Why nothing goes out: the mail server takes nothing from here, or a quota is used up'),
  mailsPerSecond: z.number().describe('As campaigns have lately gone out, or an assumption before the first'),
  estimatedEnd: z.string().optional(),
  unknown: z
    .array(recipientOut)
    .describe('The first 50 who may have got it; emails_settle_unknown takes what a person finds out'),
})

/** What it is now, by the clock. */
export const statusAt = ({ state, due_at }: Pick<CampaignRow, 'state' | 'due_at'>, now: number): CampaignStatus =>
  state !== 'running' ? state : Date.parse(due_at) > now ? 'scheduled' : 'sending'

export const summaryView = (row: CampaignRow, counts: Counts, now: number): z.infer<typeof summaryOut> => ({
  campaignId: row.id,
  status: statusAt(row, now),
  template: row.template_name,
  segment: row.segment_name,
  createdAt: row.created_at,
  createdBy: row.created_by,
  startsAt: row.due_at,
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  counts,
})

export const recipientView = (mail: CampaignMailRow): z.infer<typeof recipientOut> => ({
  position: mail.position,
  address: mail.address,
  state: mail.state,
  attempts: mail.attempts,
  ...(mail.response === null ? {} : { response: mail.response }),
  ...(mail.state === 'deferred' ? { askedAgainAt: mail.due_at } : {}),
})

const named = 50

/** One campaign, with how fast it goes. */
export async function campaignView(
  db: MailDatabase,
  settings: Pick<MailSettings, 'policy'>,
  row: CampaignRow,
  now: number,
): Promise<z.infer<typeof campaignOut>> {
  const counts = await countsOfOne(db, row.id)
  const rate = await measuredRate(db)
  const unknown = counts.unknown === 0 ? [] : await pageOfMails(db, row.id, { state: 'unknown', limit: named })
  const begins = Math.max(now, Date.parse(row.next_at))
  const left = leftOf(counts)
  const { ms: pacedMs } = await paceOf(db, settings, { tenant: row.tenant, now, at: begins, mails: left })
  return {
    ...summaryView(row, counts, now),
    from: row.sender_name === '' ? row.sender_address : `${row.sender_name} <${row.sender_address}>`,
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
    subject: row.subject,
    ...(row.failure_code === null
      ? {}
      : {
          rests: {
            code: row.failure_code,
            why: row.failure_text ?? '',
            ...(row.state === 'running' ? { goesOnAt: row.next_at } : {}),
          },
        }),
    mailsPerSecond: Math.round(rate * 10) / 10,
    ...(row.state === 'running' && left > 0
      ? { estimatedEnd: new Date(begins + Math.max(pacedMs, (left / rate) * 1000)).toISOString() }
      : {}),
    unknown: unknown.map(recipientView),
  }
}
