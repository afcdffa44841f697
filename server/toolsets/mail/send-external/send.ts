// `emails.send_external`: the one tool whose effect nobody can take back. The mail is written down by the rehearsal, inside
// its transaction; it goes out after that, and what the server answered is the answer of the call.
import { randomBytes } from 'node:crypto'
import { afterChange, forGood, sendFailures } from '../failures.ts'
import { isUnder } from '../addresses/domains.ts'
import { roughDomain } from '../addresses/address.ts'
import { mailTool } from '../mail-tool.ts'
import type { MailParts } from '../open-mail.ts'
import { foreseeInTurn, sendDefaults } from '../send-defaults.ts'
import { findEmail, findEmailOfRun } from '../queries.ts'
import type { MailDatabase } from '../schema.ts'
import { describeSend } from './card.ts'
import { foreseeSend, type SendForecast } from './forecast.ts'
import { findAttachment, looksOf } from './attachments.ts'
import { sendInput, type SendInput } from './input.ts'
import { fieldsBlock, momentValue, textValue } from '../../say.ts'
import { sentOut, sentView, type SentOut } from '../views.ts'
import { wordsIn } from '../words.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import type { Contract, RunContext, ToolContext, ToolFailed, WriteContract } from '../../../tools/contract.ts'

const failures = {
  permission_denied: forGood(
    'Use only files and drafts that you may read; files_list and emails_list(status="draft") show them.',
  ),
  ...sendFailures,
  attachment_too_large: afterChange('Send a download link instead of the attachment, or fewer attachments.'),
} as const

type Code = keyof typeof failures
type Send = WriteContract<SendInput, SentOut, typeof failures>

/** The tool on one database. */
export function sendTool(mail: MailParts): Contract {
  const { db, settings, parts, outbox } = mail
  const { stepUp } = settings
  const rehearsed = mailTool<SendInput, SendForecast, SentOut, typeof failures>({
    name: 'emails.send_external',
    title: 'Send a mail',
    noun: 'the mail',
    description:
      'Sends a mail to people outside, at once or at sendAt. Recipients are addresses, not names: look them up with contacts_search. The body is Markdown. Attachments are ids of files.',
    ...sendDefaults,
    permissions: ['emails:send', 'contacts:read', 'files:read'],
    auditEvent: 'email.external.sent',
    input: sendInput,
    output: sentOut,
    failures,
    sideEffects: [
      { what: 'A mail is sent to every recipient', onRepeat: 'A second mail is sent to every recipient' },
      { what: 'The mail is kept, with what the mail server answered', onRepeat: 'A second mail is kept' },
      { what: 'It counts for the quota of this server', onRepeat: 'It counts again' },
    ],
    stepUp: {
      when: (input) => {
        const all = [...input.to, ...(input.cc ?? []), ...(input.bcc ?? [])]
        const outside = new Set(all.map(roughDomain).filter((domain) => !isUnder(domain, settings.ownDomains)))
        return (
          all.length > stepUp.recipients ||
          outside.size > stepUp.outsideDomains ||
          (stepUp.attachments && outside.size > 0 && (input.attachments ?? []).length > 0)
        )
      },
    },
    foresee: foreseeInTurn((database, input, ctx) => foreseeSend({ settings, parts }, database, input, ctx)),
    describe: async (forecast, input, { principal, language }) => {
      const looks = await looksOf(parts.files(), principal, forecast.files)
      return describeSend(forecast, input, { settings, redact: parts.redact, looks, language })
    },
    carryOut: (transaction, forecast, input, ctx) => writeDown(mail, transaction, forecast, input, ctx),
    undo: (_input, { emailId, status }, { language }) =>
      status === 'scheduled'
        ? { tool: 'emails_cancel_scheduled', arguments: { emailId }, label: wordsIn(language).send.undo }
        : undefined,
    cards: {
      success: (input, { emailId, status, recipients, goesOutAt }, { language }) => {
        const words = wordsIn(language)
        const { send } = words
        const refused = recipients.filter(({ state }) => state === 'refused')
        return {
          title: send.done[status],
          subtitle: input.subject,
          failed: status === 'failed',
          blocks: [
            {
              kind: 'table',
              label: words.recipients(recipients.length),
              columns: [{ label: words.labels.address }, { label: send.state }, { label: send.answer }],
              rows: recipients.map(({ address, state, response }) => [
                { kind: 'text', text: address },
                { kind: 'text', text: send.states[state] },
                response === undefined ? { kind: 'unset' } : { kind: 'text', text: response },
              ]),
            },
            fieldsBlock({
              [send.mail]: textValue(emailId),
              [send.goesOut]: goesOutAt === undefined ? undefined : momentValue(goesOutAt),
            }),
            ...(refused.length === 0
              ? []
              : [
                  {
                    kind: 'alert' as const,
                    severity: 'warning' as const,
                    title: send.notGot(refused.map(({ address }) => address)),
                  },
                ]),
          ],
        }
      },
    },
  })(db) as Send

  const withFiles = async (input: SendInput, { principal }: ToolContext): Promise<SendInput> => ({
    ...input,
    files: await Promise.all((input.attachments ?? []).map((id) => findAttachment(parts, principal, id))),
  })
  return {
    ...rehearsed,
    // Files may lie in the same database, whose one connection a transaction holds: they are looked up before it.
    preview: async (input, ctx) => rehearsed.preview(await withFiles(input, ctx), ctx),
    basis: async (input, ctx) => (await rehearsed.basis?.(await withFiles(input, ctx), ctx)) ?? '',
    async run(input, ctx) {
      if (ctx.basis === undefined) return ctx.fail('confirmation_required', 'Nobody has seen this mail.')
      const written = await rehearsed.run(await withFiles(input, ctx), ctx)
      if (hasEnded(written)) return written
      const { emailId } = written
      await outbox.deliver(emailId)
      return outcomeOf(await findEmail(db, emailId), ctx)
    },
    async reconcile(_input, { idempotencyKey }) {
      const email = await findEmailOfRun(db, idempotencyKey)
      if (email === undefined) return { kind: 'not-applied' }
      const result = sentView(email)
      return result === undefined ? { kind: 'unknown' } : { kind: 'applied', result }
    },
  } satisfies Send
}

/** What the call that sent a mail answers. */
function outcomeOf(email: Awaited<ReturnType<typeof findEmail>>, ctx: RunContext<Code>): SentOut | ToolFailed {
  const withheld = (['confirmation_required', 'policy_violation'] as const).find((code) => code === email?.failure_code)
  if (email?.state === 'failed' && withheld !== undefined)
    return ctx.fail(withheld, `Nothing was sent: ${email.failure_text}`)
  const view = email === undefined ? undefined : sentView(email)
  if (view !== undefined) return view
  const words = email?.recipients.find(({ state }) => state === 'unknown')?.response ?? 'No answer was written down.'
  return ctx.fail('delivery_unknown', `Whether the mail ${email?.id ?? ''} arrived is not known: ${words}`)
}

async function writeDown(
  { outbox, sender }: MailParts,
  transaction: MailDatabase,
  { recipients, replyTo, files, draft, later }: SendForecast,
  input: SendInput,
  ctx: RunContext,
): Promise<SentOut> {
  const { tenant, subject: createdBy } = ctx.principal
  const now = new Date(ctx.now()).toISOString()
  const id = `em_${randomBytes(10).toString('hex')}`
  const messageId = `<${id}@${roughDomain(sender.address)}>`
  const state = later === undefined ? 'sending' : 'scheduled'
  await transaction
    .insertInto('mail_emails')
    .values({
      id,
      tenant,
      created_by: createdBy,
      created_at: now,
      due_at: later ?? now,
      leaves_at: later ?? now,
      state,
      message_id: messageId,
      sender_name: sender.name,
      sender_address: sender.address,
      reply_to: replyTo === undefined ? null : replyTo.address,
      subject: input.subject,
      body: input.body,
      project_id: input.projectId ?? null,
      attachments: JSON.stringify(files),
      run: ctx.idempotencyKey,
      attempts: 0,
      ...(later === undefined ? outbox.held() : { owner: null, lease_until: null, begun: null }),
      ended_at: null,
      failure_code: null,
      failure_text: null,
      version: 1,
    })
    .execute()
  if (draft !== undefined) await transaction.deleteFrom('mail_drafts').where('id', '=', draft.id).execute()
  const rows = recipients.map(({ role, name, address, key, domain }, position) => ({
    email_id: id,
    position,
    tenant,
    role,
    name,
    address,
    address_key: key,
    domain,
    state: 'pending' as const,
    response: null,
    service_id: null,
  }))
  // A statement of SQLite takes a bounded number of values.
  for (let at = 0; at < rows.length; at += 500)
    await transaction
      .insertInto('mail_recipients')
      .values(rows.slice(at, at + 500))
      .execute()
  return {
    emailId: id,
    // Where it goes out at once this is what it comes to, and no more than written down so far.
    status: 'scheduled',
    messageId,
    ...(later === undefined ? {} : { goesOutAt: later }),
    recipients: rows.map(({ address, role, state }) => ({ address, role, state })),
  }
}
