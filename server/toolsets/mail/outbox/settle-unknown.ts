// `emails.settle_unknown`: no mail server can be asked whether it took a mail, so of one that may have gone out a person asks
// a recipient, and says here what that has come to. Only then may it go out again.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { listed } from '../../say.ts'
import { findCampaign } from '../campaigns/queries.ts'
import { afterChange, forGood } from '../failures.ts'
import { mailTool, type Seen } from '../mail-tool.ts'
import type { MailSettings } from '../options.ts'
import { neverHeld, roomFor } from '../quota.ts'
import { openOf } from './outgoing.ts'
import { stateOf } from './withheld.ts'
import { findEmail, type Email } from '../queries.ts'
import type { CampaignRow, MailDatabase } from '../schema.ts'
import { wordsIn } from '../words.ts'
import { describeSettling } from './settle-card.ts'

const input = z
  .strictObject({
    id: z.string().min(1).max(60).describe('Id of a campaign ("cp_…") or of a mail ("em_…")'),
    addresses: z
      .array(z.string().min(3).max(320))
      .min(1)
      .max(200)
      .optional()
      .describe('Those whom this is about; everybody of whom it is not known when absent'),
    arrived: z.boolean().describe('What a person has found out, never a guess'),
    sendAgain: z.boolean().optional().describe('With arrived: false, sends it again'),
  })
  .refine(({ arrived, sendAgain }) => !(arrived && sendAgain === true), {
    path: ['sendAgain'],
    message: 'what has arrived is not sent again',
  })
export type Input = z.infer<typeof input>

const failures = {
  unknown_id: afterChange('Look it up with emails_list_campaigns or emails_list, and use its id exactly.'),
  not_unknown: forGood('It is known what became of it; emails_get_campaign and emails_get say that.'),
  rate_limit_exceeded: afterChange('Settle it for fewer recipients at a time (addresses), or without sendAgain.'),
  campaign_stopped: forGood('Nothing of a stopped campaign goes out; settle it without sendAgain.'),
}

export interface Unsettled {
  readonly position: number
  readonly name: string | null
  readonly address: string
}

export interface Forecast {
  readonly of: { readonly email: Email } | { readonly campaign: CampaignRow }
  readonly recipients: readonly Unsettled[]
  readonly seen: readonly Seen[]
  readonly also: readonly string[]
}

/** The mail or the campaign, with those of whom it is not known. */
async function find(db: MailDatabase, tenant: string, id: string) {
  const campaign = await findCampaign(db, tenant, id)
  if (campaign !== undefined) {
    const unknown = await db
      .selectFrom('mail_campaign_mails')
      .select(['position', 'name', 'address', 'address_key'])
      .where('campaign_id', '=', id)
      .where('state', '=', 'unknown')
      .orderBy('position')
      .execute()
    return { what: wordsIn('en').settle.campaign(campaign.template_name), of: { campaign }, unknown }
  }
  const email = await findEmail(db, id)
  if (email?.tenant !== tenant) return undefined
  return {
    what: wordsIn('en').settle.mail(email.subject),
    of: { email },
    unknown: email.recipients.filter(({ state }) => state === 'unknown'),
  }
}

async function foresee(
  db: MailDatabase,
  { id, addresses, sendAgain }: Input,
  ctx: ToolContext<keyof typeof failures>,
): Promise<Forecast | ToolFailed> {
  const found = await find(db, ctx.principal.tenant, id)
  if (found === undefined)
    return ctx.fail('unknown_id', `There is no mail and no campaign ${JSON.stringify(id)}.`, {
      fields: [{ pointer: '/id', received: id, allowed: 'an id that emails_list_campaigns or emails_list answers' }],
    })
  const { what, of, unknown } = found
  const keys = addresses?.map((address) => address.trim().toLowerCase())
  const others = keys?.filter((key) => !unknown.some(({ address_key }) => address_key === key)) ?? []
  if (others.length > 0 || unknown.length === 0)
    return ctx.fail(
      'not_unknown',
      others.length === 0
        ? `There is nobody of whom the ${what} is unknown.`
        : `The ${what} is not unknown of ${listed(others.slice(0, 10))}.`,
    )
  if (sendAgain === true && 'campaign' in of && of.campaign.state === 'stopped')
    return ctx.fail('campaign_stopped', `The ${what} was stopped.`)
  const recipients = keys === undefined ? unknown : unknown.filter(({ address_key }) => keys.includes(address_key))
  const positions = recipients.map(({ position }) => position).join(',')
  return {
    of,
    recipients,
    seen: [
      'campaign' in of
        ? { table: 'mail_campaigns', key: id, version: of.campaign.version, moves: true }
        : { table: 'mail_emails', key: id, version: of.email.version, moves: true },
    ],
    also: [`unknown:${createHash('sha256').update(positions).digest('hex').slice(0, 16)}`],
  }
}

/** What becomes of a recipient. */
const after = ({ arrived, sendAgain }: Input) =>
  arrived
    ? ({ state: 'accepted', response: 'A person says that it arrived.' } as const)
    : sendAgain === true
      ? ({ state: 'deferred', response: 'A person says that it did not arrive; it is sent again.' } as const)
      : ({ state: 'refused', response: 'A person says that it did not arrive.' } as const)

/** `emails.settle_unknown`. */
export const settleUnknown = (settings: Pick<MailSettings, 'policy'>) =>
  mailTool({
    name: 'emails.settle_unknown',
    title: 'Settle what became of a mail',
    noun: 'what became of the mail',
    description:
      'Records what a person has found out about a mail whose outcome is unknown, of a campaign or of emails_send_external: whether it arrived. What did not arrive goes out again only with sendAgain.',
    category: 'communication',
    operation: 'write',
    risk: { atMost: 'critical', of: ({ sendAgain }: Input) => (sendAgain === true ? 'critical' : 'medium') },
    permissions: ['emails:send', 'emails:read'],
    auditEvent: 'email.settled',
    input,
    output: z.strictObject({
      id: z.string(),
      settled: z.int(),
      state: z.enum(['accepted', 'refused', 'deferred']).describe('deferred: it is sent again'),
    }),
    failures,
    sideEffects: [
      { what: 'What became of the mail is written down', onRepeat: 'Refused: it is known' },
      { what: 'With sendAgain, the mail is sent once more', onRepeat: 'Refused: it is known' },
    ],
    async foresee(db, given, ctx) {
      const found = await foresee(db, given, ctx)
      if (hasEnded(found)) return found
      const now = ctx.now()
      const asked = { tenant: ctx.principal.tenant, now, at: now, recipients: found.recipients.length }
      // Mails of a campaign go out one by one; of one mail all leave together that still wait.
      const together =
        given.sendAgain === true && 'email' in found.of ? openOf(found.of.email).length + asked.recipients : 0
      return {
        ...found,
        room: await roomFor(db, settings, asked),
        obstacle: neverHeld(settings, together, wordsIn(ctx.language)),
      }
    },
    describe: (forecast, given, { language }) => describeSettling(forecast, given, wordsIn(language)),
    async carryOut(transaction, { of, recipients }, given, ctx) {
      const now = new Date(ctx.now()).toISOString()
      const settled =
        'campaign' in of
          ? await settleCampaign(transaction, of.campaign, recipients, given, now)
          : await settleEmail(transaction, of.email, recipients, given, now)
      return { id: given.id, settled, state: after(given).state }
    },
    cards: {
      success({ arrived, sendAgain }, { settled }, { language }) {
        const { settle, recipients } = wordsIn(language)
        return {
          title: sendAgain === true ? settle.sentAgain : arrived ? settle.doneArrived : settle.doneNotArrived,
          subtitle: recipients(settled),
        }
      },
    },
  })

/** Positions of one statement: it takes a bounded number of values. */
const atOnce = 500

async function settleCampaign(
  transaction: MailDatabase,
  campaign: CampaignRow,
  recipients: readonly Unsettled[],
  given: Input,
  now: string,
): Promise<number> {
  const { state, response } = after(given)
  let settled = 0
  for (let at = 0; at < recipients.length; at += atOnce) {
    const { numUpdatedRows } = await transaction
      .updateTable('mail_campaign_mails')
      .set({
        state,
        response,
        owner: null,
        lease_until: null,
        due_at: now,
        ended_at: state === 'deferred' ? null : now,
      })
      .where('campaign_id', '=', campaign.id)
      .where(
        'position',
        'in',
        recipients.slice(at, at + atOnce).map(({ position }) => position),
      )
      // Its sender may have heard the answer after all.
      .where('state', '=', 'unknown')
      .executeTakeFirst()
    settled += Number(numUpdatedRows)
  }
  if (state === 'deferred' && campaign.state !== 'paused')
    await transaction
      .updateTable('mail_campaigns')
      .set({ state: 'running', next_at: now, ended_at: null })
      .where('id', '=', campaign.id)
      .execute()
  return settled
}

async function settleEmail(
  transaction: MailDatabase,
  email: Email,
  recipients: readonly Unsettled[],
  given: Input,
  now: string,
): Promise<number> {
  const change = after(given)
  const positions = new Set(recipients.map(({ position }) => position))
  const all = email.recipients.map((each) => (positions.has(each.position) ? { ...each, ...change } : each))
  await transaction
    .updateTable('mail_recipients')
    .set(change)
    .where('email_id', '=', email.id)
    .where('position', 'in', [...positions])
    .execute()
  const state = stateOf(all)
  await transaction
    .updateTable('mail_emails')
    .set({
      state,
      owner: null,
      lease_until: null,
      ...(state === 'scheduled' ? { due_at: now, ended_at: null } : { ended_at: now }),
    })
    .where('id', '=', email.id)
    .execute()
  return positions.size
}
