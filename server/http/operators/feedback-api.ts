// What agents told the operators, and what the operators made of it.
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { feedbackByGroup } from '../../operations/insights/report.ts'
import type { FeedbackItem, Store } from '../../store/store.ts'
import { feedbackText } from './insight-facts.ts'
import { refuseUnknown } from '../refusal.ts'
import { approverOf, beginBy, body, limitSchema, nameSchema, query, sinceSchema } from './operator-input.ts'
import { requireRole, sees, visibleTenant, type OperatorEnv } from './operator.ts'
import { severities } from '../../model/feedback.ts'
import { isoTime } from '../iso-time.ts'

const chosen = {
  since: sinceSchema(Date.now).optional(),
  severity: z.enum(severities, 'low, med or high').optional(),
  state: z.enum(['new', 'seen', 'done'], 'new, seen or done').optional(),
  tenant: z.string().min(1, 'the name of a tenant').optional(),
}
const grouped = z.strictObject(chosen)
const listed = z.strictObject({
  ...chosen,
  limit: limitSchema,
  before: z.string().min(1, 'the id of a piece of feedback').max(100, 'the id of a piece of feedback').optional(),
})

/** How many are read to be grouped. */
const GROUPED = 2000

const change = z
  .strictObject({
    state: z.enum(['new', 'seen', 'done'], 'new, seen or done').optional(),
    note: z.string().max(2000, 'a note of at most 2000 characters').optional(),
    by: nameSchema.optional(),
  })
  .refine(({ state, note }) => state !== undefined || note !== undefined, 'a state, a note, or both')

/** The app below `/api/v1/feedback`. */
export function createFeedbackApi({ feedback, activityLog }: Pick<Store, 'feedback' | 'activityLog'>) {
  const seen = async (c: Context<OperatorEnv>, id: string): Promise<FeedbackItem | undefined> => {
    const item = await feedback.find(id)
    return item !== undefined && sees(c.var.operator, item.principal.tenant) ? item : undefined
  }
  return new Hono<OperatorEnv>()
    .get('/', query(listed), async (c) => {
      const { limit = 50, tenant, before, ...filter } = c.req.valid('query')
      // A page begins after one of the operator's own; another tenant's id is no place to begin at.
      if (before !== undefined && (await seen(c, before)) === undefined) return c.json({ feedback: [], next: null })
      const found = await feedback.list({ ...filter, tenant: visibleTenant(c, tenant), before, limit })
      return c.json({
        feedback: found.map(feedbackView),
        next: found.length < limit ? null : (found.at(-1)?.id ?? null),
      })
    })
    .get('/groups', query(grouped), async (c) => {
      const { tenant, ...filter } = c.req.valid('query')
      const found = await feedback.list({ ...filter, tenant: visibleTenant(c, tenant), limit: GROUPED })
      return c.json({
        tenants: byTenant(found).map(([name, items]) => ({
          tenant: name,
          ...feedbackByGroup(items.map(feedbackText)),
        })),
      })
    })
    .get('/:id', async (c) => {
      const item = await seen(c, c.req.param('id'))
      return item === undefined ? unknownItem() : c.json(feedbackView(item))
    })
    .on(['PATCH', 'POST'], '/:id', requireRole('approver'), body(change), async (c) => {
      const { state, note, by } = c.req.valid('json')
      const id = c.req.param('id')
      const before = await seen(c, id)
      if (before === undefined) return unknownItem()
      const who = approverOf(c, by)
      // The note itself lies sealed with what it is about.
      const details = { feedback: id, ...(state === undefined ? {} : { state }), note: note !== undefined }
      const end = await beginBy(c, activityLog, 'feedback.changed', before.principal.tenant, details, by)
      const item = await feedback.set(id, { state, note, by: who })
      await end({ done: item !== undefined })
      return item === undefined ? unknownItem() : c.json(feedbackView(item))
    })
}

/** What agents of different tenants wrote never stands in one group. */
const byTenant = (items: readonly FeedbackItem[]): readonly (readonly [string, readonly FeedbackItem[]])[] =>
  [...Map.groupBy(items, ({ principal }) => principal.tenant)].toSorted(([one], [other]) => (one < other ? -1 : 1))

const unknownItem = () => refuseUnknown('feedback', 'feedback', 'what there is')

/** Feedback as operators read it: every word of it is the agent's claim. */
export const feedbackView = (item: FeedbackItem) => ({
  id: item.id,
  state: item.state,
  severity: item.severity,
  from: item.principal,
  attempted_action: item.attemptedAction,
  expected_outcome: item.expectedOutcome,
  actual_outcome: item.actualOutcome,
  ...(item.toolCalled === undefined ? {} : { tool_called: item.toolCalled }),
  ...(item.errorSeen === undefined ? {} : { error_seen: item.errorSeen }),
  rationale: item.rationale,
  ...(item.note === undefined ? {} : { note: item.note }),
  created_at: isoTime(item.createdAt),
  changed_at: isoTime(item.changedAt),
  ...(item.changedBy === undefined ? {} : { changed_by: item.changedBy }),
})
