// Somebody has to hear of what waits for them. Here a server runs with its settings file, agents call it, and what
// arrives at the other end is looked at as a receiver would.
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { casesOf } from '../../full.ts'
import { openReceiver, type Got, type Receiver } from '../../server/operations/notify/receiver.ts'
import { databases, freshDatabase, testSecret, type Database } from '../../postgres.ts'
import { atEnd, place } from '../at-end.ts'
import { webHere, type Here } from '../in-process.ts'
import { letIn } from '../processes.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok?').toString('base64')}`
const adminToken = 'the-token-of-the-operators-of-this-test'

interface Desk extends Here {
  readonly url: string
  readonly db: string
  rest(
    tool: string,
    args: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, unknown>>>
  operator(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: Body }>
}

type Body = Readonly<Record<string, unknown>>

interface DeskOptions {
  readonly database?: Database
  readonly db?: string
  readonly settings?: object
}

/** `countersign demo` with a settings file. */
async function openDesk({ database = 'sqlite', db, settings = {} }: DeskOptions): Promise<Desk> {
  const made = db === undefined ? await freshDatabase(database) : undefined
  if (made !== undefined) atEnd(() => made.drop())
  const url = db ?? made?.url ?? ''
  const file = join(place(), 'countersign.json')
  writeFileSync(file, JSON.stringify({ http: { port: 0 }, ...settings }))
  const env = { COUNTERSIGN_CONFIG: file, COUNTERSIGN_ADMIN_TOKEN: adminToken, COUNTERSIGN_SECRET: testSecret }
  const web = await webHere(['demo', '--db', url], { env })
  const { origin } = web.mcp
  const ask = async (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(letIn(path, web.mcp), {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  return {
    ...web,
    url: origin,
    db: url,
    rest: async (tool, args, headers = {}) => (await ask('POST', `/api/v1/tools/${tool}`, args, headers)).body,
    operator: (method, path, body) => ask(method, `/api/v1${path}`, body, { authorization: `Bearer ${adminToken}` }),
  }
}

const hook = (receiver: Receiver, events?: readonly string[]): object => ({
  url: receiver.url,
  secret,
  private_network: true,
  ...(events === undefined ? {} : { events }),
})

/** A call that no agent may make alone. */
const askForDeletion = async (desk: Desk): Promise<string> => {
  const { approval_id: id } = await desk.rest('orders_delete', {
    id: 'SO-1008',
    rationale: 'A duplicate of another.',
  })
  if (typeof id !== 'string') throw new Error('Nothing waits.')
  return id
}

const signedRightly = ({ headers, text }: Got): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** What a database can get wrong here are two servers on it: PostgreSQL in every run, both in full ones. */
describe.each(casesOf(databases, String, ['postgres']))('on %s', (database) => {
  test('an approval that waits is told once, signed, with the way to the page where it is decided', async () => {
    const receiver = await openReceiver()
    const desk = await openDesk({ database, settings: { webhooks: [hook(receiver)] } })
    const id = await askForDeletion(desk)
    const [got] = await receiver.until(1)
    if (got === undefined) throw new Error('unreachable')
    expect(signedRightly(got)).toBe(true)
    expect(got.body).toMatchObject({
      type: 'approval.waiting',
      text: expect.stringContaining(`${desk.url}/admin/approvals/${id}`),
      data: { approval_id: id, tool: 'orders_delete', risk: 'critical', tenant: 'default' },
    })
    for (const hidden of ['cs1_', 'pl_', testSecret]) expect(got.text).not.toContain(hidden)
    // Asked for again by the agent, it is still the same approval, and nobody is told of it twice.
    expect(await askForDeletion(desk)).toBe(id)
    const { body } = await desk.operator('GET', '/webhooks')
    expect(body).toMatchObject({
      gives_up_after_seconds: 86_400,
      webhooks: [{ tenant: null, signed: true, waiting: 0, last_delivery: { event: 'approval.waiting', status: 200 } }],
    })
    expect(receiver.got).toHaveLength(1)
  })

  test('two servers on one database tell of it once, and one that comes back tells what the other could not', async () => {
    const receiver = await openReceiver(503)
    const settings = { webhooks: [hook(receiver, ['approval.waiting'])] }
    const one = await openDesk({ database, settings })
    const other = await openDesk({ db: one.db, settings })
    await askForDeletion(other)
    await receiver.until(1)
    // Both go; what was not delivered is still there.
    for (const desk of [one, other]) {
      expect((await desk.end()).code).toBe(0)
    }
    receiver.react(200)
    const before = receiver.got.length
    await openDesk({ db: one.db, settings })
    const all = await receiver.until(before + 1)
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})

describe('what is told', () => {
  test('goes to its own tenant and to whoever is told of all, and only what each asked for', async () => {
    const [all, mine, theirs, feedback] = [
      await openReceiver(),
      await openReceiver(),
      await openReceiver(),
      await openReceiver(),
    ]
    const desk = await openDesk({
      settings: {
        webhooks: [hook(all)],
        tenants: {
          default: { webhooks: [hook(mine, ['approval.waiting']), hook(feedback, ['feedback.high'])] },
          other: { webhooks: [hook(theirs)] },
        },
      },
    })
    await askForDeletion(desk)
    await Promise.all([all.until(1), mine.until(1)])
    await desk.rest('submit_feedback', {
      attempted_action: 'Delete SO-1008 <!channel> with the key ghp_abcdefghijklmnopqrstuvwxyz0123456789.',
      expected_outcome: 'It is gone.',
      actual_outcome: 'It waits for a person.',
      severity: 'high',
      rationale: 'The agent is stuck here.',
    })
    const [, told] = await all.until(2)
    const [same] = await feedback.until(1)
    expect(told?.body).toMatchObject({
      type: 'feedback.high',
      data: { attempted_action: expect.stringContaining('SO-1008') },
    })
    expect(told?.text).not.toContain('ghp_')
    expect(told?.body.text).not.toContain('<!channel>')
    expect(same?.body.type).toBe('feedback.high')
    expect([mine.got.length, theirs.got.length]).toStrictEqual([1, 0])
  })

  test('a caller without a rationale is told of once a day, not at each call', async () => {
    const receiver = await openReceiver()
    const desk = await openDesk({ settings: { rationale: 'grace', webhooks: [hook(receiver)] } })
    for (const tool of ['orders_list', 'orders_list', 'products_search'])
      await desk.rest(tool, {}, { 'x-countersign-client': 'nightly-job' })
    const [got] = await receiver.until(1)
    expect(got?.body).toMatchObject({
      type: 'rationale.missing',
      data: { caller: { client: 'nightly-job' }, until: expect.stringMatching(/^\d{4}-/) },
    })
    expect(got?.text).toContain(`${desk.url}/admin/insights/callers`)
    await desk.rest('orders_list', {}, { 'x-countersign-client': 'another-job' })
    const all = await receiver.until(2)
    expect(all.map(({ body }) => (body.data['caller'] as { client: string }).client)).toStrictEqual([
      'nightly-job',
      'another-job',
    ])
    // The log says it as often: once for each caller and day.
    const warned = desk.stderr().match(/^.*Deprecated: a caller sends no rationale\..*$/gm) ?? []
    expect(warned.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', client: 'nightly-job', tool: 'orders_list' },
      { level: 'warn', client: 'another-job', tool: 'orders_list' },
    ])
  })
})

describe('a receiver that does not do its part', () => {
  test('and hangs holds up neither calls nor other receivers', async () => {
    const [hanging, other] = [await openReceiver('hang'), await openReceiver()]
    const desk = await openDesk({ settings: { webhooks: [hook(hanging), hook(other)] } })
    const first = await askForDeletion(desk)
    await Promise.all([hanging.until(1), other.until(1)])
    // It has not answered, and will not; meanwhile everything else goes on.
    expect(await desk.rest('orders_list', { rationale: 'Work goes on as before.' })).not.toHaveProperty('error')
    await desk.operator('POST', `/approvals/${first}/reject`, { reason: 'It is no duplicate.' })
    await askForDeletion(desk)
    await other.until(2)
    expect(hanging.got).toHaveLength(1)
    expect((await desk.end()).code).toBe(0)
  })

  test('is seen by operators with what it answered, and they can try it', async () => {
    const receiver = await openReceiver(404)
    const desk = await openDesk({ settings: { webhooks: [hook(receiver)] } })
    await askForDeletion(desk)
    await receiver.until(1)
    const list = async () => (await desk.operator('GET', '/webhooks')).body['webhooks'] as readonly Body[]
    await eventually(async () =>
      expect(await list()).toMatchObject([
        {
          url: `${new URL(receiver.url).origin}/…`,
          waiting: 1,
          last_delivery: null,
          last_failure: { status: 404, message: 'It answered 404', attempts: 1, given_up: false },
        },
      ]),
    )
    const [webhook] = await list()
    expect(JSON.stringify(webhook)).not.toContain('the-secret-of-the-channel')
    const id = String(webhook?.['id'])
    expect(await desk.operator('POST', `/webhooks/${id}/test`)).toMatchObject({
      status: 200,
      body: { delivered: false, status: 404, message: 'It answered 404' },
    })
    receiver.react(200)
    expect(await desk.operator('POST', `/webhooks/${id}/test`)).toMatchObject({
      status: 200,
      body: { delivered: true, status: 200 },
    })
    expect(receiver.got.at(-1)?.body).toMatchObject({ type: 'webhook.test', text: expect.stringContaining('test') })
    expect(await desk.operator('POST', '/webhooks/wh_nobody/test')).toMatchObject({ status: 404 })
    expect((await fetch(`${desk.url}/api/v1/webhooks`)).status).toBe(401)
  })

  test('in a private network is told nothing unless that is configured', async () => {
    const receiver = await openReceiver()
    const desk = await openDesk({ settings: { webhooks: [{ url: receiver.url, secret }] } })
    await askForDeletion(desk)
    await eventually(async () =>
      expect((await desk.operator('GET', '/webhooks')).body).toMatchObject({
        webhooks: [{ last_failure: { message: expect.stringContaining('private network') } }],
      }),
    )
    expect(receiver.got).toStrictEqual([])
  })
})
