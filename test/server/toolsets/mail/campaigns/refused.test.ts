// Why a campaign is not sent, and what makes a confirmation of one stale.
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../../kit/clock.ts'
import { blocksOf, failed, openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { bulk, desk, generous, newsletter, nowhere, people, putCampaign, putContacts, started } from './bulk-fixture.ts'
import { counts } from './campaign-fixture.ts'
import type { MailOptions } from '../../../../../server/toolsets/mail/options.ts'

describe('a campaign is not sent', () => {
  const code = async (answer: Promise<unknown>): Promise<string> => failed(await answer).code

  test('of a template or to a segment that is not there: its code, and which one was meant', async () => {
    const { apply, input, preview } = await desk()
    expect(failed(await apply(bulk, { ...input, templateId: 'Newsleter' }))).toMatchObject({
      code: 'unknown_template',
      fields: [{ pointer: '/templateId', allowed: 'tp_1' }],
    })
    expect(failed(await apply(bulk, { ...input, segmentId: 'readers' }))).toMatchObject({
      code: 'unknown_segment',
      fields: [{ pointer: '/segmentId', allowed: 'sg_1' }],
    })
    const other = { tenant: 'other', subject: 'ada' }
    await expect(preview(bulk, input, other)).rejects.toThrow('unknown_template')
  })

  test('without what the template asks the call for, or with more: invalid_values', async () => {
    const { db, apply, preview, input } = await desk()
    await db.updateTable('mail_templates').set({ variables: '["day"]', body: 'See you on {{ day }}.' }).execute()
    expect(failed(await apply(bulk, input))).toMatchObject({
      code: 'invalid_values',
      fields: [{ pointer: '/values/day', allowed: 'a text' }],
    })
    expect(failed(await apply(bulk, { ...input, values: { dya: 'Monday' } })).message).toContain('Did you mean day?')
    const shown = await preview(bulk, { ...input, values: { day: 'Monday' } })
    expect(blocksOf(shown.blocks, 'code')[0]?.text).toContain('See you on Monday.')
  })

  test('of a template that cannot be read any more: invalid_template', async () => {
    const { db, apply, input } = await desk()
    await db.updateTable('mail_templates').set({ body: '{% for a in b %}' }).execute()
    expect(await code(apply(bulk, input))).toBe('invalid_template')
  })

  test('to a reply address that is none, or where nobody can get it: invalid_recipient', async () => {
    const { db, apply, preview, run, basis, input } = await desk()
    expect(failed(await apply(bulk, { ...input, replyTo: 'nobody' }))).toMatchObject({
      code: 'invalid_recipient',
      fields: [{ pointer: '/replyTo' }],
    })
    await db.updateTable('mail_contacts').set({ undeliverable: 'gone', version: 2 }).execute()
    expect((await preview(bulk, input)).blocked).toStrictEqual({
      code: 'invalid_recipient',
      title: 'Nobody of “Readers” can get this mail.',
      text: 'Addresses are marked as undeliverable.',
    })
    expect(await code(run(bulk, input, (await basis(bulk, input)) as string))).toBe('invalid_recipient')
    await db.deleteFrom('mail_contacts').execute()
    expect((await preview(bulk, input)).blocked?.title).toBe('Nobody is in the segment “Readers” now.')
  })

  test('to domains that are blocked, to more than one campaign may have, or with a secret: policy_violation, with numbers', async () => {
    const why = async (options: Partial<MailOptions>, body = newsletter.body) => {
      const { db, apply, preview, input } = await desk(options)
      await db.updateTable('mail_templates').set({ body }).execute()
      expect(await code(apply(bulk, input))).toBe('policy_violation')
      const { blocked } = await preview(bulk, input)
      return `${blocked?.title} ${blocked?.text}`
    }
    expect(await why({ policy: { ...generous, blockedDomains: ['two.example'] } })).toBe(
      'No mail goes to two.example. The operators of this server have blocked that domain. 1 recipient of this campaign has an address there; take a segment without them.',
    )
    expect(await why({ policy: { ...generous, allowedDomains: ['one.example'] } })).toContain(
      'No mail goes to two.example.',
    )
    expect(await why({ policy: { ...generous, maxCampaignRecipients: 1 } })).toBe(
      '2 recipients are more than one campaign may have. The operators of this server allow 1.',
    )
    const secret = 'Dear {{ first_name }}, {% if company %}key: AKIAIOSFODNN7EXAMPLE{% endif %}'
    expect(await why({ policy: generous }, secret)).toContain('line 1 of the template')
  })

  test('that would take longer than a week by the quotas: rate_limit_exceeded, with the number', async () => {
    const slow = await desk({ policy: { ...generous, recipientsPerDay: 1 } })
    await putContacts(
      slow,
      Array.from({ length: 20 }, (_, at) => ({ address: `p${at}@two.example` })),
    )
    expect((await slow.preview(bulk, slow.input)).blocked).toStrictEqual({
      code: 'rate_limit_exceeded',
      title: '22 mails would take about 21 days by the quota of this server.',
      text: 'Its operators allow 1 within a day, and a campaign takes a week at most. Take a smaller segment, or ask them to raise the quota.',
    })
    expect(await code(slow.apply(bulk, slow.input))).toBe('rate_limit_exceeded')
  })

  test('that nobody has seen: confirmation_required', async () => {
    const { run, input } = await desk()
    expect(await code(run(bulk, input, undefined))).toBe('confirmation_required')
  })
})

describe('a confirmation is stale', () => {
  test.each<readonly [string, (opened: Awaited<ReturnType<typeof desk>>) => Promise<unknown>]>([
    [
      'a contact changed',
      ({ db }) => db.updateTable('mail_contacts').set({ version: 2 }).where('id', '=', 'ct_bea@two.example').execute(),
    ],
    ['a contact was added', (opened) => putContacts(opened, [{ address: 'dia@one.example' }])],
    ['a contact is gone', ({ db }) => db.deleteFrom('mail_contacts').where('id', '=', 'ct_bea@two.example').execute()],
    ['the template changed', ({ db }) => db.updateTable('mail_templates').set({ version: 2 }).execute()],
    ['the segment changed', ({ db }) => db.updateTable('mail_segments').set({ version: 2 }).execute()],
  ])('where %s since', async (_, change) => {
    const opened = await desk()
    const before = await opened.basis(bulk, opened.input)
    await change(opened)
    expect(await opened.run(bulk, opened.input, before as string)).toStrictEqual({ kind: 'tool-stale' })
    expect(await counts(opened.db)).toStrictEqual({})
  })

  test('where its time had not come when the card was shown: the person is shown that it would go out at once', async () => {
    const server = await smtpServer()
    const opened = await desk({ url: server.url })
    const input = { ...opened.input, sendAt: new Date(opened.clock.now() + HOUR).toISOString() }
    const before = await opened.basis(bulk, input)
    opened.clock.pass(HOUR + MINUTE)
    expect(await opened.run(bulk, input, before as string)).toStrictEqual({ kind: 'tool-stale' })
    expect(server.arrived).toStrictEqual([])
    expect((await opened.preview(bulk, input)).warnings).toContainEqual({
      title: expect.stringMatching(/^The time at which it was to go out has passed \(.*2026.*\)\.$/),
      text: 'It goes out at once.',
    })
  })

  test('but not where somebody outside of the segment changed', async () => {
    const opened = await openDesk({ ...nowhere, policy: generous })
    await putContacts(opened, people)
    const input = await putCampaign(opened, { conditions: [{ field: 'domain', operator: 'is', value: 'one.example' }] })
    const before = await opened.basis(bulk, input)
    await opened.db.updateTable('mail_contacts').set({ version: 2 }).where('domain', '=', 'two.example').execute()
    expect(started(await opened.run(bulk, input, before as string)).counts).toMatchObject({ total: 1, skipped: 0 })
  })
})
