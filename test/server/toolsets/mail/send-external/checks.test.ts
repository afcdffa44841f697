// What is looked at beside subject and text before a mail leaves: its names, and whether its time has come meanwhile.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { bulk, putCampaign, putContacts } from '../campaigns/bulk-fixture.ts'
import { failed, letter, openDesk, type MailDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:9' }
const send = 'emails.send_external'
// Never written whole: tools that look for keys in sources would find it.
const key = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')

describe('a secret', () => {
  test.each([
    ['in the name of a recipient', { to: [`${key} <bea@other.example>`] }, 'the name of bea@other.example'],
    ['in the address for answers', { replyTo: `Ann ${key} <ann@acme.example>` }, 'the address for answers'],
    ['in the name of an attachment', { attachments: ['f1'] }, 'the name of an attachment'],
  ])('%s does not leave, and is not shown', async (_, input, where) => {
    const desk = await openDesk(nowhere)
    desk.files.put('f1', `config ${key}.txt`, 'text/plain', Buffer.from(`nothing but ${key}`))
    const { code, message } = failed(await desk.send(input))
    expect(code).toBe('policy_violation')
    expect(message).toContain(where)
    expect(message).not.toContain(key)
    const card = await desk.preview(send, { ...letter, ...input })
    expect(card.blocked?.title).toContain(where)
    expect(JSON.stringify(card)).not.toContain(key)
  })

  test('that the operators let leave is named on the card, and shown by none of its names', async () => {
    const desk = await openDesk({ ...nowhere, policy: { secrets: 'warn' } })
    desk.files.put('f1', `config ${key}.txt`, 'application/zip', Buffer.from('x'))
    const card = await desk.preview(send, { ...letter, to: [`${key} <bea@other.example>`], attachments: ['f1'] })
    expect(JSON.stringify(card.warnings)).toContain('the name of bea@other.example')
    expect(JSON.stringify(card)).not.toContain(key)
  })
})

test('secrets of one kind in one place are said once', async () => {
  const desk = await openDesk(nowhere)
  const card = await desk.preview(send, { ...letter, body: `${key} ${key.toLowerCase()} ${key}` })
  expect(card.blocked?.title).toBe('The mail has a key, token or password in line 1.')
})

describe('a time that was still to come when the card was shown', () => {
  test('and is past when it is signed sends nothing: the person is shown that it would go out at once', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const input = { ...letter, sendAt: new Date(desk.clock.now() + HOUR).toISOString() }
    const basis = await desk.basis(send, input)
    desk.clock.pass(HOUR + MINUTE)
    expect(await desk.basis(send, input)).not.toBe(basis)
    expect(await desk.run(send, input, basis as string)).toStrictEqual({ kind: 'tool-stale' })
    expect(server.arrived).toStrictEqual([])
    expect((await desk.preview(send, input)).warnings).toContainEqual({
      title: expect.stringMatching(/^The time at which it was to go out has passed \(.*2026.*\)\.$/),
      text: 'It goes out at once.',
    })
  })

  test('and still is when it is signed is kept', async () => {
    const desk = await openDesk(nowhere)
    const input = { ...letter, sendAt: new Date(desk.clock.now() + HOUR).toISOString() }
    const basis = await desk.basis(send, input)
    desk.clock.pass(MINUTE)
    expect(await desk.run(send, input, basis as string)).toMatchObject({ status: 'scheduled' })
  })
})

test.each([
  ['a mail', send, () => Promise.resolve(letter)],
  [
    'a campaign',
    bulk,
    async (desk: MailDesk) => {
      await putContacts(desk, [{ address: 'bea@other.example' }])
      return putCampaign(desk)
    },
  ],
])('%s that a person has seen from one sender goes out from no other', async (_, tool, prepare) => {
  const file = join(place(), 'mail.db')
  const before = await openDesk({ ...nowhere, from: 'Acme <hello@acme.example>' }, { file })
  const input = await prepare(before)
  const basis = await before.basis(tool, input)
  const after = await openDesk({ ...nowhere, from: 'Acme <hello@another.example>' }, { file })
  expect(await after.run(tool, input, basis as string)).toStrictEqual({ kind: 'tool-stale' })
  expect(await before.basis(tool, input)).toBe(basis)
})
