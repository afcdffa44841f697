// Mails that are not finished: kept, changed, and sent as the person saw them.
import { expect, test } from 'vitest'
import { openDesk as openServer } from '../../../http/auth/serve-protected.ts'
import { ada, failed, letter, openDesk, sent, type MailDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:1' }
const stranger = { tenant: 'other', subject: 'ada' }
const [create, update, remove] = ['emails.create_draft', 'emails.update_draft', 'emails.delete_draft']
const send = 'emails.send_external'

interface Kept {
  readonly draft: { readonly draftId: string; readonly subject?: string }
}
const keep = async (desk: MailDesk, input: object = letter) => ((await desk.apply(create, input)) as Kept).draft.draftId

test('a draft is kept with what it has, listed apart from mails, and read in the words in which it is sent', async () => {
  const desk = await openDesk(nowhere)
  const draftId = await keep(desk, { ...letter, cc: ['cy@other.example'] })
  await desk.send({ subject: 'A mail' })
  const drafts = await desk.read('emails.list', { status: 'draft' })
  expect(drafts).toStrictEqual({
    emails: [
      {
        emailId: draftId,
        subject: 'Offer',
        status: 'draft',
        createdAt: new Date(desk.clock.now()).toISOString(),
        recipientCount: 2,
        firstRecipient: 'bea@other.example',
      },
    ],
  })
  expect(await desk.read('emails.list', {})).toMatchObject({ emails: [{ subject: 'A mail' }] })
  const { draft } = (await desk.read('emails.get', { emailId: draftId })) as Kept
  expect(draft).toMatchObject({ ...letter, cc: ['cy@other.example'], draftId, createdBy: 'ada' })
})

test('drafts are listed in pages, each once', async () => {
  const desk = await openDesk(nowhere)
  const kept: string[] = []
  for (const each of [1, 2, 3, 4, 5]) {
    kept.push(await keep(desk, { subject: `Draft ${each}` }))
    if (each !== 3) desk.clock.pass(1000)
  }
  const seen: string[] = []
  let before: string | undefined
  do {
    const page = (await desk.read('emails.list', {
      status: 'draft',
      limit: 2,
      ...(before === undefined ? {} : { before }),
    })) as {
      readonly emails: readonly { readonly emailId: string }[]
      readonly next?: string
    }
    seen.push(...page.emails.map(({ emailId }) => emailId))
    before = page.next
  } while (before !== undefined)
  expect(seen.toSorted()).toStrictEqual(kept.toSorted())
  expect([seen[0], seen[4]]).toStrictEqual([kept[4], kept[0]])
})

test('a draft needs something in it, and takes nothing that would end a header', async () => {
  const desk = await openDesk(nowhere)
  expect(failed(await desk.apply(create, {})).code).toBe('empty')
  await expect(desk.apply(create, { subject: 'Offer\nBcc: eve@evil.example' })).rejects.toThrow('control characters')
})

test('what is given of a draft changes, null clears, and the way back is offered', async () => {
  const desk = await openDesk(nowhere)
  const draftId = await keep(desk, { ...letter, replyTo: 'ann@acme.example' })
  const change = { draftId, subject: 'Better offer', replyTo: null, body: 'Dear Bea,\n\nhere is a better offer.' }
  const shown = await desk.preview(update, change)
  expect(shown.summary).toBe('Changes answers go to, subject and text of the draft “Offer”.')
  expect(JSON.stringify(shown.blocks)).toContain('+here is a better offer.')
  const output = await desk.apply(update, change)
  const { subject, body } = change
  expect(output).toMatchObject({ draft: { to: letter.to, subject, body } })
  expect((output as Kept).draft).not.toHaveProperty('replyTo')
  expect(failed(await desk.apply(update, change)).code).toBe('nothing_to_change')
  const undo = desk.write(update).undo?.(change, output, { language: 'en' })
  expect(undo?.tool).toBe('emails_update_draft')
  expect(await desk.apply(update, undo?.arguments)).toMatchObject({
    draft: { ...letter, draftId, replyTo: 'ann@acme.example' },
  })
})

test('a draft that somebody has changed since the card is not changed over that', async () => {
  const desk = await openDesk(nowhere)
  const draftId = await keep(desk)
  const basis = (await desk.basis(update, { draftId, subject: 'Mine' })) as string
  await desk.apply(update, { draftId, subject: 'Theirs' })
  expect(await desk.run(update, { draftId, subject: 'Mine' }, basis)).toStrictEqual({ kind: 'tool-stale' })
  expect(await desk.read('emails.get', { emailId: draftId })).toMatchObject({ draft: { subject: 'Theirs' } })
})

test('a deleted draft is gone, and can be written again', async () => {
  const desk = await openDesk(nowhere)
  const draftId = await keep(desk)
  const output = await desk.apply(remove, { draftId })
  expect(failed(await desk.apply(remove, { draftId })).code).toBe('unknown_draft')
  expect(await desk.read('emails.list', { status: 'draft' })).toStrictEqual({ emails: [] })
  const undo = desk.write(remove).undo?.({ draftId }, output, { language: 'en' })
  expect(await desk.apply(create, undo?.arguments)).toMatchObject({ draft: letter })
})

test('a mail that was a draft goes out as the call has it, and the draft is gone', async () => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url })
  const draftId = await keep(desk)
  const same = await desk.preview(send, { ...letter, draftId })
  expect(same.effects).toContain(`The draft ${draftId} is deleted`)
  const other = { ...letter, draftId, subject: 'Last offer' }
  expect((await desk.preview(send, other)).effects).toContain(
    `The draft ${draftId} is deleted; this mail differs from it in subject`,
  )
  const answer = sent(await desk.apply(send, other, 'pl_once'))
  expect(server.arrived.map(({ mail }) => mail.subject)).toStrictEqual(['Last offer'])
  expect(failed(await desk.read('emails.get', { emailId: draftId })).code).toBe('unknown_email')
  // The same call once more finds its own mail, not a draft that is missing.
  expect(await desk.run(send, other, 'whatever', 'pl_once')).toStrictEqual(answer)
})

test.each([
  ['changed', (desk: MailDesk, draftId: string) => desk.apply(update, { draftId, subject: 'Other offer' })],
  ['deleted', (desk: MailDesk, draftId: string) => desk.apply(remove, { draftId })],
  ['sent', (desk: MailDesk, draftId: string) => desk.send({ draftId })],
])('a draft that was %s since the card makes it stale, and nothing more goes out', async (_, meanwhile) => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url })
  const draftId = await keep(desk)
  const mail = { ...letter, draftId }
  const basis = (await desk.basis(send, mail)) as string
  await meanwhile(desk, draftId)
  const before = server.arrived.length
  expect(await desk.run(send, mail, basis)).toStrictEqual({ kind: 'tool-stale' })
  expect(server.arrived).toHaveLength(before)
})

test('drafts of another tenant do not exist', async () => {
  const desk = await openDesk(nowhere)
  const draftId = await keep(desk)
  expect(await desk.read('emails.list', { status: 'draft' }, stranger)).toStrictEqual({ emails: [] })
  expect(failed(await desk.read('emails.get', { emailId: draftId }, stranger)).code).toBe('unknown_email')
  for (const [tool, input] of [
    [update, { draftId, subject: 'Mine' }],
    [remove, { draftId }],
  ] as const)
    expect(failed(await desk.apply(tool, input, undefined, stranger)).code).toBe('unknown_draft')
  expect(failed(await desk.apply(send, { ...letter, draftId }, undefined, stranger)).code).toBe('permission_denied')
  expect(await desk.read('emails.get', { emailId: draftId }, ada)).toMatchObject({ draft: letter })
})

test('an agent keeps a draft without asking, and changes one only when a person agrees', async () => {
  const server = await openServer({ mail: { ...nowhere, from: 'hello@agency.example' } })
  const kept = await server.call('emails_create_draft', letter)
  expect(kept.body).toMatchObject({ result: { draft: letter } })
  const { draftId } = (kept.body as { readonly result: Kept }).result.draft
  expect((await server.call('emails_update_draft', { draftId, subject: 'Other' })).body).toMatchObject({
    summary: 'Changes subject of the draft “Offer”.',
  })
})
