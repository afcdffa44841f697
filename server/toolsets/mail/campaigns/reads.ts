// How campaigns are doing: `emails.list_campaigns` and `emails.get_campaign`. A tenant sees its own.
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import { afterChange } from '../failures.ts'
import { newestFirst } from '../newest-first.ts'
import type { MailSettings } from '../options.ts'
import type { MailDatabase } from '../schema.ts'
import { countsOf, findCampaign, pageOfMails } from './queries.ts'
import {
  campaignId,
  campaignOut,
  campaignView,
  mailState,
  recipientOut,
  recipientView,
  summaryOut,
  summaryView,
} from './views.ts'

export const unknownCampaign = afterChange('Look the campaign up with emails_list_campaigns and use its id exactly.')

/** What the answer says of an id that is none. */
export const notThere = (id: string) =>
  [
    `There is no campaign ${JSON.stringify(id)}.`,
    {
      fields: [{ pointer: '/campaignId', received: id, allowed: 'an id that emails_list_campaigns answers' }],
      suggest: { tool: 'emails_list_campaigns', arguments: {}, why: 'It lists the campaigns with their ids' },
    },
  ] as const

/** `emails.list_campaigns`. */
export const listCampaigns = (db: MailDatabase, now: () => number): Contract =>
  defineTool({
    name: 'emails.list_campaigns',
    title: 'List campaigns',
    description:
      'Lists campaigns (emails_bulk_send), the newest first, with how many mails are in each state. `next` continues the list as `before`.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['emails:read'],
    input: z.strictObject({
      before: z.string().min(1).max(200).optional().describe('`next` of the page before'),
      limit: z.int().min(1).max(50).default(10),
    }),
    output: z.strictObject({ campaigns: z.array(summaryOut), next: z.string().optional() }),
    failures: {},
    async run({ before, limit }, ctx) {
      const { page, more } = await newestFirst(db, 'mail_campaigns', ctx.principal.tenant, { before, limit })
      const counts = await countsOf(
        db,
        page.map((row) => row.id),
      )
      return {
        campaigns: page.flatMap((row) => {
          const of = counts.get(row.id)
          return of === undefined ? [] : [summaryView(row, of, now())]
        }),
        ...more,
      }
    },
  })

/** `emails.get_campaign`. */
export const getCampaign = (db: MailDatabase, settings: Pick<MailSettings, 'policy'>, now: () => number): Contract =>
  defineTool({
    name: 'emails.get_campaign',
    title: 'Get a campaign',
    description:
      'How a campaign is doing: mails by state, how fast they go out, the estimated end, and who may have got a mail without anybody knowing. With `limit`, a page of its recipients, optionally those in one `state`; `next` continues it as `after`.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['emails:read'],
    input: z.strictObject({
      campaignId,
      state: mailState.optional(),
      after: z.int().min(0).optional().describe('`next` of the page before'),
      limit: z.int().min(0).max(200).default(0),
    }),
    output: z.strictObject({
      campaign: campaignOut,
      recipients: z.array(recipientOut).optional(),
      next: z.int().optional(),
    }),
    failures: { unknown_campaign: unknownCampaign },
    async run({ campaignId: id, state, after, limit }, ctx) {
      const row = await findCampaign(db, ctx.principal.tenant, id)
      if (row === undefined) return ctx.fail('unknown_campaign', ...notThere(id))
      const campaign = await campaignView(db, settings, row, now())
      if (limit === 0) return { campaign }
      const found = await pageOfMails(db, id, { state, ...(after === undefined ? {} : { after }), limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        campaign,
        recipients: page.map(recipientView),
        ...(last === undefined || found.length === page.length ? {} : { next: last.position }),
      }
    },
  })
