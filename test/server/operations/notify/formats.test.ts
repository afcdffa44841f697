// What a receiver relies on, byte by byte: the signature, the times between attempts, the addresses that are never
// connected to, and a body that no text of an agent's can turn into something else.
import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { reachable } from '../../../../server/guarded-lookup.ts'
import { webhookLookup, whyNotTo } from '../../../../server/operations/notify/address.ts'
import { endOf } from '../../../../server/operations/notify/webhook-delivery.ts'
import { messageOf } from '../../../../server/operations/notify/message.ts'
import { approvalWaiting } from '../../../../server/operations/notify/notice.ts'
import { giveUpMs, readRetryAfter, waitMs } from '../../../../server/operations/notify/schedule.ts'
import { signedHeaders } from '../../../../server/operations/notify/sign.ts'
import { isFor, shownUrl, toWebhooks } from '../../../../server/operations/notify/webhook.ts'
import { redactText } from '../../../../server/policy/redact.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

describe('the signature', () => {
  // Of the specification's own reference libraries (standard-webhooks, libraries/javascript, `webhook.test.ts`).
  test('is that of Standard Webhooks', () => {
    const headers = signedHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330_000,
      '{"test": 2432232314}',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    )
    expect(headers).toStrictEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('of a secret that is any text has the bytes of that text as its key', () => {
    const expected = createHmac('sha256', 'a secret like any other').update('msg_1.1.{}').digest('base64')
    expect(signedHeaders('msg_1', 1999, '{}', 'a secret like any other')['webhook-signature']).toBe(`v1,${expected}`)
    expect(signedHeaders('msg_1', 1999, '{}', undefined)).not.toHaveProperty('webhook-signature')
  })
})

describe('the time between attempts', () => {
  test('grows from seconds to an hour, is spread by chance, and is never above what is asked or an hour', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failed, chance) => {
          const wait = waitMs(failed, chance)
          expect(wait).toBeGreaterThanOrEqual(2500)
          expect(wait).toBeLessThanOrEqual(3_600_000)
          expect(waitMs(failed + 1, chance)).toBeGreaterThanOrEqual(wait)
          expect(waitMs(failed, 0)).toBeGreaterThanOrEqual(wait)
        },
      ),
    )
    expect([1, 2, 3, 12].map((failed) => waitMs(failed, 0))).toStrictEqual([5000, 10_000, 20_000, 3_600_000])
    expect(waitMs(1, 0, 60_000)).toBe(60_000)
    expect(waitMs(1, 0, 999_999_999)).toBe(3_600_000)
  })

  test('is as long as the receiver asks for', () => {
    const now = Date.parse('2026-01-31T12:00:00Z')
    expect(readRetryAfter('120', now)).toBe(120_000)
    expect(readRetryAfter('Sat, 31 Jan 2026 12:01:00 GMT', now)).toBe(60_000)
    for (const nothing of [undefined, '', 'soon', '-5', 'Sat, 31 Jan 2026 11:00:00 GMT'])
      expect(readRetryAfter(nothing, now)).toBe(0)
  })

  test('has an end: whatever fails, nothing is tried later than a day after it happened, or once it is gone', () => {
    const failed = { kind: 'failed', status: 500, trouble: 'It answered 500', askedMs: 0, gone: false } as const
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 0, max: 2 * giveUpMs }),
        fc.integer({ min: 0, max: 2 * giveUpMs }),
        (attempts, chance, age, askedMs) => {
          const end = endOf({ ...failed, askedMs }, { createdAt: 0, attempts }, age, chance)
          if (end.kind === 'later') expect(end.dueAt).toBeLessThanOrEqual(giveUpMs)
          else expect(end.kind).toBe('given-up')
          expect(endOf({ ...failed, gone: true }, { createdAt: 0, attempts }, age, chance).kind).toBe('given-up')
        },
      ),
    )
  })
})

describe('an address', () => {
  test('that is public is connected to', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])
      expect([address, reachable(address)]).toStrictEqual([address, 'yes'])
  })

  test('of this machine or of a private network is connected to only where that is configured', () => {
    for (const address of [
      '127.0.0.1',
      '127.9.9.9',
      '10.0.0.1',
      '172.16.5.4',
      '192.168.1.1',
      '100.64.0.1',
      '::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
    ]) {
      expect([address, reachable(address)]).toStrictEqual([address, 'private'])
      expect(whyNotTo(address, false)).toContain('private_network')
      expect(whyNotTo(address, true)).toBeUndefined()
    }
  })

  test('where clouds keep their credentials, or where nobody is, is never connected to', () => {
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fe80::1',
      '0.0.0.0',
      '::',
      '224.0.0.1',
      '255.255.255.255',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::a9fe:a9fe',
      '64:ff9b:1:ffff:ffff:ffff:a9fe:a9fe',
      '2002:7f00:1::',
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      '::169.254.169.254',
      '::10.0.0.1',
      '2001:0:a9fe:a9fe::1',
      '192.88.99.1',
      '4000::1',
      'ff02::1',
      'localhost',
      '0x7f.1',
    ])
      expect([address, whyNotTo(address, true)]).toStrictEqual([address, expect.stringContaining('not an address')])
  })
})

describe('every address', () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
  const hex = (high: number, low: number): string => ((high << 8) | low).toString(16)

  test('that carries an IPv4 one in itself is no way around the judgement of that one', () => {
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        const plain = reachable([a, b, c, d].join('.'))
        const [high, low] = [hex(a, b), hex(c, d)]
        expect(reachable(`::ffff:${high}:${low}`)).toBe(plain)
        expect(reachable(`::ffff:${a}.${b}.${c}.${d}`)).toBe(plain)
        for (const written of [`64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`])
          expect([written, reachable(written)]).toStrictEqual([written, 'never'])
        if (a > 0) expect(reachable(`::${a}.${b}.${c}.${d}`)).toBe('never')
        expect(reachable(`::${high}:${low}`)).toBe(high === '0' && low === '1' ? 'private' : 'never')
      }),
    )
  })

  test('is judged alike however it is written, and only what is assigned to the internet is public', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        const long = parts.map((part) => part.toString(16).padStart(4, '0')).join(':')
        const short = new URL(`http://[${long}]/`).hostname.slice(1, -1)
        expect([long, reachable(long)]).toStrictEqual([long, reachable(short)])
        expect(reachable(long.toUpperCase())).toBe(reachable(long))
        if ((parts[0] ?? 0) >> 13 !== 1) expect(reachable(long)).not.toBe('yes')
      }),
    )
  })

  test('that a name resolves to is checked before it is connected to, all of them, and handed on as checked', async () => {
    const look = (privateNetwork: boolean, all: boolean) =>
      new Promise((resolve) => {
        webhookLookup(privateNetwork)('localhost', { all }, (error, found) => resolve(error?.message ?? found))
      })
    expect(await look(false, true)).toMatch(/private network/)
    expect(await look(true, false)).toMatch(/^(?:127\.|::1$)/)
    for (const { address } of (await look(true, true)) as readonly { address: string }[])
      expect(whyNotTo(address, true)).toBeUndefined()
  })
})

describe('a webhook', () => {
  test('keeps its id while tenant and address stay, and is one even where it is written twice', () => {
    const setting = { url: 'https://hooks.example/a/b', events: ['approval.waiting'], privateNetwork: false }
    const [one, other, twice] = [
      toWebhooks([setting]),
      toWebhooks([{ ...setting, secret: 'changed since then', tenant: undefined }]),
      toWebhooks([setting, { ...setting, events: ['feedback.high'] }, { ...setting, tenant: 'acme' }]),
    ]
    expect(one[0]?.id).toBe(other[0]?.id)
    expect(twice.map(({ tenant, events }) => [tenant, events])).toStrictEqual([
      [undefined, ['approval.waiting', 'feedback.high']],
      ['acme', ['approval.waiting']],
    ])
    expect(twice[0]?.id).not.toBe(twice[1]?.id)
  })

  test('of one tenant is told of no other, and every one only of what it asked for', () => {
    const [webhook] = toWebhooks([
      { url: 'https://hooks.example/', events: ['feedback.high'], privateNetwork: false, tenant: 'acme' },
    ])
    if (webhook === undefined) throw new Error('unreachable')
    expect([
      isFor(webhook, 'feedback.high', 'acme'),
      isFor(webhook, 'feedback.high', 'other'),
      isFor(webhook, 'approval.waiting', 'acme'),
    ]).toStrictEqual([true, false, false])
  })

  test('is shown without the part of its address that lets one post', () => {
    expect(shownUrl('https://hooks.slack.com/services/T0/B0/XYZ')).toBe('https://hooks.slack.com/…')
    expect(shownUrl('https://user:pass@hooks.example/?token=1')).toBe('https://hooks.example/…')
    expect(shownUrl('https://hooks.example')).toBe('https://hooks.example')
  })
})

describe('a message', () => {
  const approval = {
    id: 'ap_0123456789abcdef',
    tenant: 'acme',
    subject: 'agent',
    client: 'desk',
    tool: 'orders_delete',
    risk: 'critical' as const,
    summary: 'Deletes order 7.',
    stepUp: true,
    createdAt: Date.UTC(2026, 0, 31),
    expiresAt: Date.UTC(2026, 1, 1),
  }

  const page = { address: 'https://c.example', options: '', variables: [] }

  test('leads to the page where the person decides', () => {
    const body = JSON.parse(messageOf(approvalWaiting(approval), page, redactText)) as Record<string, unknown>
    expect(body).toMatchObject({
      type: 'approval.waiting',
      timestamp: '2026-01-31T00:00:00.000Z',
      text: expect.stringContaining('https://c.example/admin/approvals/ap_0123456789abcdef'),
      data: {
        approval_id: approval.id,
        tenant: 'acme',
        tool: 'orders_delete',
        risk: 'critical',
        url: 'https://c.example/admin/approvals/ap_0123456789abcdef',
      },
    })
    expect(JSON.stringify(body['blocks'])).toContain('<https://c.example/admin/approvals/ap_0123456789abcdef|')
  })

  test.each([
    [
      ['--config /etc/c.json', []],
      'At a terminal: countersign approvals show ap_0123456789abcdef --config /etc/c.json',
    ],
    [
      ['', ['COUNTERSIGN_DB', 'COUNTERSIGN_SECRET']],
      'At a terminal that has COUNTERSIGN_DB and COUNTERSIGN_SECRET: countersign approvals show ap_0123456789abcdef',
    ],
  ] as const)('without a page it names a command that finds the records by %j: %s', ([options, variables], command) => {
    const where = { address: undefined, options, variables }
    const { text, blocks } = JSON.parse(messageOf(approvalWaiting(approval), where, redactText)) as {
      readonly text: string
      readonly blocks: unknown
    }
    expect(text.endsWith(` ${command}`)).toBe(true)
    expect(JSON.stringify(blocks)).toContain(command.replace(/: (.*)$/, ': `$1`'))
  })

  test('has no markup, mention or link of an agent’s making, and stays small, whatever the agent wrote', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter, maxLength: 1000 }),
          fc.constantFrom('<!channel>', '<https://evil.example|Approve>', '&lt;!here&gt;', '*bold* `code` @everyone'),
        ),
        (said) => {
          const text = messageOf(
            approvalWaiting({ ...approval, summary: said, client: said, subject: said, tool: said.slice(0, 100) }),
            page,
            (given) => given,
          )
          const body = JSON.parse(text) as { text: string; blocks: { text?: { type: string; text: string } }[] }
          expect(body.text).not.toMatch(/[<>]/)
          expect(Buffer.byteLength(text)).toBeLessThan(20_000)
          const marked = body.blocks.flatMap(({ text: shown }) => (shown?.type === 'mrkdwn' ? [shown.text] : []))
          expect(marked).toStrictEqual([`<https://c.example/admin/approvals/${approval.id}|Look at it and decide>`])
        },
      ),
      { numRuns: runsOf(40) },
    )
  })

  test('holds no secret that an agent has written', () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const text = messageOf(
      approvalWaiting({ ...approval, summary: `Uses ${secret}`, client: secret }),
      page,
      redactText,
    )
    expect(text).not.toContain(secret)
  })
})
