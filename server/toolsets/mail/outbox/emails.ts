// What was sent: `emails.list`, `emails.get`, and `emails.cancel_scheduled` for what has not gone out yet. A tenant sees its
// own mails; those of others do not exist.
import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import { draftOf, draftOut, draftView, findDraft } from '../drafts/draft.ts'
import { afterChange, forGood } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import { newestFirst, type NewestFirst } from '../newest-first.ts'
import { findEmail, recipientsOf } from '../queries.ts'
import { fieldsBlock, momentValue, textValue } from '../../say.ts'
import type { EmailRow, MailDatabase, MailTables } from '../schema.ts'
import { emailOut, emailView, inWords, stateAt } from '../views.ts'
import { wordsIn } from '../words.ts'

const emailId = z.string().min(1).max(60).describe('Id of a mail, like "em_…"')
const anyId = z.string().min(1).max(60).describe('Id of a mail or of a draft, like "em_…" or "dr_…"')
const statuses = ['scheduled', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const
const listable = [...statuses, 'draft'] as const

const unknownEmail = afterChange('Look the mail up with emails_list and use its id exactly.')

/** A mail of this tenant. */
async function own(db: MailDatabase, tenant: string, id: string) {
  const email = await findEmail(db, id)
  return email?.tenant === tenant ? email : undefined
}

const notThere = (id: string) =>
  [
    `There is no mail ${JSON.stringify(id)}.`,
    { fields: [{ pointer: '/emailId', received: id, allowed: 'an id that emails_list answers' }] },
  ] as const

/** `emails.list`, `emails.get`, `emails.cancel_scheduled`. */
export const emailTools = (db: MailDatabase): readonly Contract[] => [listEmails(db), getEmail(db), cancelEmail(db)]

const listEmails = (db: MailDatabase): Contract =>
  defineTool({
    name: 'emails.list',
    title: 'List mails',
    description:
      'Lists mails, the newest first, optionally in one state; drafts where the status is "draft". `next` continues the list as `before`.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['emails:read'],
    input: z.strictObject({
      status: z.enum(listable).optional(),
      before: z.string().min(1).max(200).optional().describe('`next` of the page before'),
      limit: z.int().min(1).max(100).default(20),
    }),
    output: z.strictObject({
      emails: z.array(
        z.strictObject({
          emailId: z.string(),
          subject: z.string(),
          status: z.enum(listable),
          createdAt: z.string(),
          goesOutAt: z.string().optional(),
          recipientCount: z.int(),
          firstRecipient: z.string(),
        }),
      ),
      next: z.string().optional(),
    }),
    failures: {},
    async run({ status, before, limit }, ctx) {
      const { tenant } = ctx.principal
      if (status === 'draft') return listDrafts(db, tenant, { before, limit })
      const { page, more } = await newestFirst(db, 'mail_emails', tenant, {
        before,
        limit,
        where: status === undefined ? undefined : inState(status, ctx.now()),
      })
      const recipients = await recipientsOf(
        db,
        page.map((row) => row.id),
      )
      return {
        emails: page.map((row) => {
          const those = recipients.filter((each) => each.email_id === row.id)
          return {
            emailId: row.id,
            subject: row.subject,
            status: stateAt(row, ctx.now()),
            createdAt: row.created_at,
            ...(row.state === 'scheduled' ? { goesOutAt: row.due_at } : {}),
            recipientCount: those.length,
            firstRecipient: those[0]?.address ?? '',
          }
        }),
        ...more,
      }
    },
  })

async function listDrafts(db: MailDatabase, tenant: string, at: NewestFirst) {
  const { page, more } = await newestFirst(db, 'mail_drafts', tenant, at)
  return {
    emails: page.map(draftOf).map(({ id, created_at, mail: { to = [], cc = [], bcc = [], subject = '' } }) => ({
      emailId: id,
      subject,
      status: 'draft' as const,
      createdAt: created_at,
      recipientCount: to.length + cc.length + bcc.length,
      firstRecipient: to[0] ?? cc[0] ?? bcc[0] ?? '',
    })),
    ...more,
  }
}

/** As `stateAt` says it: a mail that nobody holds any more is unknown before anybody has written that down. */
function inState(status: EmailRow['state'], now: number) {
  const at = new Date(now).toISOString()
  const eb = expressionBuilder<MailTables, 'mail_emails'>()
  if (status === 'sending') return eb('state', '=', 'sending').and('lease_until', '>=', at)
  if (status === 'unknown')
    return eb.or([eb('state', '=', 'unknown'), eb('state', '=', 'sending').and('lease_until', '<', at)])
  return eb('state', '=', status)
}

const getEmail = (db: MailDatabase): Contract =>
  defineTool({
    name: 'emails.get',
    title: 'Get a mail',
    description:
      'One mail with its text, its attachments, and what the mail server answered for each recipient; or one draft.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['emails:read'],
    input: z.strictObject({ emailId: anyId }),
    output: z.strictObject({ email: emailOut.optional(), draft: draftOut.optional() }),
    failures: { unknown_email: unknownEmail },
    async run({ emailId: id }, ctx) {
      const { tenant } = ctx.principal
      const email = await own(db, tenant, id)
      if (email !== undefined) return { email: emailView(email, ctx.now()) }
      const draft = await findDraft(db, tenant, id)
      return draft === undefined ? ctx.fail('unknown_email', ...notThere(id)) : { draft: draftView(draft) }
    },
  })

const cancelEmail = mailTool({
  name: 'emails.cancel_scheduled',
  transactional: true,
  title: 'Cancel a scheduled mail',
  noun: 'the cancelling of the mail',
  description: 'Cancels a mail that has not gone out yet, for every recipient who has not got it.',
  category: 'communication',
  operation: 'destructive',
  risk: 'medium',
  permissions: ['emails:send'],
  auditEvent: 'email.cancelled',
  input: z.strictObject({ emailId }),
  output: z.strictObject({ emailId: z.string(), status: z.enum(['cancelled', 'sent']), cancelled: z.int() }),
  failures: {
    unknown_email: unknownEmail,
    not_scheduled: forGood('Only a mail that is still to go out can be cancelled; emails_get says what became of it.'),
  },
  sideEffects: [{ what: 'The mail does not go out', onRepeat: 'Refused: it is cancelled' }],
  async foresee(db, { emailId: id }, ctx) {
    const email = await own(db, ctx.principal.tenant, id)
    if (email === undefined) return ctx.fail('unknown_email', ...notThere(id))
    if (email.state !== 'scheduled')
      return ctx.fail('not_scheduled', `The mail “${email.subject}” is ${stateAt(email, ctx.now())}.`)
    return {
      email,
      open: email.recipients.filter(({ state }) => state === 'pending' || state === 'deferred'),
      seen: [{ table: 'mail_emails', key: id, version: email.version, moves: true }],
    }
  },
  describe({ email, open }, _input, { language }) {
    const words = wordsIn(language)
    const { cancel } = words
    const got = email.recipients.length - open.length
    const first = words.listed(open.slice(0, 5).map(inWords))
    return {
      title: cancel.title(email.subject),
      summary: cancel.summary(email.subject, open.length > 5 ? words.andMore(first, open.length - 5) : first),
      blocks: [
        fieldsBlock({
          [words.labels.subject]: textValue(email.subject),
          [cancel.would]: momentValue(email.due_at),
        }),
        {
          kind: 'people',
          label: cancel.who,
          count: open.length,
          sample: open.slice(0, 50).map((each) => ({ name: inWords(each), address: each.address })),
        },
      ],
      effects: [cancel.doNot(open.length), ...(got === 0 ? [] : [cancel.answered(got)])],
      confirmLabel: cancel.confirm,
    }
  },
  async carryOut(transaction, { email, open }, _input, ctx) {
    const status = email.recipients.some(({ state }) => state === 'accepted') ? 'sent' : 'cancelled'
    await transaction
      .updateTable('mail_recipients')
      .set({ state: 'cancelled' })
      .where('email_id', '=', email.id)
      .where('state', 'in', ['pending', 'deferred'])
      .execute()
    await transaction
      .updateTable('mail_emails')
      .set({ state: status, ended_at: new Date(ctx.now()).toISOString() })
      .where('id', '=', email.id)
      .execute()
    return { emailId: email.id, status, cancelled: open.length } as const
  },
  cards: {
    success(_input, { emailId: id, cancelled }, { language }) {
      const words = wordsIn(language)
      return { title: words.cancel.done, subtitle: `${words.recipients(cancelled)} · ${id}` }
    },
  },
})
