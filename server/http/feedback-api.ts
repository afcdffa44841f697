// What agents told the operators, and what the operators made of it.
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { FeedbackItem, Store } from '../store/store.ts'
import {
  approverOf,
  limitSchema,
  nameSchema,
  readBody,
  readQuery,
  refuseOperator,
  sinceSchema,
} from './operator-input.ts'
import type { OperatorEnv } from './operator.ts'

const filters = z.strictObject({
  since: sinceSchema(Date.now).optional(),
  severity: z.enum(['low', 'med', 'high'], 'low, med or high').optional(),
  state: z.enum(['new', 'seen', 'done'], 'new, seen or done').optional(),
  limit: limitSchema,
})

const change = z
  .strictObject({
    state: z.enum(['new', 'seen', 'done'], 'new, seen or done').optional(),
    note: z.string().max(2000, 'a note of at most 2000 characters').optional(),
    by: nameSchema.optional(),
  })
  .refine(({ state, note }) => state !== undefined || note !== undefined, 'a state, a note, or both')

/** The app below `/api/v1/feedback`. */
export function createFeedbackApi(feedback: Store['feedback']): Hono<OperatorEnv> {
  const set = async (c: Context<OperatorEnv>): Promise<Response> => {
    const read = await readBody(c, change)
    if (!read.ok) return read.response
    const { state, note, by } = read.value
    const item = await feedback.set(c.req.param('id') ?? '', { state, note, by: approverOf(c, by) })
    return item === undefined ? unknownItem() : c.json(feedbackView(item))
  }
  return new Hono<OperatorEnv>()
    .get('/', async (c) => {
      const read = readQuery(c, filters)
      if (!read.ok) return read.response
      const { limit = 50, ...filter } = read.value
      return c.json({ feedback: (await feedback.list({ ...filter, limit })).map(feedbackView) })
    })
    .get('/:id', async (c) => {
      const item = await feedback.find(c.req.param('id'))
      return item === undefined ? unknownItem() : c.json(feedbackView(item))
    })
    .on(['PATCH', 'POST'], '/:id', set)
}

const unknownItem = (): Response =>
  refuseOperator(404, {
    code: 'unknown-feedback',
    message: 'There is no such feedback.',
    next: 'GET /api/v1/feedback lists what there is.',
  })

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
  created_at: new Date(item.createdAt).toISOString(),
  changed_at: new Date(item.changedAt).toISOString(),
  ...(item.changedBy === undefined ? {} : { changed_by: item.changedBy }),
})
