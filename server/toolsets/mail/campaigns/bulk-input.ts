// What an agent may say of a campaign: which template goes to which segment, with what, and when.
import { z } from 'zod'
import { segmentId } from '../segments/reads.ts'
import { sendInput } from '../send-external/input.ts'
import { givenValues, templateId } from '../templates/template-input.ts'
import { campaignStatus, countsOut } from './views.ts'

export const bulkInput = z.strictObject({
  templateId,
  segmentId,
  values: givenValues
    .optional()
    .describe(
      'What the template asks the call for, by its variables: {"event_date": "28 November"}; see templates_get',
    ),
  replyTo: sendInput.shape.replyTo,
  sendAt: sendInput.shape.sendAt,
})
export type BulkInput = z.infer<typeof bulkInput>

export const bulkOut = z.strictObject({
  campaignId: z.string(),
  status: campaignStatus.describe(
    'A large one goes on sending after the answer; emails_get_campaign says how it stands',
  ),
  counts: countsOut,
  goesOutAt: z.string().optional().describe('Where it is scheduled'),
})
export type BulkOut = z.infer<typeof bulkOut>
