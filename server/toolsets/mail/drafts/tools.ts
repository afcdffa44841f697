// Drafts are written, changed and thrown away; they leave by `emails.send_external` alone, whose arguments are the whole
// mail: what a person confirms is what they were shown, whatever the draft says (ADR 72).
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { CardBlock, CardValue } from '../../../model/card.ts'
import type { Contract } from '../../../tools/contract.ts'
import { lineDiff, loadLineDiff } from '../../../gateway/profiles/line-diff.ts'
import { fieldsBlock, textValue } from '../../say.ts'
import { afterChange, forGood } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import type { DraftRow, MailDatabase } from '../schema.ts'
import { draftId, sendInput } from '../send-external/input.ts'
import { wordsIn, type MailWords } from '../words.ts'
import {
  differences,
  draftMail,
  draftOut,
  draftView,
  fields,
  findDraft,
  unknownDraft,
  type DraftMail,
  type Field,
} from './draft.ts'

type DraftWords = MailWords['draft']

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
  describe(_forecast, input, { language }) {
    const words = wordsIn(language)
    const { draft } = words
    return {
      title: draft.write,
      ...subtitled(input),
      summary: draft.keeps(called(input, draft)),
      blocks: mailBlocks(input, draft),
      effects: [words.noMailByThis],
      confirmLabel: draft.keep,
    }
  },
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
  undo: (_input, { draft }, { language }) => ({
    tool: 'emails_delete_draft',
    arguments: { draftId: draft.draftId },
    label: wordsIn(language).draft.undo,
  }),
  cards: {
    success(_input, { draft }, { language }) {
      const { draft: words } = wordsIn(language)
      return { title: words.kept, ...subtitled(draft), blocks: mailBlocks(draft, words) }
    },
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
      return ctx.fail(
        'nothing_to_change',
        `Nothing of the draft ${called(draft.mail, wordsIn('en').draft)} would change.`,
      )
    await loadLineDiff()
    return {
      draft,
      next,
      what,
      seen: [{ table: 'mail_drafts' as const, key: id, version: draft.version, moves: true }],
    }
  },
  describe({ draft: { mail }, next, what }, _input, { language }) {
    const words = wordsIn(language)
    const { draft } = words
    return {
      title: draft.change(called(mail, draft)),
      summary: draft.changes(words.listed(what.map((field) => draft.spoken[field])), called(mail, draft)),
      blocks: what.includes('body') ? [textChange(mail.body ?? '', next.body ?? '', draft)] : [],
      changes: what
        .filter((field) => field !== 'body')
        .map((field) => ({
          pointer: `/${field}`,
          label: draft.fields[field],
          before: valueOf(mail[field]),
          after: valueOf(next[field]),
        })),
      unchanged: fields
        .filter((field) => !what.includes(field) && field !== 'body' && mail[field] !== undefined)
        .map((field) => ({ label: draft.fields[field], value: valueOf(mail[field]) })),
      effects: [words.noMailByThis],
      confirmLabel: draft.changeConfirm,
    }
  },
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
  undo: ({ draftId: id }, { previous }, { language }) => ({
    tool: 'emails_update_draft',
    arguments: { draftId: id, ...previous },
    label: wordsIn(language).draft.changeBack,
  }),
  cards: {
    success: (_input, { draft }, { language }) => ({ title: wordsIn(language).draft.changed, ...subtitled(draft) }),
  },
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
  describe({ draft: { mail } }, _input, { language }) {
    const { draft } = wordsIn(language)
    return {
      title: draft.remove(called(mail, draft)),
      summary: draft.removes(called(mail, draft)),
      blocks: mailBlocks(mail, draft),
      effects: [draft.gone],
      confirmLabel: draft.removeConfirm,
    }
  },
  async carryOut(transaction, { draft }) {
    await transaction.deleteFrom('mail_drafts').where('id', '=', draft.id).execute()
    return { draftId: draft.id, mail: draft.mail }
  },
  undo: (_input, { mail }, { language }) => ({
    tool: 'emails_create_draft',
    arguments: mail,
    label: wordsIn(language).draft.writeAgain,
  }),
  cards: {
    success: (_input, { mail }, { language }) => ({ title: wordsIn(language).draft.removed, ...subtitled(mail) }),
  },
})

/** The mail with what was asked; `null` clears. */
function changed(mail: DraftMail, asked: Omit<z.infer<typeof changeInput>, 'draftId'>): DraftMail {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  const all: Record<string, unknown> = { ...mail, ...Object.fromEntries(given) }
  return draftMail.parse(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)))
}

/** “Offer”, or to whom it goes. */
const called = ({ subject: line, to: whom }: DraftMail, words: DraftWords): string =>
  line !== undefined ? words.called(line) : whom === undefined ? words.noSubject : words.to(whom.slice(0, 3))

const subtitled = ({ subject: line }: DraftMail) => (line === undefined ? {} : { subtitle: line })

const valueOf = (value: DraftMail[Field]): CardValue =>
  value === undefined ? { kind: 'unset' } : textValue(typeof value === 'string' ? value : value.join(', '))

const mailBlocks = (mail: DraftMail, words: DraftWords): readonly CardBlock[] => [
  fieldsBlock(
    Object.fromEntries(
      fields.flatMap((field) =>
        field === 'body' || mail[field] === undefined ? [] : [[words.fields[field], valueOf(mail[field])]],
      ),
    ),
  ),
  ...(mail.body === undefined
    ? []
    : [{ kind: 'code' as const, label: words.text, language: 'markdown', text: mail.body, spans: [] }]),
]

function textChange(before: string, after: string, words: DraftWords): CardBlock {
  const diff = lineDiff(`${before}\n`, `${after}\n`)
  return diff === undefined
    ? { kind: 'code', label: words.textThen(before.length), text: after }
    : { kind: 'code', label: words.text, language: 'diff', text: diff }
}
