// What the card of a campaign shows, why a campaign is not sent, and what makes a confirmation stale.
import { describe, expect, test } from 'vitest'
import { plainSentence } from '../../../../../server/cards/figures.ts'
import type { CardBlock } from '../../../../../server/model/card.ts'
import type { MailOptions } from '../../../../../server/toolsets/mail/options.ts'
import { HOUR, MINUTE } from '../../../../kit/clock.ts'
import { ada, failed, openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { bulk, generous, newsletter, putCampaign, putContacts, started, warningsIn } from './bulk-fixture.ts'
import { counts } from './campaign-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:1' }
const people = [
  { address: 'ann@one.example', first_name: 'Ann', last_name: 'Lee' },
  { address: 'bea@two.example' },
  { address: 'cy@two.example', first_name: 'Cy', undeliverable: '550 No such user' },
]

/** A desk with three contacts, a newsletter and a segment of everybody, and the call that joins them. */
async function desk(options: Partial<MailOptions> = {}) {
  const opened = await openDesk({ ...nowhere, policy: generous, ...options })
  await putContacts(opened, people)
  return { ...opened, input: await putCampaign(opened) }
}

type Kind = CardBlock['kind']
const blocksOf = <K extends Kind>(blocks: readonly CardBlock[] = [], kind: K) =>
  blocks.filter((each): each is Extract<CardBlock, { kind: K }> => each.kind === kind)

describe('the contract', () => {
  test('is critical, never autonomous, and cannot do without its dry run', async () => {
    const contract = (await openDesk(nowhere)).write(bulk)
    expect(contract).toMatchObject({
      risk: 'critical',
      category: 'communication',
      autonomous: false,
      dryRunRequired: true,
      external: true,
      permissions: ['emails:send', 'contacts:read', 'templates:read'],
      auditEvent: 'email.campaign.started',
    })
    expect(Object.entries(contract.failures).map(([code, { effect }]) => `${code}: ${effect}`)).toStrictEqual([
      'confirmation_required: none',
      'invalid_recipient: none',
      'rate_limit_exceeded: none',
      'policy_violation: none',
      'delivery_unknown: unknown',
      'unknown_template: none',
      'unknown_segment: none',
      'invalid_template: none',
      'invalid_values: none',
    ])
  })

  test('asks for a second factor by how many can get it', async () => {
    const needs = async (campaignRecipients: number, segmentId = 'sg_1') => {
      const opened = await desk({ stepUp: { campaignRecipients } })
      const rule = opened.write(bulk).stepUp
      return typeof rule === 'object' && (await rule.when({ ...opened.input, segmentId }, ada))
    }
    expect(await needs(1)).toBe(true)
    // The third of them gets no mail.
    expect(await needs(2)).toBe(false)
    expect(await needs(0, 'sg_none')).toBe(false)
  })
})

describe('the preview', () => {
  test('says who gets it, who is skipped, what two of them read, and how long it takes', async () => {
    const { preview, input } = await desk()
    const shown = await preview(bulk, input)
    expect(shown).toMatchObject({
      title: 'Email 2 recipients',
      subtitle: 'Ann, the news',
      confirmLabel: 'Send 2 emails',
      confirmPhrase: '2',
      estimatedDurationMs: 200,
    })
    expect(warningsIn(shown)).toStrictEqual([
      "1 recipient has no first name, fallback 'Hello' will be used.",
      '1 email address is marked as undeliverable and will be skipped.',
    ])
    expect(shown.details).toStrictEqual({
      recipientCount: 3,
      mailCount: 2,
      skippedCount: 1,
      newRecipients: 2,
      outsideDomains: 2,
      sampleMessages: [
        {
          to: 'ann@one.example',
          subject: 'Ann, the news',
          previewText: 'Dear Ann, read on (https://acme.example/news?for=ann%40one.example).',
        },
        {
          to: 'bea@two.example',
          subject: 'Hello, the news',
          previewText: 'Dear Hello, read on (https://acme.example/news?for=bea%40two.example).',
        },
      ],
    })
    expect(shown.effects?.map(plainSentence)).toContain('2 external emails are sent and cannot be taken back')
    expect(blocksOf(shown.blocks, 'people')).toMatchObject([
      {
        count: 2,
        sample: [{ name: 'Ann Lee', address: 'ann@one.example' }, { name: 'bea@two.example' }],
        newCount: 2,
        domains: [{ count: 1 }, { count: 1 }],
      },
    ])
    expect(blocksOf(shown.blocks, 'people')[0]?.sample[1]).not.toHaveProperty('address')
    expect(blocksOf(shown.blocks, 'code').map(({ label }) => label)).toStrictEqual([
      'As Ann Lee <ann@one.example> reads it',
      'As bea@two.example reads it',
    ])
    const [links, skipped] = blocksOf(shown.blocks, 'table')
    expect(links?.rows[0]?.[1]).toStrictEqual({ kind: 'text', text: 'acme.example' })
    expect(skipped?.rows).toStrictEqual([
      [
        { kind: 'text', text: 'Cy <cy@two.example>' },
        { kind: 'text', text: 'The address is marked as undeliverable: 550 No such user' },
      ],
    ])
  })

  test('of a later campaign says when it begins, and that it can be stopped until then', async () => {
    const { preview, input } = await desk()
    const sendAt = '2027-06-01T11:00:00+02:00'
    const shown = await preview(bulk, { ...input, sendAt, replyTo: 'Bea <bea@acme.example>' })
    expect(shown).toMatchObject({
      confirmLabel: 'Schedule 2 emails',
      details: { goesOutAt: '2027-06-01T09:00:00.000Z' },
    })
    expect(shown.effects?.[0]).toContain('until then the campaign can be stopped')
    const [fields] = blocksOf(shown.blocks, 'fields')
    expect(fields?.fields).toContainEqual({
      label: 'Begins',
      value: { kind: 'date', iso: '2027-06-01T09:00:00.000Z', precision: 'minute' },
    })
    expect(fields?.fields).toContainEqual({
      label: 'Answers go to',
      value: { kind: 'text', text: 'bea@acme.example' },
    })
  })

  test('counts those who got mail before, by hand or by a campaign, as not new', async () => {
    const server = await smtpServer()
    const { preview, input, send, apply, db, campaigns } = await desk({ url: server.url })
    await send({ to: ['ann@one.example'] })
    expect((await preview(bulk, input)).details).toMatchObject({ newRecipients: 1 })
    await apply(bulk, input)
    await campaigns.work()
    expect(await counts(db)).toMatchObject({ accepted: 2 })
    expect((await preview(bulk, input)).details).toMatchObject({ newRecipients: 0 })
  })

  test('shows what only some of its mails have: every part of the template, and every link of it', async () => {
    const opened = await openDesk({ ...nowhere, policy: generous })
    await putContacts(opened, people)
    const body =
      'Dear {{ first_name }}, [read on](https://acme.example/a?for={{ email | url_encode }}).{% if company == "Bank" %}\n\nPay [now](https://www.аcme.example/pay).{% endif %}'
    const shown = await opened.preview(bulk, await putCampaign(opened, { body }))
    const codes = blocksOf(shown.blocks, 'code').map(({ text }) => text)
    expect(codes.at(-1)).toBe(`${newsletter.subject}\n\n${body}`)
    const links = blocksOf(shown.blocks, 'table').find(({ label }) => label === 'Links')
    expect(links?.rows).toStrictEqual([
      [
        { kind: 'text', text: 'read on' },
        { kind: 'text', text: 'acme.example' },
        { kind: 'code', text: 'https://acme.example/a?for=…' },
      ],
      [
        { kind: 'text', text: 'now' },
        { kind: 'text', text: 'www.аcme.example (www.xn--cme-5cd.example)' },
        { kind: 'code', text: 'https://www.xn--cme-5cd.example/pay' },
      ],
    ])
    expect(warningsIn(shown).join()).toContain('xn--cme-5cd.example')
    // Of a template that says the same to everybody, the two mails are all of it.
    const plain = await (await desk()).preview(bulk, { templateId: 'tp_1', segmentId: 'sg_1' })
    expect(blocksOf(plain.blocks, 'code')).toHaveLength(2)
  })

  test('shows names and domains of strangers as what they are', async () => {
    const opened = await openDesk({ ...nowhere, policy: generous })
    await putContacts(opened, [
      {
        address: 'a@раypal.com',
        domain: 'xn--ypal-43d9g.com',
        first_name: '[free](https://evil.example) {{ email }}\n# Hi',
      },
      { address: 'b@rnicrosoft.example', first_name: 'Ann\u202e', name: 'ceo@bank.example' },
      { address: 'c@microsoft.example', first_name: '=?utf-8?q?x?=', last_name: '\u0000' },
    ])
    const shown = await opened.preview(bulk, await putCampaign(opened, { body: 'Dear {{ first_name }}, good day.' }))
    const warnings = warningsIn(shown).join('\n')
    expect(warnings).toContain('раypal.com (xn--ypal-43d9g.com) mixes')
    expect(warnings).toContain('rnicrosoft.example looks like microsoft.example and is another domain.')
    expect(warnings).toContain('1 recipient has a name that looks like another address.')
    const [first] = blocksOf(shown.blocks, 'code')
    expect(first?.text).toContain('Dear [free](https://evil.example) {{ email }} # Hi, good day.')
    expect(blocksOf(shown.blocks, 'table')).toStrictEqual([])
  })
})

describe('the list of recipients', () => {
  test('names everybody once, in pages of any size, with what each gets and why not', async () => {
    const { input, listPage, preview } = await desk()
    const names = [
      ['ann@one.example', 'The mail'],
      ['bea@two.example', 'The mail, with a fallback for first name'],
      ['cy@two.example', 'Nothing. The address is marked as undeliverable: 550 No such user'],
    ]
    for (const limit of [1, 2, 3, 10]) {
      const found = []
      for (let after: string | undefined; ;) {
        const page = await listPage(bulk, 'recipients', input, { limit, ...(after === undefined ? {} : { after }) })
        found.push(...page.rows.map(({ key, cells }) => [key, cells[2]?.kind === 'text' ? cells[2].text : '']))
        if (page.next === undefined) break
        after = page.next
      }
      expect(found).toStrictEqual(names)
    }
    expect(blocksOf((await preview(bulk, input)).blocks, 'pages')).toMatchObject([
      {
        list: 'recipients',
        total: 3,
        // What opens a row is its first cell, which everybody has: not everybody has a name.
        rows: [{ key: 'ann@one.example' }, { cells: [{ text: 'bea@two.example' }, { kind: 'unset' }, {}] }, {}],
        opens: true,
      },
    ])
  })

  test('opens the mail that anybody will read, or says why there is none', async () => {
    const { input, listItem } = await desk()
    const bea = await listItem(bulk, 'recipients', input, 'bea@two.example')
    expect(bea).toMatchObject([
      {
        kind: 'code',
        label: 'As bea@two.example reads it',
        text: expect.stringContaining('Hello, the news\n\nDear Hello,'),
      },
      { kind: 'table', label: 'Links' },
    ])
    expect(await listItem(bulk, 'recipients', input, 'cy@two.example')).toMatchObject([
      { kind: 'alert', title: 'Cy <cy@two.example> gets no mail.' },
    ])
    expect(await listItem(bulk, 'recipients', input, 'nobody@two.example')).toBeUndefined()
  })
})

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

test('a confirmed campaign goes out to those who were counted, once however often the call is repeated', async () => {
  const server = await smtpServer()
  const { run, basis, input, campaigns, reconcile } = await desk({ url: server.url })
  const seen = (await basis(bulk, input)) as string
  const first = started(await run(bulk, input, seen, 'pl_once'))
  expect(first).toMatchObject({ status: 'finished', counts: { total: 3, accepted: 2, skipped: 1 } })
  await campaigns.work()
  expect(started(await run(bulk, input, seen, 'pl_once')).campaignId).toBe(first.campaignId)
  await campaigns.work()
  expect(new Set(server.arrived.map(({ to }) => to[0]))).toStrictEqual(new Set(['ann@one.example', 'bea@two.example']))
  expect(server.arrived).toHaveLength(2)
  expect(new Set(server.arrived.map(({ mail }) => mail.subject))).toStrictEqual(
    new Set(['Ann, the news', 'Hello, the news']),
  )
  expect(await reconcile(bulk, input, 'pl_once')).toMatchObject({ kind: 'applied' })
})

test('the card of a campaign that every mail server has refused does not say that it was sent', async () => {
  const server = await smtpServer({ recipient: () => [550, '5.1.1 No such user'] })
  const { write, run, basis, input, follow } = await desk({ url: server.url })
  const answer = started(await run(bulk, input, (await basis(bulk, input)) as string))
  expect(answer).toMatchObject({ status: 'finished', counts: { accepted: 0, refused: 2 } })
  const refused = { title: 'Nobody got the campaign' }
  expect(write(bulk).cards?.success?.({}, answer)).toMatchObject({ ...refused, failed: true })
  expect(await follow(bulk, input, answer)).toMatchObject({ ...refused, done: true })
})

test('a campaign of which nobody knows whether anybody got it is told so, and stays unknown', async () => {
  const server = await smtpServer({ data: async () => 'drop' })
  const { run, basis, input, reconcile } = await desk({ url: server.url })
  const seen = (await basis(bulk, input)) as string
  expect(failed(await run(bulk, input, seen, 'pl_lost')).code).toBe('delivery_unknown')
  expect(await reconcile(bulk, input, 'pl_lost')).toStrictEqual({ kind: 'unknown' })
})

test('its card follows it to the end, and offers what can be done meanwhile', async () => {
  const server = await smtpServer()
  const opened = await desk({ url: server.url })
  const { campaignId, ...answer } = started(
    await opened.apply(bulk, { ...opened.input, sendAt: '2027-06-01T09:00:00Z' }),
  )
  const shown = () => opened.follow(bulk, opened.input, { campaignId, ...answer })
  expect(await shown()).toMatchObject({
    done: false,
    title: 'Campaign scheduled',
    offers: [{ tool: 'emails_stop_campaign', arguments: { campaignId } }],
  })
  await opened.db.updateTable('mail_campaigns').set({ due_at: '2026-01-01T00:00:00.000Z' }).execute()
  expect(await shown()).toMatchObject({
    title: 'Campaign is going out',
    // Not how many had it when the call was answered.
    subtitle: 'Newsletter · Readers',
    blocks: [{ kind: 'progress', done: 0, total: 2 }, {}],
    offers: [{ tool: 'emails_pause_campaign' }, { tool: 'emails_stop_campaign' }],
  })
  await opened.db.updateTable('mail_campaigns').set({ state: 'finished' }).execute()
  expect(await shown()).toMatchObject({ done: true, title: 'Campaign sent', offers: [] })
  await opened.db.updateTable('mail_campaign_mails').set({ state: 'stopped' }).where('position', '=', 2).execute()
  // Whom a stop has kept from getting it is not done.
  expect(await shown()).toMatchObject({ blocks: [{ kind: 'progress', done: 0, total: 2 }, {}] })
  const stranger = { tenant: 'other', subject: 'ada' }
  expect(await opened.follow(bulk, opened.input, { campaignId, ...answer }, stranger)).toStrictEqual({
    done: true,
    blocks: [],
  })
})
