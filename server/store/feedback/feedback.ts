// What agents tell the operators: where they got stuck. Their words are data from outside and may quote anything, so
// they lie sealed like the plans do; the few fields that operators filter by stand beside them.
import { z } from 'zod'
import { fromRow } from '../from-row.ts'
import { bytes, epoch } from '../plan-row.ts'
import { severities, type FeedbackDraft, type Severity } from '../../model/feedback.ts'
import type { StoreParts } from '../tables.ts'

type FeedbackState = 'new' | 'seen' | 'done'

export interface FeedbackItem extends FeedbackDraft {
  readonly state: FeedbackState
  readonly note: string | undefined
  readonly createdAt: number
  readonly changedAt: number
  readonly changedBy: string | undefined
}

interface FeedbackFilter {
  /** Epoch milliseconds. */
  readonly since?: number | undefined
  readonly severity?: Severity | undefined
  readonly state?: FeedbackState | undefined
  readonly tenant?: string | undefined
  readonly limit: number
  /** Id of the last one of the page before. */
  readonly before?: string | undefined
}

const feedbackRow = z.object({
  id: z.string(),
  tenant: z.string(),
  subject: z.string(),
  severity: z.enum(severities),
  /** What the agent wrote, sealed. */
  content: bytes,
  state: z.enum(['new', 'seen', 'done']),
  /** Sealed. */
  note: bytes.nullable(),
  created_at: epoch,
  changed_at: epoch,
  changed_by: z.string().nullable(),
})

export type FeedbackTable = z.infer<typeof feedbackRow>

const feedbackContent = z.object({
  attemptedAction: z.string(),
  expectedOutcome: z.string(),
  actualOutcome: z.string(),
  toolCalled: z.string().optional(),
  errorSeen: z.string().optional(),
  rationale: z.string(),
})

export type Feedback = ReturnType<typeof createFeedback>

/** Feedback on one database. */
export const createFeedback = ({ db, sealer, now }: StoreParts) => {
  const read = (raw: FeedbackTable): FeedbackItem => {
    const { tenant, subject, content: sealed, note, ...same } = fromRow(feedbackRow.parse(raw))
    const content = feedbackContent.parse(JSON.parse(sealer.open(same.id, 'feedback', sealed)))
    return {
      ...same,
      principal: { tenant, subject },
      ...content,
      toolCalled: content.toolCalled,
      errorSeen: content.errorSeen,
      note: note === undefined ? undefined : sealer.open(same.id, 'note', note),
    }
  }

  const add = async ({ id, principal, severity, ...content }: FeedbackDraft): Promise<void> => {
    const at = now()
    await db
      .insertInto('countersign_feedback')
      .values({
        id,
        ...principal,
        severity,
        content: sealer.seal(id, 'feedback', JSON.stringify(content)),
        state: 'new',
        created_at: at,
        changed_at: at,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }

  const find = async (id: string): Promise<FeedbackItem | undefined> => {
    const row = await db.selectFrom('countersign_feedback').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : read(row)
  }

  /** Newest first. */
  const list = async (filter: FeedbackFilter): Promise<readonly FeedbackItem[]> => {
    const { since, severity, state, tenant, limit, before } = filter
    let query = db
      .selectFrom('countersign_feedback')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
    if (since !== undefined) query = query.where('created_at', '>=', since)
    if (severity !== undefined) query = query.where('severity', '=', severity)
    if (state !== undefined) query = query.where('state', '=', state)
    if (tenant !== undefined) query = query.where('tenant', '=', tenant)
    if (before !== undefined) {
      const last = await db
        .selectFrom('countersign_feedback')
        .select(['created_at', 'id'])
        .where('id', '=', before)
        .executeTakeFirst()
      if (last === undefined) return []
      query = query.where((is) => is(is.refTuple('created_at', 'id'), '<', is.tuple(last.created_at, last.id)))
    }
    return (await query.execute()).map(read)
  }

  /** Changes what is given; answers the item afterwards. */
  const set = async (
    id: string,
    change: { readonly state?: FeedbackState | undefined; readonly note?: string | undefined; readonly by: string },
  ): Promise<FeedbackItem | undefined> => {
    const { state, note, by } = change
    const row = await db
      .updateTable('countersign_feedback')
      .set({
        changed_at: now(),
        changed_by: by,
        ...(state === undefined ? {} : { state }),
        ...(note === undefined ? {} : { note: sealer.seal(id, 'note', note) }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? undefined : read(row)
  }

  return { add, find, list, set }
}
