// Nothing of one tenant is visible to another: in no list, filter, count, look-up or error, through no door. Each question
// is put to two servers, one where the other tenant has everything and one where it never existed; the answers must be
// the same. So that the questions are worth something, each that can tell is also asked by the tenant itself.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ReadResponse } from '../../kit/read-response.ts'
import {
  canary,
  comparable,
  connect,
  furnish,
  openWorld,
  plain,
  soon,
  type Belongings,
  type World,
} from './isolation-worlds.ts'

type Ask = (path: string, body?: unknown) => Question
interface Question {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The tenant itself gets another answer on the two servers: there is something to tell. */
  readonly tells: boolean
}

const ask =
  (method: string, tells: boolean): Ask =>
  (path, body) => ({ method, path, tells, ...(body === undefined ? {} : { body }) })
const list = ask('GET', true)
const get = ask('GET', false)
const post = ask('POST', false)

/** Why a route is no question: it tells everybody the same, or has its own test below. */
type Why = { readonly why: string }

/** Every route with what an admin of another tenant asks there, about things of the tenant `canary`. */
const table: Readonly<Record<string, ((has: Belongings) => readonly Question[]) | Why>> = {
  'GET /healthz': { why: 'one word' },
  'GET /readyz': { why: 'the state of the process' },
  'GET /metrics': () => [get('/metrics')],
  'POST /mcp': { why: 'asked through a client below' },
  'GET /mcp': { why: 'a stream of the protocol, which carries no data of ours' },
  'DELETE /mcp': { why: 'sessions are not kept' },
  'POST /api/v1/tools/:tool': { why: 'asked by an agent below' },
  'GET /api/v1/cheatsheets/:name': { why: "the operator's texts, the same for everybody" },
  'GET /admin': { why: 'one page for everybody; what is on it comes from here' },
  'GET /admin/*': { why: 'the same page' },
  'GET /admin/assets/*': { why: 'files of the build' },
  'GET /api/v1/session': () => [get('/api/v1/session')],
  'POST /api/v1/session': () => [
    post('/api/v1/session', { name: `${canary} Ann`, password: 'wrong and long enough' }),
    post('/api/v1/session', { name: `${canary} Nobody`, password: 'wrong and long enough' }),
  ],
  'POST /api/v1/session/token': { why: 'the admin token is of all tenants' },
  'POST /api/v1/session/link': { why: 'as the admin token' },
  'GET /api/v1/session/link/proof': { why: 'as the admin token' },
  'DELETE /api/v1/session/others': { why: 'sessions of the admin token, which is of all tenants' },
  'DELETE /api/v1/session': { why: 'ends the own session; asked last' },
  'GET /api/v1/activity': () => [
    list('/api/v1/activity'),
    list(`/api/v1/activity?tenant=${canary}`),
    get(`/api/v1/activity?tenant=bolt,${canary}`),
    list('/api/v1/activity?tool=things_drop'),
    list('/api/v1/activity?status=awaiting_approval'),
    list('/api/v1/activity?limit=1'),
  ],
  'GET /api/v1/activity/export': () => [
    list('/api/v1/activity/export'),
    list('/api/v1/activity/export?format=csv'),
    list(`/api/v1/activity/export?tenant=${canary}`),
  ],
  'GET /api/v1/activity/stream': { why: 'listened to below' },
  'GET /api/v1/activity/histogram': () => [get(`/api/v1/activity/histogram?tenant=${canary}`)],
  'GET /api/v1/activity/chain': () => [get('/api/v1/activity/chain'), list(`/api/v1/activity/chain?tenant=${canary}`)],
  'GET /api/v1/activity/:id/story': ({ call, plan, approval }) =>
    [call, plan, approval].map((id) => list(`/api/v1/activity/${id}/story`)),
  'GET /api/v1/activity/:id': ({ call, plan, approval }) =>
    [call, plan, approval].map((id) => list(`/api/v1/activity/${id}`)),
  'GET /api/v1/insights': () => [list('/api/v1/insights'), list(`/api/v1/insights?tenant=${canary}`)],
  'GET /api/v1/approvals/events': { why: 'listened to below' },
  'GET /api/v1/approvals': ({ approval }) => [
    list('/api/v1/approvals'),
    list('/api/v1/approvals?state=pending'),
    list(`/api/v1/approvals?tenant=${canary}`),
    get(`/api/v1/approvals?before=${approval}`),
  ],
  'GET /api/v1/approvals/:id': ({ approval, decided }) =>
    [approval, decided].map((id) => list(`/api/v1/approvals/${id}`)),
  'POST /api/v1/approvals/:id/approve': ({ approval, decided }) => [
    post(`/api/v1/approvals/${approval}/approve`, {}),
    post(`/api/v1/approvals/${decided}/approve`, {}),
    post(`/api/v1/approvals/${approval}/approve`, { code: '123456' }),
  ],
  'POST /api/v1/approvals/:id/reject': ({ approval, decided }) => [
    post(`/api/v1/approvals/${approval}/reject`, { reason: 'because of that' }),
    post(`/api/v1/approvals/${decided}/reject`, { reason: 'because of that' }),
  ],
  'GET /api/v1/approvals/:id/grant-proposal': ({ approval, decided }) =>
    [approval, decided].map((id) => get(`/api/v1/approvals/${id}/grant-proposal`)),
  'GET /api/v1/approvals/:id/lists/:list': ({ approval, decided }) =>
    [approval, decided].map((id) => get(`/api/v1/approvals/${id}/lists/recipients`)),
  'GET /api/v1/grants': ({ grant }) => [
    list('/api/v1/grants'),
    list(`/api/v1/grants?tenant=${canary}`),
    list('/api/v1/grants?state=active&tool=things_change'),
    get(`/api/v1/grants?before=${grant}`),
  ],
  'GET /api/v1/grants/tools': () => [get('/api/v1/grants/tools')],
  'GET /api/v1/grants/:id': ({ grant }) => [list(`/api/v1/grants/${grant}`)],
  'POST /api/v1/grants': ({ decided }) => {
    const terms = { tool: 'things_change', condition: 'true', times: 1, until: '7d' }
    return [
      post('/api/v1/grants', { ...terms, tenant: canary }),
      post('/api/v1/grants', { ...terms, tenant: canary, check_only: true }),
      post('/api/v1/grants', { ...terms, approval_id: decided }),
      post('/api/v1/grants', { ...terms, approval_id: decided, check_only: true }),
    ]
  },
  'POST /api/v1/grants/:id/renew': ({ grant }) => [post(`/api/v1/grants/${grant}/renew`, {})],
  'DELETE /api/v1/grants/:id': ({ grant }) => [ask('DELETE', false)(`/api/v1/grants/${grant}`)],
  'GET /api/v1/contracts': () => [get('/api/v1/contracts')],
  'GET /api/v1/contracts/:name': () => [list('/api/v1/contracts/things_look')],
  'GET /api/v1/definitions': () => [get('/api/v1/definitions')],
  'POST /api/v1/definitions/:server/:tool/accept': () => [
    post('/api/v1/definitions/files/read/accept', { digest: '0'.repeat(64) }),
  ],
  'GET /api/v1/settings': () => [list('/api/v1/settings'), list(`/api/v1/settings?tenant=${canary}`)],
  'GET /api/v1/feedback': ({ feedback }) => [
    list('/api/v1/feedback'),
    list(`/api/v1/feedback?tenant=${canary}`),
    list('/api/v1/feedback?severity=high'),
    get(`/api/v1/feedback?before=${feedback}`),
  ],
  'GET /api/v1/feedback/groups': () => [
    list('/api/v1/feedback/groups'),
    list(`/api/v1/feedback/groups?tenant=${canary}`),
  ],
  'GET /api/v1/feedback/:id': ({ feedback }) => [list(`/api/v1/feedback/${feedback}`)],
  'PATCH /api/v1/feedback/:id': ({ feedback }) => [
    ask('PATCH', false)(`/api/v1/feedback/${feedback}`, { state: 'done' }),
  ],
  'POST /api/v1/feedback/:id': ({ feedback }) => [post(`/api/v1/feedback/${feedback}`, { note: 'mine' })],
  'GET /api/v1/accounts': () => [list('/api/v1/accounts')],
  'GET /api/v1/delegations': () => [list('/api/v1/delegations')],
  'POST /api/v1/delegations': () => [
    post('/api/v1/delegations', { to: `${canary} Al`, until: soon }),
    post('/api/v1/delegations', { from: `${canary} Ann`, to: 'Bea', until: soon }),
  ],
  'DELETE /api/v1/delegations/:id': ({ delegation }) => [ask('DELETE', false)(`/api/v1/delegations/${delegation}`)],
  'GET /api/v1/tokens': () => [list('/api/v1/tokens'), list(`/api/v1/tokens?tenant=${canary}`)],
  'POST /api/v1/tokens': () => [post('/api/v1/tokens', { tenant: canary, subject: 'mine' })],
  'DELETE /api/v1/tokens/:id': ({ token }) => [ask('DELETE', false)(`/api/v1/tokens/${token}`)],
  'GET /api/v1/freeze': () => [list('/api/v1/freeze')],
  'POST /api/v1/freeze': () => [post('/api/v1/freeze', { tenant: canary, reason: 'because of that' })],
  'POST /api/v1/unfreeze': () => [post('/api/v1/unfreeze', { tenant: canary }), post('/api/v1/unfreeze', {})],
  'GET /api/v1/grace': () => [list('/api/v1/grace')],
  'GET /api/v1/webhooks': () => [list('/api/v1/webhooks'), list(`/api/v1/webhooks?tenant=${canary}`)],
  'POST /api/v1/webhooks/:id/test': ({ webhook }) => [post(`/api/v1/webhooks/${webhook}/test`, {})],
}

/** The server on which the tenant has everything. */
async function openFull() {
  const full = await openWorld(true)
  return { full, ...(await furnish(full.desk)) }
}

const openBoth = async () => ({ ...(await openFull()), bare: await openWorld(false) })

/** Some answers are written down a moment after they are given. */
const settled = (world: World): Promise<void> =>
  expect
    .poll(async () => (await world.desk.records.activity.page({ filter: { statuses: ['open'] }, limit: 1 })).calls)
    .toEqual([])
    .then(() => undefined)

test('every route of a server stands in the table', async () => {
  const { desk } = await openWorld(false)
  const routes = desk.web.routes.filter((route) => !route.startsWith('ALL '))
  expect(routes.toSorted()).toEqual(Object.keys(table).toSorted())
})

describe('an admin of another tenant', () => {
  test('hears the same, whether or not the tenant is there', async () => {
    const { full, bare, has, owner } = await openBoth()
    await settled(full)
    await settled(bare)
    const kept = await photograph(full)
    const frozen = Object.entries(table).filter(([route]) => route.includes('freeze'))
    const others = Object.entries(table).filter(([route]) => !route.includes('freeze'))
    for (const [route, questions] of [...others, ...frozen]) {
      if (typeof questions !== 'function') continue
      if (route === frozen[0]?.[0]) {
        await settled(full)
        expect(await photograph(full)).toEqual(kept)
        // A freeze rejects what waits, so it comes last.
        await full.desk.records.switches.freeze({ tenant: canary, reason: `${canary} is frozen`, by: canary })
      }
      for (const { method, path, body, tells } of questions(has)) {
        const at = `${route}: ${method} ${path} ${JSON.stringify(body ?? '')}`
        const [there, gone] = [await full.admin.send(method, path, body), await bare.admin.send(method, path, body)]
        expect.soft(comparable(there, full.desk.web.url), at).toEqual(comparable(gone, bare.desk.web.url))
        // What was asked for comes back in some refusals; beyond that nothing of the tenant's own.
        const asked = `${path} ${JSON.stringify(body ?? '')}`
        if (!asked.includes(canary)) expect.soft(there.text, at).not.toContain(canary)
        if (tells) {
          const own = comparable(await owner.send(method, path, body), full.desk.web.url)
          expect.soft(own.status, `${at}, asked by the tenant itself`).toBe(200)
          expect.soft(own, `${at}, asked by the tenant itself`).not.toEqual(comparable(there, full.desk.web.url))
        }
      }
    }
    expect(await full.desk.records.switches.list()).toMatchObject([{ tenant: canary, by: canary }])
  })

  test('hears nothing in a stream', async () => {
    const { full, agent } = await openFull()
    const approvals = await listen(full, '/api/v1/approvals/events')
    const calls = await listen(full, '/api/v1/activity/stream')
    await expect.poll(approvals.heard).toContain('"pending":0')
    const before = approvals.heard()
    await full.desk.call('things_drop', { id: `${canary} once more` }, agent)
    await full.desk.call('things_drop', { id: 'of bolt' }, full.agent)
    await expect.poll(calls.heard).toContain('"tool":"things_drop"')
    await expect.poll(approvals.heard).toContain('"pending":1')
    expect(calls.heard()).not.toContain(canary)
    expect(
      approvals
        .heard()
        .slice(before.length)
        .match(/"pending"/g),
    ).toHaveLength(1)
  })
})

describe('an agent of another tenant', () => {
  /** What an agent tries with what it should not know, over REST. */
  const calls = (has: Belongings): readonly (readonly [tool: string, args: object])[] => [
    ['things_look', { id: `${canary} thing` }],
    ...[has.plan, has.ticket, has.approval, has.decided].flatMap((ticket): [string, object][] => [
      ['things_change', { id: `${canary} thing`, ticket, preview: false }],
      ['things_drop', { id: `${canary} thing`, ticket, preview: false }],
      ['things_drop', { id: 'another', ticket, preview: false }],
      ['apply_plan', { tool: 'things_change', title: 'x', ticket, preview: false }],
      ['apply_plan', { tool: 'things_drop', title: 'x', ticket, preview: false }],
    ]),
    ['things_change', { id: `${canary} thing 3` }],
    ['nothing_like_it', { id: '1' }],
  ]

  test('hears the same over REST, whether or not the tenant is there', async () => {
    const { full, bare, has, agent } = await openBoth()
    for (const [tool, args] of calls(has)) {
      const at = `${tool} ${JSON.stringify(args)}`
      const [there, gone] = [await full.desk.call(tool, args, full.agent), await bare.desk.call(tool, args, bare.agent)]
      expect.soft(comparable(there, full.desk.web.url), at).toEqual(comparable(gone, bare.desk.web.url))
    }
    expect(full.desk.done).toEqual([`dropped ${canary} thing 4`])
    // The tenant's own agent is told of each of them.
    for (const ticket of [has.plan, has.approval]) {
      const own = await full.desk.call('things_drop', { id: `${canary} thing`, ticket, preview: false }, agent)
      expect(own.text).not.toContain('unknown plan')
      expect(own.status).not.toBe(404)
    }
  })

  test('hears the same over MCP: tools, resources, calls, and the tools of the card', async () => {
    const { full, bare, has } = await openBoth()
    const [there, gone] = [await connect(full.desk, full.agent), await connect(bare.desk, bare.agent)]
    const both = async (what: string, work: (client: typeof there) => Promise<unknown>) => {
      const said = async (client: typeof there, { desk }: World) =>
        plain(
          JSON.stringify(await work(client).catch((error: unknown) => ({ error: String(error) }))),
          desk.web.url,
        ).replaceAll(/"(?:ticket|value)":"[^"]*"/g, '')
      expect.soft(await said(there, full), what).toBe(await said(gone, bare))
    }
    await both('tools', (client) => client.listTools())
    await both('resources', (client) => client.listResources())
    for (const { uri } of (await there.listResources()).resources)
      await both(uri, (client) => client.readResource({ uri }))
    for (const name of ['countersign_plan_status', 'countersign_plan_confirm', 'countersign_plan_cancel'])
      for (const ticket of [has.ticket, `cs1_${'0'.repeat(26)}`])
        await both(`${name} ${ticket}`, (client) => client.callTool({ name, arguments: { ticket } }))
    const rationale = 'The person asked for this.'
    for (const [name, args] of calls(has))
      await both(`${name} ${JSON.stringify(args)}`, (client) =>
        client.callTool({ name, arguments: { rationale, ...args } }),
      )
    const plan = await full.desk.records.plans.find({ by: 'id', id: has.plan })
    expect(plan?.click).toBeUndefined()
  })

  test('cannot take up a session of the tenant', async () => {
    const { full, has } = await openFull()
    const ask = (session: string, authorization: string) =>
      full.desk.send('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
        headers: { authorization, accept: 'application/json, text/event-stream', 'mcp-session-id': session },
      })
    const [theirs, garbage] = [await ask(has.session, full.agent), await ask('garbage', full.agent)]
    expect(theirs.status).toBe(404)
    expect(theirs.text).toBe(garbage.text)
  })

  test('gets nothing at the doors of operators', async () => {
    const { full, has } = await openFull()
    const answers = new Set<string>()
    for (const [route, questions] of Object.entries(table)) {
      if (typeof questions !== 'function' || !route.includes('/api/v1/') || route.includes('/session')) continue
      for (const { method, path, body } of questions(has)) {
        const headers = { authorization: full.agent }
        const told: ReadResponse = await full.desk.send(method, path, {
          ...(body === undefined ? {} : { body }),
          headers,
        })
        expect.soft(told.status, `${method} ${path}`).toBe(401)
        answers.add(told.text)
      }
    }
    expect(answers.size).toBe(1)
  })
})

/** What the tenant has, as it stands in the database. */
async function photograph({ desk: { records } }: World): Promise<unknown> {
  const approvals = await records.approvals.list({ tenant: canary, limit: 50 })
  const { calls } = await records.activity.page({ filter: { tenants: [canary] }, limit: 500 })
  return {
    approvals: approvals.map(({ id, state }) => [id, state]),
    feedback: (await records.feedback.list({ tenant: canary, limit: 50 })).map(({ id, state, note }) => [
      id,
      state,
      note,
    ]),
    grants: (await records.grants.list({ tenant: canary, limit: 50 })).map(({ id, revoked }) => [id, revoked]),
    tokens: (await records.access.tokens.list(canary)).map(({ id, state }) => [id, state]),
    delegations: (await records.operators.delegations.list()).map(({ id }) => id),
    // Who tries somebody's password stands in their record.
    calls: calls.filter(({ tool }) => !tool.startsWith('operator.')).length,
  }
}

/** Listens to a stream as the admin of the other tenant. */
async function listen({ desk, admin }: World, path: string): Promise<{ readonly heard: () => string }> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const response = await fetch(`${desk.web.url}${path}`, { headers: admin.headers, signal: stop.signal })
  expect(response.status).toBe(200)
  let heard = ''
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += chunk
  }
  read().catch(() => undefined)
  return { heard: () => heard }
}
