// How a campaign goes on after the call that began it: its card shows this while somebody looks at it.
import type { Followed } from '../../../tools/card-reads.ts'
import { fieldsBlock, numberValue, someValue } from '../../say.ts'
import type { MailDatabase } from '../schema.ts'
import { countsOfOne, findCampaign, leftOf, mailsOf, type Counts } from './queries.ts'
import { statusAt, type CampaignStatus } from './views.ts'

const titles: Readonly<Record<CampaignStatus, string>> = {
  scheduled: 'Campaign scheduled',
  sending: 'Campaign is going out',
  paused: 'Campaign paused',
  stopped: 'Campaign stopped',
  finished: 'Campaign sent',
}

/** It is over, and every mail was refused or skipped. */
export const reachedNobody = (status: CampaignStatus, counts: Counts): boolean =>
  status === 'finished' && counts.accepted + counts.unknown + leftOf(counts) === 0

export const campaignTitle = (status: CampaignStatus, counts: Counts): string =>
  reachedNobody(status, counts) ? 'Nobody got the campaign' : titles[status]

const offered: Readonly<Record<CampaignStatus, readonly (readonly [tool: string, label: string])[]>> = {
  scheduled: [['emails_stop_campaign', 'Stop']],
  sending: [
    ['emails_pause_campaign', 'Pause'],
    ['emails_stop_campaign', 'Stop'],
  ],
  paused: [
    ['emails_resume_campaign', 'Resume'],
    ['emails_stop_campaign', 'Stop'],
  ],
  stopped: [],
  finished: [],
}

/** The campaign as it stands, with what can be done about it. */
export async function campaignProgress(
  db: MailDatabase,
  campaignId: string,
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Promise<Followed> {
  const row = await findCampaign(db, tenant, campaignId)
  if (row === undefined) return { done: true, blocks: [] }
  const counts = await countsOfOne(db, campaignId)
  const status = statusAt(row, now)
  return {
    // A campaign that rests may be resumed, and its card goes on then.
    done: status === 'finished' || status === 'stopped',
    title: campaignTitle(status, counts),
    subtitle: `${row.template_name} · ${row.segment_name}`,
    blocks: [
      progressBlock(counts),
      fieldsBlock({
        'Accepted by the mail server': numberValue(counts.accepted),
        'Asked again later': someValue(counts.deferred),
        Refused: someValue(counts.refused),
        'Not known whether it arrived': someValue(counts.unknown),
        Skipped: someValue(counts.skipped),
        'Never sent, because it was stopped': someValue(counts.stopped),
      }),
      ...(row.failure_text === null
        ? []
        : [
            {
              kind: 'alert' as const,
              severity: 'warning' as const,
              title: 'Nothing goes out just now.',
              text: row.failure_text,
            },
          ]),
    ],
    offers: offered[status].map(([tool, label]) => ({ tool, arguments: { campaignId }, label })),
  }
}

const progressBlock = (counts: Counts) => {
  const total = mailsOf(counts)
  const done = total - leftOf(counts) - counts.stopped
  return { kind: 'progress' as const, label: 'Mails that are done', done, total }
}
