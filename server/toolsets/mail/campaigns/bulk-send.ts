// `emails.bulk_send`: one confirmation for thousands of mails. Its preview counts everybody and shows two mails; confirmed, it
// writes the campaign down, which is sent by itself from then on.
import type { Contract, WriteContract } from '../../../tools/contract.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { fieldsBlock, momentValue, textValue } from '../../say.ts'
import { afterChange, sendFailures } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import type { MailParts } from '../open-mail.ts'
import { foreseeInTurn, sendDefaults } from '../send-defaults.ts'
import { countAudience, listSegments } from '../segments/queries.ts'
import { wordsIn } from '../words.ts'
import { bulkInput, bulkOut, type BulkInput, type BulkOut } from './bulk-input.ts'
import { describeCampaign } from './card.ts'
import { anchorCampaign, countAhead, foreseeCampaign, type CampaignForecast, type Tallies } from './forecast.ts'
import { follow } from './follow.ts'
import { countsOfOne, findCampaign, mailsOf } from './queries.ts'
import { startCampaign } from './start.ts'
import { fingerprintOf } from './tally.ts'
import { campaignProgress, campaignTitle, reachedNobody } from './progress.ts'
import { recipientsList } from './recipients.ts'
import { statusAt } from './views.ts'

const failures = {
  ...sendFailures,
  rate_limit_exceeded: afterChange('Take a smaller segment, or tell the person which quota the operators would raise.'),
  unknown_template: afterChange('Look the template up with templates_list and use its id.'),
  unknown_segment: afterChange('Look the segment up with segments_list and use its id.'),
  invalid_template: afterChange('Correct the template with templates_update as the answer says.'),
  invalid_values: afterChange('Give what the template asks the call for; templates_get says which values these are.'),
} as const

/** How long the call waits for its mails: small campaigns are done by then. In milliseconds. */
const followedMs = 3000

/** It is over, nobody is known to have got it, and somebody may have. */
const mayHaveReachedNobody = ({ status, counts }: BulkOut): boolean =>
  status === 'finished' && counts.accepted === 0 && counts.unknown > 0

type BulkSend = WriteContract<BulkInput, BulkOut, typeof failures>

/** The tool on one database. */
export function bulkSendTool(mail: MailParts): Contract {
  const { db, settings, parts, sender } = mail
  const tallies: Tallies = new Map()
  const rehearsed = mailTool<BulkInput, CampaignForecast, BulkOut, typeof failures>({
    name: 'emails.bulk_send',
    title: 'Send a campaign',
    noun: 'the campaign',
    description:
      'Sends a template to everybody in a segment, each with their own values, at once or at sendAt. Its dry run checks every recipient: how many, whose values are missing, who is skipped, two sample mails. Find ids with templates_list and segments_list.',
    ...sendDefaults,
    permissions: ['emails:send', 'contacts:read', 'templates:read'],
    auditEvent: 'email.campaign.started',
    input: bulkInput,
    output: bulkOut,
    failures,
    sideEffects: [
      {
        what: 'A mail is sent to every recipient of the segment',
        onRepeat: 'A second mail is sent to every recipient',
      },
      { what: 'The campaign is kept, with what became of each mail', onRepeat: 'A second campaign is kept' },
      { what: 'Its recipients count for the quota of this server', onRepeat: 'They count again' },
    ],
    stepUp: {
      async when({ segmentId }, { tenant }) {
        const segment = (await listSegments(db, tenant)).find(({ id }) => id === segmentId)
        if (segment === undefined) return false
        const { count: all, undeliverable } = await countAudience(db, { tenant, conditions: segment.conditions })
        return all - undeliverable > settings.stepUp.campaignRecipients
      },
    },
    foresee: foreseeInTurn((database, input, ctx) =>
      foreseeCampaign({ settings, parts, tallies }, database, input, ctx),
    ),
    anchor: (database, input, ctx) => anchorCampaign(mail, database, input, ctx),
    describe: (forecast, _input, { language }) =>
      describeCampaign(forecast, { settings, redact: parts.redact, language }),
    async carryOut(transaction, { template, segment, audience, ...forecast }, _input, ctx) {
      const { tenant, subject: createdBy } = ctx.principal
      const { recipients, mails, leftOut } = audience
      const { campaignId, counts } = await startCampaign(transaction, {
        tenant,
        createdBy,
        run: ctx.idempotencyKey,
        template,
        segment,
        sender,
        replyTo: forecast.replyTo?.address ?? null,
        given: forecast.given,
        skips: leftOut.map(({ position, reason }) => ({ position, reason: reason.english })),
        now: ctx.now(),
        dueAt: forecast.later,
      })
      // Where a database lets others write meanwhile, the recipients may be others than those who were counted.
      const written = await fingerprintOf(transaction, { tenant, conditions: segment.conditions })
      const skipped = recipients - mails
      if (written !== forecast.fingerprint || counts.pending !== mails || counts.skipped !== skipped) return ctx.stale()
      return {
        campaignId,
        status: forecast.later === undefined ? 'sending' : 'scheduled',
        counts: await countsOfOne(transaction, campaignId),
        ...(forecast.later === undefined ? {} : { goesOutAt: forecast.later }),
      }
    },
    lists: {
      recipients: recipientsList(db, (text) => (parts.secretsIn(text).length === 0 ? text : parts.redact(text))),
    },
    follow: (_input, { campaignId }, ctx) =>
      campaignProgress(db, campaignId, { tenant: ctx.principal.tenant, now: ctx.now(), words: wordsIn(ctx.language) }),
    cards: {
      success(_input, { campaignId, status, counts, goesOutAt }, { language }) {
        const words = wordsIn(language)
        return {
          title: campaignTitle(status, counts, words),
          failed: reachedNobody(status, counts),
          subtitle: words.bulk.accepted(counts.accepted, mailsOf(counts)),
          blocks: [
            fieldsBlock({
              [words.bulk.campaign]: textValue(campaignId),
              [words.bulk.begins]: goesOutAt === undefined ? undefined : momentValue(goesOutAt),
            }),
          ],
        }
      },
    },
  })(db) as BulkSend

  return {
    ...rehearsed,
    preview: async (input, ctx) => {
      await countAhead(tallies, db, input, ctx)
      return rehearsed.preview(input, ctx)
    },
    async run(input, ctx) {
      if (ctx.basis === undefined) return ctx.fail('confirmation_required', 'Nobody has seen this campaign.')
      await countAhead(tallies, db, input, ctx)
      const written = await rehearsed.run(input, ctx)
      if (hasEnded(written)) return written
      const answer = { ...written, ...(await follow(mail, written.campaignId, ctx, followedMs)) }
      if (!mayHaveReachedNobody(answer)) return answer
      return ctx.fail('delivery_unknown', `Whether a mail of the campaign ${written.campaignId} arrived is not known.`)
    },
    async reconcile(input, ctx) {
      const found = (await rehearsed.reconcile?.(input, ctx)) ?? { kind: 'unknown' as const }
      if (found.kind !== 'applied') return found
      const { campaignId } = found.result
      const row = await findCampaign(db, ctx.principal.tenant, campaignId)
      const status = row === undefined ? found.result.status : statusAt(row, ctx.now())
      const result = { ...found.result, status, counts: await countsOfOne(db, campaignId) }
      return mayHaveReachedNobody(result) ? { kind: 'unknown' } : { kind: 'applied', result }
    },
  } satisfies BulkSend
}
