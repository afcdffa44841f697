// How a campaign goes on after the call that began it: its card shows this while somebody looks at it.
import type { Followed } from '../../../tools/card-reads.ts'
import { fieldsBlock, numberValue, someValue } from '../../say.ts'
import type { CampaignRow, MailDatabase } from '../schema.ts'
import type { MailWords } from '../words.ts'
import { countsOfOne, findCampaign, leftOf, mailsOf, type Counts } from './queries.ts'
import { restCodes } from './schedule.ts'
import { statusAt, type CampaignStatus } from './views.ts'

/** It is over, and every mail was refused or skipped. */
export const reachedNobody = (status: CampaignStatus, counts: Counts): boolean =>
  status === 'finished' && counts.accepted + counts.unknown + leftOf(counts) === 0

export const campaignTitle = (status: CampaignStatus, counts: Counts, { progress }: MailWords): string =>
  reachedNobody(status, counts) ? progress.nobody : progress.titles[status]

const offered: Readonly<
  Record<CampaignStatus, readonly (readonly [tool: string, label: 'stop' | 'pause' | 'resume'])[]>
> = {
  scheduled: [['emails_stop_campaign', 'stop']],
  sending: [
    ['emails_pause_campaign', 'pause'],
    ['emails_stop_campaign', 'stop'],
  ],
  paused: [
    ['emails_resume_campaign', 'resume'],
    ['emails_stop_campaign', 'stop'],
  ],
  stopped: [],
  finished: [],
}

/** The campaign as it stands, with what can be done about it. */
export async function campaignProgress(
  db: MailDatabase,
  campaignId: string,
  { tenant, now, words }: { readonly tenant: string; readonly now: number; readonly words: MailWords },
): Promise<Followed> {
  const row = await findCampaign(db, tenant, campaignId)
  if (row === undefined) return { done: true, blocks: [] }
  const { progress } = words
  const counts = await countsOfOne(db, campaignId)
  const status = statusAt(row, now)
  return {
    // A campaign that rests may be resumed, and its card goes on then.
    done: status === 'finished' || status === 'stopped',
    title: campaignTitle(status, counts, words),
    subtitle: `${row.template_name} · ${row.segment_name}`,
    blocks: [
      progressBlock(counts, words),
      fieldsBlock({
        [progress.accepted]: numberValue(counts.accepted),
        [progress.deferred]: someValue(counts.deferred),
        [progress.refused]: someValue(counts.refused),
        [progress.unknown]: someValue(counts.unknown),
        [progress.skipped]: someValue(counts.skipped),
        [progress.stopped]: someValue(counts.stopped),
      }),
      ...(row.failure_text === null
        ? []
        : [
            {
              kind: 'alert' as const,
              severity: 'warning' as const,
              title: progress.rests,
              text: restInWords(row, words) ?? '',
            },
          ]),
    ],
    offers: offered[status].map(([tool, label]) => ({ tool, arguments: { campaignId }, label: progress[label] })),
  }
}

/** Why a campaign rests. */
export const restInWords = (
  { failure_code: code, failure_text: said }: Pick<CampaignRow, 'failure_code' | 'failure_text'>,
  { progress }: MailWords,
): string | undefined =>
  said === null
    ? undefined
    : progress.because(
        restCodes.find((each) => each === code),
        said,
      )

const progressBlock = (counts: Counts, { progress }: MailWords) => {
  const total = mailsOf(counts)
  const done = total - leftOf(counts) - counts.stopped
  return { kind: 'progress' as const, label: progress.done, done, total }
}
