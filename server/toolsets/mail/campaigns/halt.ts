// What a person does with a campaign that is under way: `emails.pause_campaign`, `emails.resume_campaign` and
// `emails.stop_campaign`. Mails that are at the mail server in that moment are not taken back: a window of a few.
import { z } from 'zod'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import { count, fieldsBlock, listed, momentValue, numberValue, someValue, spokenNumber, textValue } from '../../say.ts'
import { hasEnded } from '../../rehearsal.ts'
import { forGood } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import type { MailSettings } from '../options.ts'
import { pacedInWords, paceOf } from '../quota.ts'
import type { CampaignRow, CampaignState, MailDatabase } from '../schema.ts'
import { countsOfOne, findCampaign, leftOf, mailsOf, type Counts } from './queries.ts'
import { durationOf } from './rate.ts'
import { notThere, unknownCampaign } from './reads.ts'
import { noFailure } from './schedule.ts'
import { campaignId, campaignStatus, countsOut, statusAt } from './views.ts'

const input = z.strictObject({ campaignId })
const output = z.strictObject({ campaignId: z.string(), status: campaignStatus, counts: countsOut })

const failures = {
  unknown_campaign: unknownCampaign,
  not_possible: forGood('emails_get_campaign says what has become of the campaign.'),
}

interface Found {
  readonly campaign: CampaignRow
  readonly counts: Counts
  readonly seen: readonly [{ table: 'mail_campaigns'; key: string; version: number; moves: true }]
}

/** A campaign of the caller in one of these states. */
async function foresee(
  db: MailDatabase,
  id: string,
  ctx: ToolContext<keyof typeof failures>,
  states: readonly CampaignState[],
): Promise<Found | ToolFailed> {
  const campaign = await findCampaign(db, ctx.principal.tenant, id)
  if (campaign === undefined) return ctx.fail('unknown_campaign', ...notThere(id))
  if (!states.includes(campaign.state))
    return ctx.fail('not_possible', `The campaign “${campaign.template_name}” is ${statusAt(campaign, ctx.now())}.`)
  return {
    campaign,
    counts: await countsOfOne(db, id),
    seen: [{ table: 'mail_campaigns', key: id, version: campaign.version, moves: true }],
  }
}

const become = async (db: MailDatabase, id: string, change: Partial<CampaignRow>): Promise<unknown> =>
  db.updateTable('mail_campaigns').set(change).where('id', '=', id).execute()

const answer = async (db: MailDatabase, { id, due_at }: CampaignRow, state: CampaignState, now: number) => ({
  campaignId: id,
  status: statusAt({ state, due_at }, now),
  counts: await countsOfOne(db, id),
})

/** What the campaign is and how far it has come. */
const aboutBlock = ({ campaign, counts }: Found) =>
  fieldsBlock({
    Template: textValue(campaign.template_name),
    Segment: textValue(campaign.segment_name),
    Confirmed: momentValue(campaign.created_at),
    Mails: numberValue(mailsOf(counts)),
    'Accepted by the mail server': numberValue(counts.accepted),
    'Still to go out': numberValue(leftOf(counts)),
    Refused: someValue(counts.refused),
    'May have arrived': someValue(counts.unknown),
    Skipped: someValue(counts.skipped),
    'Rests because': campaign.failure_text === null ? undefined : textValue(campaign.failure_text),
  })

/** What is said of the mails that are not taken back. */
const atTheServer = ({ sending }: Counts): readonly string[] =>
  sending === 0 ? [] : [`${spokenNumber(sending)} at the mail server just now`]

const common = { category: 'communication', permissions: ['emails:send'], input, output, failures } as const

/** `emails.pause_campaign`. */
export const pauseCampaign = mailTool({
  ...common,
  name: 'emails.pause_campaign',
  title: 'Pause a campaign',
  noun: 'the pause of the campaign',
  description: 'Lets no more mails of a campaign go out until emails_resume_campaign. Nobody loses anything by it.',
  operation: 'write',
  risk: 'medium',
  autonomous: true,
  auditEvent: 'campaign.paused',
  sideEffects: [
    { what: 'No more mails of the campaign go out until it is resumed', onRepeat: 'Refused: it is paused' },
  ],
  foresee: (db, { campaignId: id }, ctx) => foresee(db, id, ctx, ['running']),
  describe: (found) => ({
    title: `Pause the campaign “${found.campaign.template_name}”`,
    summary: `Pauses the campaign “${found.campaign.template_name}” to “${found.campaign.segment_name}”, of which ${count(leftOf(found.counts), 'mail')} are still to go out.`,
    blocks: [aboutBlock(found)],
    effects: ['No more mails go out until it is resumed', 'A few that are at the mail server in this moment still do'],
    confirmLabel: 'Pause campaign',
  }),
  async carryOut(transaction, { campaign }, _input, ctx) {
    await become(transaction, campaign.id, { state: 'paused' })
    return answer(transaction, campaign, 'paused', ctx.now())
  },
  undo: (_input, { campaignId: id }) => ({
    tool: 'emails_resume_campaign',
    arguments: { campaignId: id },
    label: 'Resume the campaign',
  }),
  cards: {
    success: (_input, { counts }) => ({
      title: 'Campaign paused',
      subtitle: listed([
        `${spokenNumber(counts.accepted)} of ${count(mailsOf(counts), 'mail')} accepted`,
        ...atTheServer(counts),
      ]),
    }),
  },
})

/** `emails.resume_campaign`. */
export const resumeCampaign = (settings: Pick<MailSettings, 'policy'>) =>
  mailTool({
    ...common,
    name: 'emails.resume_campaign',
    title: 'Resume a campaign',
    noun: 'the resuming of the campaign',
    description: 'Lets the mails of a paused campaign go out again.',
    operation: 'write',
    risk: 'high',
    auditEvent: 'campaign.resumed',
    sideEffects: [{ what: 'Mails go out to the recipients that are left', onRepeat: 'Refused: it is not paused' }],
    async foresee(db, { campaignId: id }, ctx) {
      const found = await foresee(db, id, ctx, ['paused'])
      if (hasEnded(found)) return found
      const { tenant } = ctx.principal
      const [now, mails] = [ctx.now(), leftOf(found.counts)]
      const { ms: pacedMs } = await paceOf(db, settings, { tenant, now, at: now, mails })
      return { ...found, pacedMs, takesMs: Math.max(pacedMs, await durationOf(db, mails)) }
    },
    describe: ({ takesMs, pacedMs, ...found }) => ({
      title: `Send the rest of the campaign “${found.campaign.template_name}”`,
      summary: `Resumes the campaign “${found.campaign.template_name}”: ${count(leftOf(found.counts), 'mail')} to “${found.campaign.segment_name}” go out.`,
      blocks: [aboutBlock(found)],
      effects: [
        `${count(leftOf(found.counts), 'mail')} ${leftOf(found.counts) === 1 ? 'goes' : 'go'} out and cannot be taken back`,
        ...(pacedMs === 0 ? [] : [pacedInWords(settings, pacedMs)]),
        'Nobody gets it twice',
      ],
      warnings:
        found.campaign.failure_text === null
          ? []
          : [{ title: 'The mail server took nothing from here.', text: `It said: ${found.campaign.failure_text}` }],
      confirmLabel: 'Resume campaign',
      estimatedDurationMs: takesMs,
    }),
    async carryOut(transaction, { campaign }, _input, ctx) {
      const now = new Date(ctx.now()).toISOString()
      await become(transaction, campaign.id, {
        state: 'running',
        next_at: campaign.due_at > now ? campaign.due_at : now,
        ...noFailure,
      })
      return answer(transaction, campaign, 'running', ctx.now())
    },
    cards: {
      success: (_input, { counts }) => ({
        title: 'Campaign resumed',
        subtitle: `${count(leftOf(counts), 'mail')} to go`,
      }),
    },
  })

/** `emails.stop_campaign`. */
export const stopCampaign = mailTool({
  ...common,
  name: 'emails.stop_campaign',
  title: 'Stop a campaign',
  noun: 'the stop of the campaign',
  description:
    'Ends a campaign for good: whoever has not got its mail does not get it. emails_pause_campaign halts it for a while.',
  operation: 'destructive',
  risk: 'medium',
  auditEvent: 'campaign.stopped',
  sideEffects: [{ what: 'The mails that are left never go out', onRepeat: 'Refused: it is stopped' }],
  foresee: (db, { campaignId: id }, ctx) => foresee(db, id, ctx, ['running', 'paused']),
  describe(found) {
    const { campaign, counts } = found
    const left = leftOf(counts)
    const got = [
      `${count(counts.accepted, 'mail')} ${counts.accepted === 1 ? 'was' : 'were'} sent so far and stay${counts.accepted === 1 ? 's' : ''} sent`,
      ...(counts.unknown === 0
        ? []
        : [`${count(counts.unknown, 'recipient')} may have got it without anybody knowing`]),
    ]
    return {
      title: `Stop the campaign “${campaign.template_name}”`,
      summary: `Stops the campaign “${campaign.template_name}” to “${campaign.segment_name}”: ${spokenNumber(counts.accepted)} of ${spokenNumber(mailsOf(counts))} were sent, ${spokenNumber(left)} will not get it.`,
      blocks: [aboutBlock(found)],
      effects: [`${count(left, 'recipient')} ${left === 1 ? 'does' : 'do'} not get it`, ...got],
      warnings:
        campaign.state === 'running'
          ? [
              {
                title: 'It goes on until you confirm.',
                text: 'More mails will have been sent by then than the card says.',
              },
            ]
          : [],
      confirmLabel: 'Stop campaign',
    }
  },
  async carryOut(transaction, { campaign }, _input, ctx) {
    const now = new Date(ctx.now()).toISOString()
    await transaction
      .updateTable('mail_campaign_mails')
      .set({ state: 'stopped', ended_at: now })
      .where('campaign_id', '=', campaign.id)
      .where('state', 'in', ['pending', 'deferred'])
      .execute()
    await become(transaction, campaign.id, { state: 'stopped', ended_at: now, ...noFailure })
    return answer(transaction, campaign, 'stopped', ctx.now())
  },
  cards: {
    success: (_input, { campaignId: id, counts }) => ({
      title: 'Campaign stopped',
      subtitle: listed([
        `${spokenNumber(counts.accepted)} sent`,
        ...atTheServer(counts),
        ...(counts.refused === 0 ? [] : [`${spokenNumber(counts.refused)} refused`]),
        ...(counts.unknown === 0 ? [] : [`${spokenNumber(counts.unknown)} unknown`]),
        `${spokenNumber(counts.stopped)} not sent`,
      ]),
      blocks: [fieldsBlock({ Campaign: textValue(id) })],
    }),
  },
})
