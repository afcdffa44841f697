// The call that confirmed a campaign may tell how it goes for a while; the campaign goes on without it.
import type { ToolContext } from '../../../tools/contract.ts'
import type { ToolsetParts } from '../../toolset.ts'
import type { MailDatabase } from '../schema.ts'
import { countsOfOne, findCampaign, leftOf, mailsOf, type Counts } from './queries.ts'
import type { CampaignSender } from './sender.ts'
import { statusAt, type CampaignStatus } from './views.ts'

/** How often it is told, in milliseconds, where another process sends. */
const everyMs = 500

export interface Followed {
  readonly campaignId: string
  readonly status: CampaignStatus
  readonly counts: Counts
}

/** Begins a campaign that is due, and reports its progress until it has ended, rests, or so many milliseconds are over. */
export async function follow(
  {
    db,
    campaigns,
    parts: { now },
  }: { readonly db: MailDatabase; readonly campaigns: CampaignSender; readonly parts: Pick<ToolsetParts, 'now'> },
  campaignId: string,
  ctx: Pick<ToolContext, 'principal' | 'progress' | 'signal'> & { readonly cancelled?: AbortSignal },
  forMs: number,
): Promise<Followed> {
  const until = performance.now() + forMs
  await campaigns.look()
  for (;;) {
    const row = await findCampaign(db, ctx.principal.tenant, campaignId)
    const counts = await countsOfOne(db, campaignId)
    const left = leftOf(counts)
    const status = row === undefined ? 'stopped' : statusAt(row, now())
    const total = mailsOf(counts)
    ctx.progress({
      progress: total - left,
      total,
      message: `${counts.accepted} of ${total} mails were accepted${counts.unknown === 0 ? '' : `, ${counts.unknown} are unknown`}`,
    })
    const waitMs = Math.min(everyMs, until - performance.now())
    const rests = status !== 'sending' || row?.failure_code !== null || row.next_at > new Date(now()).toISOString()
    if (rests || waitMs <= 0 || ctx.signal.aborted || ctx.cancelled?.aborted === true)
      return { campaignId, status, counts }
    await campaigns.moved(campaignId, waitMs)
  }
}
