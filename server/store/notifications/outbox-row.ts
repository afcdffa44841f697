import { z } from 'zod'
import { bytes, epoch } from '../plan-row.ts'

/** One notification for one receiver, as it lies in `countersign_outbox`. */
export const outboxRow = z.object({
  id: z.string(),
  webhook: z.string(),
  /** What it is about; with the webhook it is told once. */
  subject: z.string(),
  tenant: z.string(),
  event: z.string(),
  /** The body to send, sealed. */
  body: bytes,
  state: z.string(),
  created_at: epoch,
  due_at: epoch,
  attempts: epoch,
  held_by: z.string().nullable(),
  held_until: epoch,
  changed_at: epoch,
  /** HTTP status of the last answer. */
  status: epoch.nullable(),
  /** Why the last attempt failed. */
  trouble: z.string().nullable(),
})

export type OutboxTable = z.infer<typeof outboxRow>
