// Drafts are written, changed and thrown away; they leave by `emails.send_external` alone, whose arguments are the whole
// mail: what a person confirms is what they were shown, whatever the draft says (ADR 72).
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { CardBlock, CardValue } from '../../../model/card.ts'
import type { Contract } from '../../../tools/contract.ts'
import { lineDiff, loadLineDiff } from '../../../gateway/profiles/line-diff.ts'
import { count, fieldsBlock, listed, textValue } from '../../say.ts'
import { afterChange, forGood } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import type { DraftRow, MailDatabase } from '../schema.ts'
import { draftId, sendInput } from '../send-external/input.ts'
import {
  differences,
  draftMail,
  draftOut,
  draftView,
  fields,
  findDraft,
  labels,
  unknownDraft,
  type DraftMail,
  type Field,
} from './draft.ts'

const unknown = { unknown_draft: afterChange('Look the draft up with emails_list(status="draft") and use its id.') }

const common = { category: 'communication', permissions: ['emails:draft'], risk: 'medium' } as const

const { to, cc, bcc, replyTo, subject, body, attachments, projectId } = sendInput.shape
const changeInput = z.strictObject({
  draftId,
  to: to.nullable().optional(),
  cc: cc.nullable(),
  bcc: bcc.nullable(),
  replyTo: replyTo.nullable(),
  subject: subject.nullable().optional(),
  body: body.nullable().optional(),
  attachments: attachments.nullable(),
  projectId: projectId.nullable(),
})

/** `emails.create_draft`, `emails.update_draft`, `emails.delete_draft`. */
export const draftTools = (db: MailDatabase): readonly Contract[] => [createDraft(db), updateDraft(db), deleteDraft(db)]

const createDraft = mailTool({
  ...common,
  name: 'emails.create_draft',
  transactional: true,
  title: 'Write a draft',
  noun: 'the draft',
  description:
    'Keeps a mail that is not finished: any of the fields that emails_send_external takes. Nobody gets it. It is sent by emails_send_external with its fields and its draftId.',
  operation: 'write',
  // Nothing leaves, and nothing of anybody is changed.
  autonomous: true,
  input: draftMail,
  output: z.strictObject({ draft: draftOut }),
  failures: { empty: afterChange('Give at least one field of the mail.') },
  sideEffects: [{ what: 'A draft is kept', onRepeat: 'A second draft is kept' }],
  async foresee(_db, input, ctx) {
    if (differences(input, {}).length === 0) return ctx.fail('empty', 'A draft needs a recipient, a subject or a text.')
    // It rests on nothing that is there.
    return Promise.resolve({ seen: [], also: ['new'] })
  },
  describe: (_forecast, input) => ({
    title: 'Write a draft',
    ...subtitled(input),
    summary: `Keeps the draft ${called(input)}.`,
    blocks: mailBlocks(input),
    effects: ['Nobody gets a mail by this'],
    confirmLabel: 'Keep draft',
  }),
  async carryOut(transaction, _forecast, input, ctx) {
    const at = new Date(ctx.now()).toISOString()
    const row: DraftRow = {
      id: `dr_${randomBytes(10).toString('hex')}`,
      tenant: ctx.principal.tenant,
      created_by: ctx.principal.subject,
      created_at: at,
      changed_at: at,
      mail_json: JSON.stringify(input),
      version: 1,
    }
    await transaction.insertInto('mail_drafts').values(row).execute()
    return { draft: draftView({ ...row, mail: input }) }
  },
  undo: (_input, { draft }) => ({
    tool: 'emails_delete_draft',
    arguments: { draftId: draft.draftId },
    label: 'Delete the draft',
  }),
  cards: {
    success: (_input, { draft }) => ({ title: 'Draft kept', ...subtitled(draft), blocks: mailBlocks(draft) }),
  },
})

const updateDraft = mailTool({
  ...common,
  name: 'emails.update_draft',
  transactional: true,
  title: 'Change a draft',
  noun: 'the change of the draft',
  description: 'Changes a draft of a mail. Give only what is to change; null clears it. Lists are given whole.',
  operation: 'destructive',
  input: changeInput,
  output: z.strictObject({ draft: draftOut, previous: changeInput.omit({ draftId: true }) }),
  failures: {
    ...unknown,
    nothing_to_change: forGood('The draft already is as asked; tell the person so instead of calling again.'),
  },
  sideEffects: [{ what: 'Fields of the draft are overwritten', onRepeat: 'Refused: they are as asked' }],
  async foresee(db, { draftId: id, ...asked }, ctx) {
    const draft = await findDraft(db, ctx.principal.tenant, id)
    if (draft === undefined) return unknownDraft(ctx, id)
    const next = changed(draft.mail, asked)
    const what = differences(draft.mail, next)
    if (what.length === 0)
      return ctx.fail('nothing_to_change', `Nothing of the draft ${called(draft.mail)} would change.`)
    await loadLineDiff()
    return {
      draft,
      next,
      what,
      seen: [{ table: 'mail_drafts' as const, key: id, version: draft.version, moves: true }],
    }
  },
  describe: ({ draft, next, what }) => ({
    title: `Change the draft ${called(draft.mail)}`,
    summary: `Changes ${listed(what.map((field) => labels[field].toLowerCase()))} of the draft ${called(draft.mail)}.`,
    blocks: what.includes('body') ? [textChange(draft.mail.body ?? '', next.body ?? '')] : [],
    changes: what
      .filter((field) => field !== 'body')
      .map((field) => ({
        pointer: `/${field}`,
        label: labels[field],
        before: valueOf(draft.mail[field]),
        after: valueOf(next[field]),
      })),
    unchanged: fields
      .filter((field) => !what.includes(field) && field !== 'body' && draft.mail[field] !== undefined)
      .map((field) => ({ label: labels[field], value: valueOf(draft.mail[field]) })),
    effects: ['Nobody gets a mail by this'],
    confirmLabel: 'Change draft',
  }),
  async carryOut(transaction, { draft, next, what }, _input, ctx) {
    const changed_at = new Date(ctx.now()).toISOString()
    await transaction
      .updateTable('mail_drafts')
      .set({ mail_json: JSON.stringify(next), changed_at })
      .where('id', '=', draft.id)
      .execute()
    const previous = Object.fromEntries(what.map((field) => [field, draft.mail[field] ?? null]))
    return { draft: draftView({ ...draft, mail: next, changed_at }), previous }
  },
  undo: ({ draftId: id }, { previous }) => ({
    tool: 'emails_update_draft',
    arguments: { draftId: id, ...previous },
    label: 'Change it back',
  }),
  cards: { success: (_input, { draft }) => ({ title: 'Draft changed', ...subtitled(draft) }) },
})

const deleteDraft = mailTool({
  ...common,
  name: 'emails.delete_draft',
  transactional: true,
  title: 'Delete a draft',
  noun: 'the deletion of the draft',
  description: 'Deletes a draft of a mail for good. Mails that were sent or scheduled stay.',
  operation: 'destructive',
  input: z.strictObject({ draftId }),
  output: z.strictObject({ draftId: z.string(), mail: draftMail }),
  failures: unknown,
  sideEffects: [{ what: 'The draft is deleted', onRepeat: 'Refused: there is no such draft' }],
  async foresee(db, { draftId: id }, ctx) {
    const draft = await findDraft(db, ctx.principal.tenant, id)
    if (draft === undefined) return unknownDraft(ctx, id)
    return { draft, seen: [{ table: 'mail_drafts' as const, key: id, version: draft.version, moves: true }] }
  },
  describe: ({ draft: { mail } }) => ({
    title: `Delete the draft ${called(mail)}`,
    summary: `Deletes the draft ${called(mail)}.`,
    blocks: mailBlocks(mail),
    effects: ['The draft is gone for good'],
    confirmLabel: 'Delete draft',
  }),
  async carryOut(transaction, { draft }) {
    await transaction.deleteFrom('mail_drafts').where('id', '=', draft.id).execute()
    return { draftId: draft.id, mail: draft.mail }
  },
  undo: (_input, { mail }) => ({
    tool: 'emails_create_draft',
    arguments: mail,
    label: 'Write it again',
  }),
  cards: { success: (_input, { mail }) => ({ title: 'Draft deleted', ...subtitled(mail) }) },
})

/** The mail with what was asked; `null` clears. */
function changed(mail: DraftMail, asked: Omit<z.infer<typeof changeInput>, 'draftId'>): DraftMail {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  const all: Record<string, unknown> = { ...mail, ...Object.fromEntries(given) }
  return draftMail.parse(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)))
}

/** “Offer”, or to whom it goes. */
const called = ({ subject: line, to: whom }: DraftMail): string =>
  line !== undefined ? `“${line}”` : whom === undefined ? 'without a subject' : `to ${whom.slice(0, 3).join(', ')}`

const subtitled = ({ subject: line }: DraftMail) => (line === undefined ? {} : { subtitle: line })

const valueOf = (value: DraftMail[Field]): CardValue =>
  value === undefined ? { kind: 'unset' } : textValue(typeof value === 'string' ? value : value.join(', '))

const mailBlocks = (mail: DraftMail): readonly CardBlock[] => [
  fieldsBlock(
    Object.fromEntries(
      fields.flatMap((field) =>
        field === 'body' || mail[field] === undefined ? [] : [[labels[field], valueOf(mail[field])]],
      ),
    ),
  ),
  ...(mail.body === undefined
    ? []
    : [{ kind: 'code' as const, label: 'Text', language: 'markdown', text: mail.body, spans: [] }]),
]

function textChange(before: string, after: string): CardBlock {
  const diff = lineDiff(`${before}\n`, `${after}\n`)
  return diff === undefined
    ? { kind: 'code', label: `Text then (${count(before.length, 'character')} before)`, text: after }
    : { kind: 'code', label: 'Text', language: 'diff', text: diff }
}
