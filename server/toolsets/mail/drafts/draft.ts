// A mail that is not finished: each field as `emails.send_external` takes it, and none that must be there. Whether it can be
// sent is found out when it is to be sent.
import { z } from 'zod'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import type { DraftRow, MailDatabase } from '../schema.ts'
import { sendInput } from '../send-external/input.ts'

/** What a draft may have. */
export const draftMail = sendInput.omit({ sendAt: true, draftId: true }).partial()
export type DraftMail = z.infer<typeof draftMail>

export const fields = ['to', 'cc', 'bcc', 'replyTo', 'subject', 'body', 'attachments', 'projectId'] as const
export type Field = (typeof fields)[number]

export type Draft = DraftRow & { readonly mail: DraftMail }

/** As it was written: rules may have become stricter since, and are asked when it is sent. */
const stored: z.ZodType<DraftMail> = z.object({
  to: z.array(z.string()).optional(),
  cc: z.array(z.string()).optional(),
  bcc: z.array(z.string()).optional(),
  replyTo: z.string().optional(),
  subject: z.string().optional(),
  body: z.string().optional(),
  attachments: z.array(z.string()).optional(),
  projectId: z.string().optional(),
})

/** A row with the mail in it. */
export const draftOf = (row: DraftRow): Draft => ({ ...row, mail: stored.parse(JSON.parse(row.mail_json)) })

/** A draft of this tenant. */
export async function findDraft(db: MailDatabase, tenant: string, id: string): Promise<Draft | undefined> {
  const row = await db
    .selectFrom('mail_drafts')
    .selectAll()
    .where('id', '=', id)
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  return row === undefined ? undefined : draftOf(row)
}

/** The words of `fields` in which two mails differ. */
export const differences = (a: DraftMail, b: DraftMail): readonly Field[] =>
  fields.filter((field) => JSON.stringify(a[field] ?? null) !== JSON.stringify(b[field] ?? null))

export const draftOut = draftMail.extend({
  draftId: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  changedAt: z.string(),
})

export const draftView = ({ id, mail, ...row }: Draft): z.infer<typeof draftOut> => ({
  draftId: id,
  ...mail,
  createdAt: row.created_at,
  createdBy: row.created_by,
  changedAt: row.changed_at,
})

export const unknownDraft = (ctx: ToolContext<'unknown_draft'>, id: string): ToolFailed =>
  ctx.fail('unknown_draft', `There is no draft ${JSON.stringify(id)}.`, {
    fields: [{ pointer: '/draftId', received: id, allowed: 'the id of a draft, as emails_list answers it' }],
    suggest: { tool: 'emails_list', arguments: { status: 'draft' }, why: 'It lists the drafts with their ids' },
  })
