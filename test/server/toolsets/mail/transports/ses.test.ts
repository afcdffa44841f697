// Amazon SES, in whose place a server on this machine answers the requests of the real AWS SDK.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { refusedWithout } from '../../../../kit/without-packages.ts'
import { listening, listeningUntil } from '../../../../kit/listening.ts'
import { place } from '../../../store/store-fixture.ts'
import { report } from '../bounces/report-fixture.ts'
import { addContacts, counts, start } from '../campaigns/campaign-fixture.ts'
import { failed, openDesk, sent } from '../mail-fixture.ts'

const request = z.object({
  FromEmailAddress: z.string(),
  Destination: z.object({ ToAddresses: z.array(z.string()) }),
  Content: z.object({ Raw: z.object({ Data: z.base64() }) }),
})

type Answer = readonly [status: number, body: unknown] | 'drop'

/** Answers each request so, once it was read whole. */
async function ses(answers: (count: number) => Answer = () => [200, { MessageId: '0107-one-000000' }]) {
  const asked: (z.infer<typeof request> & { readonly mail: Email; readonly raw: string })[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      void (async () => {
        const body = request.parse(JSON.parse(Buffer.concat(chunks).toString()))
        const raw = Buffer.from(body.Content.Raw.Data, 'base64')
        const answer = answers(asked.push({ ...body, raw: raw.toString(), mail: await PostalMime.parse(raw) }))
        if (answer === 'drop') {
          incoming.socket.destroy()
          return
        }
        const [status, content] = answer
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(typeof content === 'string' ? content : JSON.stringify(content))
      })()
    })
  })
  const origin = await listening(server)
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { url: `ses://eu-central-1?endpoint=${origin}`, asked, close }
}

const error = (status: number, type: string, message = 'No.'): Answer => [status, { __type: type, message }]

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'example')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  return () => vi.unstubAllEnvs()
})

test('a mail goes to SES in one request, for all of its recipients, with nothing in it that names a hidden one', async () => {
  const server = await ses()
  const desk = await openDesk({ url: server.url })
  desk.files.put('f1', 'offer.pdf', 'application/pdf', Buffer.from('%PDF-1.7'))
  const answer = sent(
    await desk.send({ cc: ['cy@third.example'], bcc: ['dan@third.example'], subject: 'Ängebot', attachments: ['f1'] }),
  )
  expect(answer).toMatchObject({ status: 'sent' })
  expect(answer.recipients.map(({ state, response }) => [state, response])).toStrictEqual(
    Array.from({ length: 3 }, () => ['accepted', '0107-one-000000']),
  )
  expect(server.asked).toHaveLength(1)
  const [{ Destination, FromEmailAddress, mail, raw } = expect.fail('nothing was asked')] = server.asked
  expect(Destination.ToAddresses).toStrictEqual(['bea@other.example', 'cy@third.example', 'dan@third.example'])
  expect(FromEmailAddress).toBe('Acme <hello@acme.example>')
  expect(mail).toMatchObject({
    subject: 'Ängebot',
    messageId: answer.messageId,
    attachments: [{ filename: 'offer.pdf', mimeType: 'application/pdf' }],
  })
  expect(raw).not.toContain('dan@third.example')
})

test('a report names the mail as SES has called it', async () => {
  const server = await ses()
  const desk = await openDesk({ url: server.url })
  const { emailId } = sent(await desk.send())
  const came = (id: string) => desk.apply('emails.record_bounce', { report: report(id, 'bea@other.example') })
  expect(failed(await came('<0107-two-000000@eu-central-1.amazonses.com>')).code).toBe('unknown_email')
  expect(await came('<0107-one-000000@eu-central-1.amazonses.com>')).toMatchObject({
    emailId,
    undeliverable: [{ address: 'bea@other.example' }],
  })
})

test('a report on a mail of a campaign by SES is found, and without reading every mail', async () => {
  const server = await ses((count) => [200, { MessageId: `0107-${count}-000000` }])
  const desk = await openDesk({ url: server.url })
  await addContacts(desk.db, 3)
  await start(desk)
  await desk.campaigns.work()
  const taken = server.asked.findIndex(({ Destination }) => Destination.ToAddresses[0] === 'p000002@other.example')
  const id = `0107-${taken + 1}-000000`
  const found = await desk.apply('emails.record_bounce', {
    report: report(`<${id}@eu-central-1.amazonses.com>`, 'p000002@other.example'),
  })
  expect(found).toMatchObject({ undeliverable: [{ address: 'p000002@other.example' }] })
  for (const table of ['mail_recipients', 'mail_campaign_mails'] as const) {
    const plan = sql`explain query plan select position from ${sql.table(table)} where service_id = ${id}`
    expect(JSON.stringify((await plan.execute(desk.db)).rows)).toContain(`${table}_by_service_id`)
  }
})

test('a mail that SES took before its ids had a column of their own is found by a report, too', async () => {
  const server = await ses()
  const file = join(place(), 'mail.db')
  const before = await openDesk({ url: server.url }, { file })
  const { emailId } = sent(await before.send())
  for (const table of ['mail_recipients', 'mail_campaign_mails'] as const) {
    await before.db.schema.dropIndex(`${table}_by_service_id`).execute()
    await before.db.schema.alterTable(table).dropColumn('service_id').execute()
  }
  await sql`delete from mail_migration where name >= '007'`.execute(before.db)
  const after = await openDesk({ url: server.url }, { file })
  const came = report('<0107-one-000000@eu-central-1.amazonses.com>', 'bea@other.example')
  expect(await after.apply('emails.record_bounce', { report: came })).toMatchObject({ emailId })
})

test('what would end a header goes to nobody', async () => {
  const server = await ses()
  const desk = await openDesk({ url: server.url })
  expect(failed(await desk.send({ to: ['bea@other.example\r\nBcc: eve@evil.example'] })).code).toBe('invalid_recipient')
  await expect(desk.send({ subject: 'Offer\r\nBcc: eve@evil.example' })).rejects.toThrow('control characters')
  expect(server.asked).toStrictEqual([])
})

test('a campaign that is faster than SES lets an account send waits for a moment, mail by mail, and rests for nothing', async () => {
  const server = await ses((count) =>
    count % 2 === 1
      ? error(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.')
      : [200, { MessageId: `0107-${count}-000000` }],
  )
  const desk = await openDesk({ url: server.url })
  await addContacts(desk.db, 12)
  await start(desk)
  await desk.campaigns.work()
  expect(await counts(desk.db)).toStrictEqual({ accepted: 12 })
  expect(server.asked).toHaveLength(24)
  const mails = await desk.db.selectFrom('mail_campaign_mails').select('service_id').execute()
  expect(new Set(mails.map((mail) => mail.service_id)).size).toBe(12)
  expect(await desk.db.selectFrom('mail_campaigns').select(['state', 'failure_code']).execute()).toEqual([
    { state: 'finished', failure_code: null },
  ])
})

describe('a mail that SES does not take', () => {
  test.each([
    ['is refused for good where SES says what is wrong with it', error(400, 'MessageRejected'), 'refused'],
    [
      'is asked again where this server may not send: no recipient is to blame',
      error(403, 'AccessDeniedException'),
      'deferred',
    ],
    ['is asked again where there were too many', error(429, 'TooManyRequestsException'), 'deferred'],
    ['is asked again where a quota is used up', error(400, 'LimitExceededException'), 'deferred'],
    ['is asked again while sending is paused', error(400, 'SendingPausedException'), 'deferred'],
    ['is asked again where SES says that it cannot now', error(503, 'ServiceUnavailableException'), 'deferred'],
    ['is unknown where it failed inside of SES', error(500, 'InternalFailure'), 'unknown'],
    ['is unknown where something in between answered', [502, '<html>Bad gateway</html>'], 'unknown'],
    ['is unknown where the answer cannot be read', [200, '<html>Welcome</html>'], 'unknown'],
    ['is unknown where the connection is lost after the request', 'drop', 'unknown'],
  ] satisfies [string, Answer, string][])('%s', async (_, answer, state) => {
    const server = await ses(() => answer)
    const desk = await openDesk({ url: server.url })
    await desk.send()
    expect(await desk.states('mail_recipients')).toStrictEqual([state])
    // One request, whatever became of it: a second one could be a second mail.
    expect(server.asked).toHaveLength(1)
  })

  test('is asked again where nobody answers at that address', async () => {
    const server = await ses()
    await server.close()
    const desk = await openDesk({ url: server.url })
    expect(sent(await desk.send()).recipients).toMatchObject([
      { state: 'deferred', response: 'The mail server cannot be reached.' },
    ])
    expect(String(desk.told)).toContain('ECONNREFUSED')
  })

  test('is asked again where this machine has no credentials, and goes out once it has', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', '')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere')
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere')
    const server = await ses()
    const desk = await openDesk({ url: server.url })
    expect(sent(await desk.send()).recipients).toMatchObject([
      { state: 'deferred', response: 'The mail server cannot be reached.' },
    ])
    expect(String(desk.told)).toContain('redential')
    expect(server.asked).toStrictEqual([])
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE')
    desk.clock.pass(61_000)
    await desk.outbox.work()
    expect(await desk.states('mail_recipients')).toStrictEqual(['accepted'])
  })

  test('is unknown where the server is closed while SES has not answered', async () => {
    const reached = Promise.withResolvers<void>()
    const server = createServer((incoming) => void incoming.resume().on('end', () => reached.resolve()))
    const origin = await listeningUntil(onTestFinished, server)
    const desk = await openDesk({ url: `ses://eu-central-1?endpoint=${origin}` })
    const sending = desk.send()
    await reached.promise
    await desk.set.close()
    expect(failed(await sending).code).toBe('delivery_unknown')
  })
})

test('a server whose mail goes by SES does not start without the package, and says what to install', async () => {
  const module = new URL('../../../../../server/toolsets/mail/transports/by-url.ts', import.meta.url)
  expect(await refusedWithout('@aws-sdk/', module, "transportTo('ses://eu-central-1')")).toStrictEqual({
    message:
      'The package @aws-sdk/client-sesv2, which mail by Amazon SES needs, is not installed. Run `npm install @aws-sdk/client-sesv2@3` beside Countersign.',
    next: 'Run `npm install @aws-sdk/client-sesv2@3` beside Countersign.',
  })
})
