// What a person does with a campaign that is under way: `emails.pause_campaign`, `emails.resume_campaign` and
// `emails.stop_campaign`. Mails that are at the mail server in that moment are not taken back: a window of a few.
import { z } from 'zod'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import { fieldsBlock, momentValue, numberValue, someValue, textValue } from '../../say.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { forGood } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import type { MailSettings } from '../options.ts'
import { pacedInWords, paceOf } from '../quota.ts'
import type { CampaignRow, CampaignState, MailDatabase } from '../schema.ts'
import { countsOfOne, findCampaign, leftOf, mailsOf, type Counts } from './queries.ts'
import { wordsIn, type MailWords } from '../words.ts'
import { durationOf } from './rate.ts'
import { notThere, unknownCampaign } from './reads.ts'
import { restInWords } from './progress.ts'
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
function aboutBlock({ campaign, counts }: Found, words: MailWords) {
  const { bulk, halt, progress } = words
  const rest = restInWords(campaign, words)
  return fieldsBlock({
    [bulk.template]: textValue(campaign.template_name),
    [bulk.segment]: textValue(campaign.segment_name),
    [halt.confirmed]: momentValue(campaign.created_at),
    [halt.mails]: numberValue(mailsOf(counts)),
    [progress.accepted]: numberValue(counts.accepted),
    [halt.left]: numberValue(leftOf(counts)),
    [progress.refused]: someValue(counts.refused),
    [halt.mayHave]: someValue(counts.unknown),
    [progress.skipped]: someValue(counts.skipped),
    [halt.because]: rest === undefined ? undefined : textValue(rest),
  })
}

/** What the campaign is called, and how many of its mails are left. */
const calledOf = ({ campaign, counts }: Found) => ({
  template: campaign.template_name,
  segment: campaign.segment_name,
  left: leftOf(counts),
})

/** What is said of the mails that are not taken back. */
const atTheServer = ({ sending }: Counts, { halt }: MailWords): readonly string[] =>
  sending === 0 ? [] : [halt.atServer(sending)]

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
  describe(found, _input, { language }) {
    const words = wordsIn(language)
    const { halt } = words
    return {
      title: halt.pause(found.campaign.template_name),
      summary: halt.pauseSummary(calledOf(found)),
      blocks: [aboutBlock(found, words)],
      effects: [halt.noMore, halt.fewDo],
      confirmLabel: halt.pauseConfirm,
    }
  },
  async carryOut(transaction, { campaign }, _input, ctx) {
    await become(transaction, campaign.id, { state: 'paused' })
    return answer(transaction, campaign, 'paused', ctx.now())
  },
  undo: (_input, { campaignId: id }, { language }) => ({
    tool: 'emails_resume_campaign',
    arguments: { campaignId: id },
    label: wordsIn(language).halt.undoPause,
  }),
  cards: {
    success(_input, { counts }, { language }) {
      const words = wordsIn(language)
      return {
        title: words.progress.titles.paused,
        subtitle: words.listed([words.halt.accepted(counts.accepted, mailsOf(counts)), ...atTheServer(counts, words)]),
      }
    },
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
      const { ms: pacedMs } = await paceOf(db, settings, { tenant, now, at: now, mails }, wordsIn(ctx.language))
      return { ...found, pacedMs, takesMs: Math.max(pacedMs, await durationOf(db, mails)) }
    },
    describe({ takesMs, pacedMs, ...found }, _input, { language }) {
      const words = wordsIn(language)
      const { halt } = words
      const called = calledOf(found)
      const { failure_code: code, failure_text: said } = found.campaign
      // Why else it rests stands among what is said about it, and is no answer of the mail server.
      const isAnswer = said !== null && code?.startsWith('mail_server_') === true
      return {
        title: halt.resume(called.template),
        summary: halt.resumeSummary(called),
        blocks: [aboutBlock(found, words)],
        effects: [
          halt.goOut(called.left),
          ...(pacedMs === 0 ? [] : [pacedInWords(settings, pacedMs, words)]),
          halt.notTwice,
        ],
        warnings: isAnswer ? [{ title: halt.tookNothing.title, text: halt.tookNothing.text(said) }] : [],
        confirmLabel: halt.resumeConfirm,
        estimatedDurationMs: takesMs,
      }
    },
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
      success(_input, { counts }, { language }) {
        const { halt } = wordsIn(language)
        return { title: halt.resumed, subtitle: halt.toGo(leftOf(counts)) }
      },
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
  describe(found, _input, { language }) {
    const words = wordsIn(language)
    const { halt, cancel } = words
    const { campaign, counts } = found
    const called = calledOf(found)
    return {
      title: halt.stop(called.template),
      summary: halt.stopSummary({ ...called, accepted: counts.accepted, number: mailsOf(counts) }),
      blocks: [aboutBlock(found, words)],
      effects: [
        cancel.doNot(called.left),
        halt.staySent(counts.accepted),
        ...(counts.unknown === 0 ? [] : [halt.mayHaveGot(counts.unknown)]),
      ],
      warnings: campaign.state === 'running' ? [halt.goesOn] : [],
      confirmLabel: halt.stopConfirm,
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
    success(_input, { campaignId: id, counts }, { language }) {
      const words = wordsIn(language)
      const { halt } = words
      return {
        title: words.progress.titles.stopped,
        subtitle: words.listed([
          halt.sent(counts.accepted),
          ...atTheServer(counts, words),
          ...(counts.refused === 0 ? [] : [halt.refused(counts.refused)]),
          ...(counts.unknown === 0 ? [] : [halt.unknown(counts.unknown)]),
          halt.notSent(counts.stopped),
        ]),
        blocks: [fieldsBlock({ [words.bulk.campaign]: textValue(id) })],
      }
    },
  },
})
