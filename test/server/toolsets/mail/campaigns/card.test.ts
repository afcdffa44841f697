// What the card of a campaign shows, and its list of everybody whom it means.
import { describe, expect, test } from 'vitest'
import { plainSentence } from '../../../../../server/cards/figures.ts'
import { blocksOf, openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import {
  bulk,
  desk,
  generous,
  newsletter,
  nowhere,
  people,
  putCampaign,
  putContacts,
  warningsIn,
} from './bulk-fixture.ts'
import { counts } from './campaign-fixture.ts'

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
