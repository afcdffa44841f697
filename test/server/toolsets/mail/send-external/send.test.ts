// What a mail's card shows, and why a mail is not sent.
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../kit/clock.ts'
import { ada, blocksOf, failed, failuresOf, letter, openDesk, sendsMail, sent } from '../mail-fixture.ts'
import { figureText } from '../../../../../server/cards/figures.ts'
import { smtpServer } from '../smtp-fixture.ts'
import type { MailOptions } from '../../../../../server/toolsets/mail/options.ts'
import { issuesWith } from '../../../../kit/schemas.ts'

const send = 'emails.send_external'
/** A server that no test of these reaches. */
const nowhere = { url: 'smtp://127.0.0.1:1' }

describe('the contract', () => {
  test('is critical, never autonomous, and declares exactly the failures of the guide, and the one of a lost answer', async () => {
    const desk = await openDesk(nowhere)
    const contract = desk.write(send)
    expect(contract).toMatchObject({
      ...sendsMail,
      permissions: ['emails:send', 'contacts:read', 'files:read'],
      auditEvent: 'email.external.sent',
    })
    expect(failuresOf(contract)).toStrictEqual([
      'permission_denied: none',
      'confirmation_required: none',
      'invalid_recipient: none',
      'rate_limit_exceeded: none',
      'policy_violation: none',
      'delivery_unknown: unknown',
      'attachment_too_large: none',
    ])
    // The card of the failure offers the new preview that its guidance asks for.
    expect(contract.failures?.['confirmation_required']).toMatchObject({
      guidance: expect.stringMatching('Preview the mail again'),
      retryable: 'after_change',
    })
  })

  test('asks for a second factor by the number of recipients, by outside domains and by attachments', async () => {
    const needs = async (options: MailOptions['stepUp'], input: Readonly<Record<string, unknown>>) => {
      const rule = (await openDesk({ ...nowhere, stepUp: options })).write(send).stepUp
      return typeof rule === 'object' && rule.when({ ...letter, ...input }, ada)
    }
    const many = (count: number, domain = 'other.example') =>
      Array.from({ length: count }, (_, at) => `p${at}@${domain}`)
    const apart = (count: number) => Array.from({ length: count }, (_, at) => `Ann <p@d${at}.example>`)
    expect(await needs({}, { to: many(10) })).toBe(false)
    expect(await needs({}, { to: many(10), bcc: ['x@other.example'] })).toBe(true)
    expect(await needs({ recipients: 500 }, { to: [...apart(3), ...many(5, 'mail.acme.example')] })).toBe(false)
    expect(await needs({ recipients: 500 }, { to: apart(4) })).toBe(true)
    expect(await needs({}, { attachments: ['f1'] })).toBe(false)
    expect(await needs({ attachments: true }, { attachments: ['f1'] })).toBe(true)
    expect(await needs({ attachments: true }, { to: ['ann@acme.example'], attachments: ['f1'] })).toBe(false)
  })
})

describe('a mail is not sent', () => {
  const code = async (answer: Promise<unknown>) => failed(await answer).code

  test('to what is no address, hides something, reaches others, or is listed twice: invalid_recipient', async () => {
    const desk = await openDesk(nowhere)
    for (const wrong of [
      'bea',
      'bea@',
      'bea@other',
      'bea@[127.0.0.1]',
      'bea@127.0.0.1',
      'bea@other..example',
      'bea@other.example, cy@other.example',
      'Friends: bea@other.example;',
      'bea@other.example\r\nBcc: cy@other.example',
      'Bea\nBcc: cy@other.example\n <bea@other.example>',
      'bea\u200b@other.example',
      '"<cy@third.example>"@other.example',
      '=?utf-8?q?ann=40acme.example?= <bea@other.example>',
      '\u202eaeB <bea@other.example>',
      `${'b'.repeat(65)}@other.example`,
    ]) {
      const answer = failed(await desk.send({ to: [wrong] }))
      expect([wrong, answer.code, answer.fields?.[0]]).toMatchObject([wrong, 'invalid_recipient', { pointer: '/to/0' }])
    }
    const twice = failed(await desk.send({ to: ['bea@other.example'], bcc: ['Bea <BEA@other.EXAMPLE>'] }))
    expect(twice).toMatchObject({ code: 'invalid_recipient', fields: [{ pointer: '/bcc/0' }] })
    expect(failed(await desk.send({ replyTo: 'nobody' })).fields).toMatchObject([{ pointer: '/replyTo' }])
  })

  test('with a file that its sender may not read, whoever else may: permission_denied', async () => {
    const desk = await openDesk(nowhere)
    desk.files.put('f1', 'offer.pdf', 'application/pdf', Buffer.from('%PDF'))
    expect(failed(await desk.send({ attachments: ['f1', 'f2'] }))).toMatchObject({
      code: 'permission_denied',
      fields: [{ pointer: '/attachments/1', received: 'f2' }],
    })
    const cy = { tenant: 'default', subject: 'cy' }
    expect(await code(desk.apply(send, { ...letter, attachments: ['f1'] }, undefined, cy))).toBe('permission_denied')
  })

  test('that nobody has seen, or of which an attachment is another by now: confirmation_required', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    expect(await code(desk.run(send, letter, undefined))).toBe('confirmation_required')
    desk.files.put('f1', 'offer.pdf', 'application/pdf', Buffer.from('12,000 €'))
    const read = desk.files.read.bind(desk.files)
    desk.files.read = (principal, file) => {
      desk.files.put('f1', 'offer.pdf', 'application/pdf', Buffer.from('21,000 €'))
      return read(principal, file)
    }
    expect(await code(desk.send({ attachments: ['f1'] }))).toBe('confirmation_required')
    expect(server.arrived).toStrictEqual([])
  })

  test('whose recipient, contact or file is not any more what the card showed: stale', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    desk.files.put('f1', 'offer.txt', 'text/plain', Buffer.from('12,000 €'))
    const input = { ...letter, attachments: ['f1'] }
    const before = await desk.basis(send, input)
    desk.files.put('f1', 'offer.txt', 'text/plain', Buffer.from('21,000 €'))
    expect(await desk.run(send, input, before as string)).toStrictEqual({ kind: 'tool-stale' })
    const first = await desk.basis(send, letter)
    await desk.send()
    expect(await desk.run(send, letter, first as string)).toStrictEqual({ kind: 'tool-stale' })
    expect(server.arrived).toHaveLength(1)
  })

  test('with more bytes than the operators allow, of all attachments together: attachment_too_large', async () => {
    const desk = await openDesk({ ...nowhere, policy: { maxAttachmentBytes: 1000 } })
    for (const id of ['f1', 'f2']) desk.files.put(id, `${id}.bin`, 'application/octet-stream', new Uint8Array(501))
    expect(await code(desk.send({ attachments: ['f1', 'f2'] }))).toBe('attachment_too_large')
    expect((await desk.preview(send, { ...letter, attachments: ['f1', 'f2'] })).blocked).toMatchObject({
      title: `The attachments have ${figureText({ kind: 'number', value: '1', unit: 'kB' })} together.`,
    })
  })

  test('to domains that are blocked or not allowed, to too many, or with a secret: policy_violation', async () => {
    const blocking = await openDesk({ ...nowhere, policy: { blockedDomains: ['other.example', 'bücher.example'] } })
    for (const to of [['bea@other.example'], ['bea@mail.OTHER.example'], ['bea@xn--bcher-kva.example']])
      expect(await code(blocking.send({ to }))).toBe('policy_violation')
    const allowing = await openDesk({ ...nowhere, policy: { allowedDomains: ['other.example'], maxRecipients: 2 } })
    expect(await code(allowing.send({ cc: ['bea@another.example'] }))).toBe('policy_violation')
    expect(await code(allowing.send({ to: ['a@other.example', 'b@other.example', 'c@other.example'] }))).toBe(
      'policy_violation',
    )
    const desk = await openDesk(nowhere)
    for (const input of [
      { body: 'Pay with 4111 1111 1111 1111.' },
      { body: 'Our key:\n\nAKIAIOSFODNN7EXAMPLA wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzabcdefGH' },
      { subject: 'The password is Girasol2024!' },
    ])
      expect([input, await code(desk.send(input))]).toStrictEqual([input, 'policy_violation'])
  })

  test('to more recipients than a quota allows in any hour or day: rate_limit_exceeded', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 3, recipientsPerDay: 4 } })
    const two = { to: ['bea@other.example', 'cy@other.example'] }
    expect(await desk.send(two)).toMatchObject({ status: 'sent' })
    expect(await code(desk.send(two))).toBe('rate_limit_exceeded')
    desk.clock.pass(HOUR + MINUTE)
    expect(await desk.send(two)).toMatchObject({ status: 'sent' })
    desk.clock.pass(2 * HOUR)
    expect(await code(desk.send())).toBe('rate_limit_exceeded')
    desk.clock.pass(DAY)
    // Those that are to go out count where they do.
    const at = (minutes: number) => ({ sendAt: new Date(desk.clock.now() + minutes * MINUTE).toISOString() })
    expect(await desk.send({ ...two, ...at(120) })).toMatchObject({ status: 'scheduled' })
    expect(await code(desk.send({ ...two, ...at(90) }))).toBe('rate_limit_exceeded')
    expect(await code(desk.send({ ...two, ...at(179) }))).toBe('rate_limit_exceeded')
    expect(await desk.send({ ...two, ...at(60) })).toMatchObject({ status: 'scheduled' })
    expect(await desk.apply(send, { ...letter, ...two }, undefined, { tenant: 'other', subject: 'ada' })).toMatchObject(
      {
        status: 'sent',
      },
    )
  })

  test('by two who send at once beyond a quota', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 5 } })
    const mails = Array.from({ length: 10 }, (_, at) => ({ ...letter, to: [`p${at}@other.example`] }))
    const bases = await Promise.all(mails.map((mail) => desk.basis(send, mail)))
    const answers = await Promise.all(mails.map((mail, at) => desk.run(send, mail, bases[at] as string)))
    expect(answers.filter((answer) => 'status' in (answer as object))).toHaveLength(5)
    expect(server.arrived).toHaveLength(5)
  })

  test('with a subject that is too long or breaks its line, or a body that hides something', async () => {
    const desk = await openDesk(nowhere)
    const { input } = desk.write(send)
    for (const wrong of [
      { subject: 'x'.repeat(10_000) },
      { subject: 'Offer\r\nBcc: cy@other.example' },
      { subject: 'Offer \u202efdp.exe' },
      { body: 'Hello\u0000' },
      { body: 'x'.repeat(30_001) },
      { sendAt: 'tomorrow' },
      { sendAt: '9999-12-31T23:59:59-01:00' },
    ])
      expect([wrong, issuesWith(input, { ...letter, ...wrong })]).not.toStrictEqual([wrong, []])
  })
})

describe('the card', () => {
  test('names who gets it, who never got mail before, outside domains and hidden copies', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    await desk.send()
    const { blocks, effects, title } = await desk.preview(send, {
      ...letter,
      to: ['Bea <bea@other.example>', 'ann@acme.example'],
      bcc: ['dan@third.example'],
    })
    expect(title).toBe('Send a mail to 3 recipients')
    expect(blocksOf(blocks, 'people')).toStrictEqual([
      {
        kind: 'people',
        label: 'To',
        count: 2,
        sample: [
          { name: 'ann@acme.example · not in your contacts', isNew: true },
          { name: 'Bea · not in your contacts', address: 'bea@other.example', isNew: false },
        ],
        domains: [
          { name: 'other.example · outside', count: 1 },
          { name: 'acme.example', count: 1 },
        ],
        newCount: 1,
      },
      {
        kind: 'people',
        label: 'Hidden copy to (bcc); the others do not see it',
        count: 1,
        sample: [{ name: 'dan@third.example · not in your contacts', isNew: true }],
        domains: [{ name: 'third.example · outside', count: 1 }],
        newCount: 1,
      },
    ])
    expect(effects).toStrictEqual([
      'The mail goes out to 3 recipients and cannot be taken back',
      'It leaves for 2 outside domains: other.example and third.example',
      '2 recipients never got mail from here before',
      '1 recipient (bcc) gets it without the others seeing that',
      'It stays in the list of mails',
    ])
  })

  test('lists everybody where there are more than it names one by one', async () => {
    const desk = await openDesk({ ...nowhere, policy: { maxRecipients: 200 } })
    const to = Array.from({ length: 120 }, (_, at) => `p${at}@other.example`)
    const { blocks } = await desk.preview(send, { ...letter, to, cc: ['ann@acme.example'] })
    const [everybody, ...others] = blocksOf(blocks, 'table')
    expect(others).toStrictEqual([])
    expect(everybody?.label).toBe('To: all 120')
    expect(everybody?.rows.map(([address]) => address)).toStrictEqual(to.map((text) => ({ kind: 'text', text })))
  })

  test('shows the body as it will be read, with its HTML as it is written and its links with their hosts', async () => {
    const desk = await openDesk(nowhere)
    const { blocks, warnings } = await desk.preview(send, {
      ...letter,
      body: 'Hi **Bea**,\n\n[paypal.com](https://evil.example/login) or [our page](https://acme.example/a).\n\n<script>alert(1)</script>\n\n![](https://track.example/pixel.gif)\n\n[x](https://acme.example@evil.example/)',
    })
    expect(blocksOf(blocks, 'code')).toMatchObject([
      {
        text: 'Hi Bea,\n\npaypal.com (https://evil.example/login) or our page (https://acme.example/a).\n\n<script>alert(1)</script>\n\nhttps://track.example/pixel.gif\n\nx (https://acme.example@evil.example/)',
      },
    ])
    const [links] = blocksOf(blocks, 'table')
    expect(links?.rows.map((row) => row.map((cell) => ('text' in cell ? cell.text : '')))).toStrictEqual([
      ['paypal.com', 'evil.example', 'https://evil.example/login'],
      ['our page', 'acme.example', 'https://acme.example/a'],
      ['https://track.example/pixel.gif', 'track.example', 'https://track.example/pixel.gif'],
      ['x', 'evil.example', 'https://acme.example@evil.example/'],
    ])
    expect(warnings?.map(({ title }) => title)).toStrictEqual([
      'The link “paypal.com” leads to evil.example.',
      'The link https://acme.example@evil.example/ leads to evil.example; what stands before its @ is no host.',
      'There is HTML in the text.',
    ])
  })

  test('spells domains that are written in other letters twice, and says for what they may be taken', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    await desk.send({ to: ['bea@merchant.example'] })
    const { blocks, warnings } = await desk.preview(send, {
      ...letter,
      to: [
        'bea@раypal.com',
        'bea@аррӏе.com',
        'bea@bücher.example',
        'bea@rnerchant.example',
        'bea@例え.jp',
        'аnn@acme.example',
        'сора@acme.example',
        'ольга@acme.example',
      ],
      replyTo: '"ann@acme.example" <ann@evil.example>',
    })
    expect(blocksOf(blocks, 'people')[0]?.sample[0]?.name).toBe(
      'bea@раypal.com (xn--ypal-43d9g.com) · not in your contacts',
    )
    expect(warnings?.map(({ title }) => title)).toStrictEqual([
      'раypal.com (xn--ypal-43d9g.com) mixes Latin and Cyrillic letters.',
      'аррӏе.com (xn--80ak6aa92e.com) is written in Cyrillic letters that look like “apple”.',
      'rnerchant.example looks like merchant.example and is another domain.',
      'аnn@acme.example mixes Latin and Cyrillic letters.',
      'сора@acme.example is written in Cyrillic letters that look like “copa”.',
      'The name “ann@acme.example” looks like an address, and the mail goes to ann@evil.example.',
    ])
  })

  test('holds as many deceitful links as a body has, and says the first of them', async () => {
    const desk = await openDesk(nowhere)
    const body = Array.from({ length: 500 }, (_, at) => `[a${at}.example](https://evil.example/${at})`).join(' ')
    const { blocks, warnings } = await desk.preview(send, { ...letter, body })
    expect(blocksOf(blocks, 'table')[0]?.rows).toHaveLength(500)
    expect(warnings).toHaveLength(11)
    expect(warnings?.at(-1)?.title).toBe('490 more links or addresses lead elsewhere than they look.')
  })

  test('shows attachments with size and type by content, under the names that will arrive, and when it goes out', async () => {
    const desk = await openDesk(nowhere)
    desk.files.put('f1', '..\\..\\invoice.pdf', 'application/x-msdownload', new Uint8Array(1_234_567))
    const sendAt = new Date(desk.clock.now() + HOUR).toISOString()
    const { blocks, confirmLabel, warnings } = await desk.preview(send, { ...letter, attachments: ['f1'], sendAt })
    expect(warnings).toStrictEqual([
      {
        title: 'invoice.pdf: The name says PDF, the content is a Windows program.',
        text: 'Whoever opens it by its name may start something else.',
      },
    ])
    expect(blocksOf(blocks, 'table')[0]?.rows).toStrictEqual([
      [
        { kind: 'text', text: 'invoice.pdf' },
        { kind: 'text', text: 'Windows program' },
        { kind: 'number', value: '1.2', unit: 'MB' },
      ],
    ])
    expect(blocksOf(blocks, 'fields')[0]?.fields).toContainEqual({
      label: 'Goes out',
      value: { kind: 'date', iso: sendAt, precision: 'minute' },
    })
    expect(confirmLabel).toBe('Schedule mail')
  })

  test('names a secret in a file that is text, too', async () => {
    const desk = await openDesk(nowhere)
    const key = 'AKIAIOSFODNN7EXAMPLA wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzabcdefGH'
    desk.files.put('f1', '.env', 'text/plain', Buffer.from(`REGION=eu\nPASSWORD=Girasol2024!\n`))
    desk.files.put('f2', 'key.bin', 'application/octet-stream', Buffer.from(key))
    const shown = await desk.preview(send, { ...letter, attachments: ['f1', 'f2'] })
    expect(shown.blocked?.title).toBe('The mail has a password in line 2 of env.')
    expect(JSON.stringify(shown)).not.toContain('Girasol')
    expect(failed(await desk.send({ attachments: ['f1'] })).code).toBe('policy_violation')
    // As some programs of Windows save text.
    desk.files.put('f3', 'a.txt', 'text/plain', Buffer.from('\uFEFFPASSWORD=Girasol2024!\n', 'utf16le'))
    expect(failed(await desk.send({ attachments: ['f3'] })).code).toBe('policy_violation')
  })

  test('names a secret and its place without showing it, and cannot be confirmed unless the operators let it', async () => {
    const body = 'Dear Bea,\n\nmy card is 4111 1111 1111 1111.'
    const refused = await (await openDesk(nowhere)).preview(send, { ...letter, body })
    expect(refused.blocked?.title).toBe('The mail has a payment card number in line 3.')
    const inPieces = { ...letter, body: 'Dear Bea,\n\nmy card is 4111 **1111** 1111 1111.' }
    expect((await (await openDesk(nowhere)).preview(send, inPieces)).blocked?.title).toBe(refused.blocked?.title)
    const warned = await (
      await openDesk({ ...nowhere, policy: { secrets: 'warn' } })
    ).preview(send, { ...letter, body })
    expect(warned.blocked).toBeUndefined()
    expect(warned.warnings?.map(({ title }) => title)).toStrictEqual(['The mail has a payment card number in line 3.'])
    const link = await (
      await openDesk({ ...nowhere, policy: { secrets: 'warn' } })
    ).preview(send, { ...letter, body: '[x](https://ann@acme.example/4111-1111-1111-1111)' })
    for (const shown of [refused, warned, link]) expect(JSON.stringify(shown)).not.toContain('4111')
  })
})

test('an option that cannot be used is named at once', async () => {
  await expect(openDesk({ url: 'http://mail.example' })).rejects.toThrow(/url/)
  await expect(openDesk({ ...nowhere, from: 'nobody' })).rejects.toThrow(/^Mail has no sender/)
})

test('a mail of which somebody is told may be sent', async () => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url, policy: { secrets: 'warn' } })
  expect(sent(await desk.send({ body: 'my card is 4111 1111 1111 1111.' })).status).toBe('sent')
  expect(server.arrived[0]?.mail.text).toContain('4111 1111 1111 1111')
})
