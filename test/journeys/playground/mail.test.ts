// A mail, as a host and a person send it: the agent's call shows a card, the person presses its button, the repeated call
// sends the mail once, and a mail server that nobody here wrote has it.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCountersign, files, mail, type MailOptions } from '../../../server/index.ts'
import { smtpServer, type SmtpBehaviour } from '../../server/toolsets/mail/smtp-fixture.ts'
import { confirm, overHttp, ticketOf, waitsForApproval, type Agent, type Reply } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'

/** A server with mail, at a host that keeps tools of the card from its model. */
async function served(behaviour: SmtpBehaviour = {}, policy: MailOptions['policy'] = {}) {
  const smtp = await smtpServer(behaviour)
  const folder = join(place(), 'files')
  const server = createCountersign({
    name: 'Agency',
    toolsets: [files({ folder }), mail({ url: smtp.url, from: 'Agency <hello@agency.example>', policy })],
    store: join(place(), 'mail.db'),
    trustedHost: true,
  })
  atEnd(() => server.close())
  const web = await server.http({ port: 0 })
  atEnd(() => web.close())
  const upload = async (name: string, content: string): Promise<string> => {
    const body = new FormData()
    body.append('file', new File([content], name))
    const url = `${web.url}/api/v1/files${new URL(web.mcpUrl).search}`
    const { file } = (await (await fetch(url, { method: 'POST', body })).json()) as {
      readonly file: { readonly fileId: string }
    }
    return file.fileId
  }
  return { smtp, folder, upload, agent: await overHttp(new URL(web.mcpUrl)) }
}

const press = (agent: Agent, preview: Reply): Promise<unknown> =>
  agent.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(preview) } })

const letter = {
  to: ['Bea <bea@other.example>'],
  subject: 'Offer',
  body: 'Dear Bea,\n\nhere is [the offer](https://agency.example/offer).',
}

test('a mail is previewed, confirmed on its card, and sent exactly once however often the call is repeated', async () => {
  const { smtp, agent } = await served()
  const preview = await agent.call('emails_send_external', letter)
  expect(preview).toMatchObject({ status: 'previewed', card: { title: 'Send a mail to Bea <bea@other.example>' } })
  expect(preview.card?.blocks.map(({ kind }) => kind)).toStrictEqual(['people', 'fields', 'code', 'table', 'effects'])
  expect(preview.text).toContain('here is the offer (https://agency.example/offer).')
  expect((await confirm(agent, preview)).data).toStrictEqual(waitsForApproval)
  expect(smtp.arrived).toStrictEqual([])

  await press(agent, preview)
  const [first, second] = [await confirm(agent, preview), await confirm(agent, preview)]
  expect(first).toMatchObject({ status: 'applied', isError: false })
  expect(second).toMatchObject({ status: 'replayed', data: { result: first.data['result'] } })
  expect(smtp.arrived.map(({ to, mail: { subject, messageId } }) => ({ to, subject, messageId }))).toStrictEqual([
    {
      to: ['bea@other.example'],
      subject: 'Offer',
      messageId: (first.data['result'] as { readonly messageId: string }).messageId,
    },
  ])
})

test('a file that a person uploaded goes with a mail as it is, and not as it was when the card was shown', async () => {
  const { smtp, agent, upload } = await served()
  const id = await upload('offer.txt', 'The offer: 12,000 €')
  const old = await agent.call('emails_send_external', { ...letter, attachments: [id] })
  expect(old.text).toContain('| offer.txt | text |')
  await press(agent, old)
  expect(await upload('offer.txt', 'The offer: 21,000 €')).toBe(id)
  const stale = await confirm(agent, old)
  expect(stale.status).toBe('stale')
  expect(smtp.arrived).toStrictEqual([])
  const fresh = await agent.call('emails_send_external', { ...letter, attachments: [id] })
  await press(agent, fresh)
  expect(await confirm(agent, fresh)).toMatchObject({ status: 'applied' })
  const [attached] = smtp.arrived[0]?.mail.attachments ?? []
  expect(attached?.filename).toBe('offer.txt')
  expect(Buffer.from(attached?.content as ArrayBuffer).toString()).toBe('The offer: 21,000 €')
})

test('a mail that cannot be sent has a card without a button, which says why', async () => {
  const { smtp, agent } = await served()
  const preview = await agent.call('emails_send_external', { ...letter, body: 'Pay with 4111 1111 1111 1111.' })
  expect(preview.card).toMatchObject({ state: 'blocked' })
  expect(preview.card?.actions.some(({ role }) => role === 'confirm')).toBe(false)
  expect(preview.text).toContain('a payment card number in line 1')
  expect(JSON.stringify([preview.card?.blocks, preview.text])).not.toContain('4111 1111')
  const wrong = await agent.call('emails_send_external', {
    ...letter,
    to: ['bea@other.example\nBcc: cy@other.example'],
  })
  expect(wrong).toMatchObject({ isError: true, guidance: { error_type: 'invalid_recipient' } })
  expect(smtp.arrived).toStrictEqual([])
})

test('a mail whose connection was lost behind its last byte is of unknown outcome, and stays so', async () => {
  const { smtp, agent } = await served({ data: () => Promise.resolve('drop') })
  const preview = await agent.call('emails_send_external', letter)
  await press(agent, preview)
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await confirm(agent, preview)).toMatchObject({ status: 'outcome_unknown', isError: true })
  expect(smtp.arrived).toHaveLength(1)
})

test('each failure of the tool design guide reaches the agent by its code, and nothing is sent', async () => {
  const policy = { blockedDomains: ['rival.example'], maxAttachmentBytes: 10, recipientsPerHour: 2 }
  const { smtp, folder, upload, agent } = await served({}, policy)
  const large = await upload('large.txt', 'more than ten bytes')
  const send = (change: object) => agent.call('emails_send_external', { ...letter, ...change })
  for (const [code, change] of [
    ['permission_denied', { attachments: ['fl_nobody'] }],
    ['invalid_recipient', { to: ['bea'] }],
  ] as const)
    expect(await send(change)).toMatchObject({ isError: true, guidance: { error_type: code } })
  for (const [code, change] of [
    ['policy_violation', { to: ['ann@rival.example'] }],
    ['attachment_too_large', { attachments: [large] }],
    ['rate_limit_exceeded', { to: ['a@x.example', 'b@x.example', 'c@x.example'] }],
  ] as const)
    expect((await send(change)).data).toMatchObject({
      status: 'previewed',
      blocked: { code },
      expected_side_effects: [],
    })
  const preview = await send({ attachments: [await upload('small.txt', 'small')] })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), 'other')
  await press(agent, preview)
  const refused = await confirm(agent, preview)
  expect(refused).toMatchObject({ status: 'failed', guidance: { error_type: 'confirmation_required' } })
  expect(refused.card?.actions.map(({ label }) => label)).toContain('Preview again')
  expect(smtp.arrived).toStrictEqual([])
})
