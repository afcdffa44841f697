// Tokens of callers: made by operators, shown once, good until they end, and never more than they say.
import { describe, expect, test } from 'vitest'
import { createTokenAccess } from '../../../../server/http/auth/bearer.ts'
import { openStore } from '../../../../server/store/store.ts'
import { everything } from '../../../postgres.ts'
import { createClock, DAY, MINUTE } from '../../../kit/clock.ts'
import { opened } from '../../store/store-fixture.ts'
import { mcpClient } from '../../../kit/mcp-client.ts'
import { openDesk, why, type Desk } from './serve-protected.ts'

const tokens = { access: { mode: 'tokens' } } as const

const make = async (desk: Desk, more: object = {}) => {
  const told = await desk.admin('POST', '/api/v1/tokens', { subject: 'bot', permissions: ['things:read'], ...more })
  expect(told.status).toBe(201)
  return { id: String(told.body['id']), bearer: `Bearer ${String(told.body['token'])}`, told }
}

describe('a server that asks for tokens', () => {
  test('lets nobody in without one, and says how to get one', async () => {
    const desk = await openDesk(tokens)
    for (const authorization of [
      '',
      'Basic YTpi',
      'Bearer',
      'Bearer two words',
      'Bearer cst_',
      `Bearer cst_${'a'.repeat(43)}`,
    ]) {
      const told = await desk.call('things_look', { id: '1' }, authorization)
      expect(told.status).toBe(401)
      expect(told.headers.get('www-authenticate')).toMatch(/^Bearer realm="countersign"/)
      expect(told.text).toContain('countersign token create')
    }
    expect((await desk.call('things_look', { id: '1' })).headers.get('www-authenticate')).not.toContain('error=')
    expect((await desk.call('things_look', { id: '1' }, 'Bearer x')).headers.get('www-authenticate')).toContain(
      'error="invalid_token"',
    )
    const mcp = await desk.send('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
    expect(mcp).toMatchObject({ status: 401, body: { jsonrpc: '2.0', error: { data: { code: 'token-missing' } } } })
    expect(JSON.stringify(mcp.body).match(/countersign token create/g)).toHaveLength(1)
    expect((await desk.send('GET', '/mcp')).status).toBe(401)
    expect((await desk.send('DELETE', '/mcp')).status).toBe(401)
  })

  test('tells a wrong token nothing of an expired or revoked one', async () => {
    const desk = await openDesk(tokens)
    const { id, bearer } = await make(desk)
    expect((await desk.call('things_read', { id: '1' }, bearer)).status).toBe(200)
    expect(await desk.admin('DELETE', `/api/v1/tokens/${id}`)).toMatchObject({ status: 200, body: { revoked: true } })
    const [revoked, unknown] = [
      await desk.call('things_read', { id: '1' }, bearer),
      await desk.call('things_read', { id: '1' }, `Bearer cst_${'a'.repeat(43)}`),
    ]
    expect(revoked.text).toBe(unknown.text)
    expect((await desk.admin('DELETE', `/api/v1/tokens/${id}`)).status).toBe(404)
  })

  test('knows who calls, over REST and over MCP', async () => {
    const desk = await openDesk(tokens)
    const { bearer } = await make(desk, { tenant: 'acme', subject: 'robot' })
    await desk.call('things_read', { id: '1' }, bearer)
    const client = await mcpClient(desk.web.mcpUrl, bearer)
    await client.callTool({ name: 'things_read', arguments: { id: '2', rationale: why } })
    const { calls } = await desk.records.activity.page({ filter: { tenants: ['acme'] }, limit: 10 })
    expect(calls.map(({ subject, source }) => `${subject} ${source}`)).toEqual([
      'robot mcp',
      'robot rest',
      'admin operator',
    ])
  })

  test('does not take a session of one caller from another', async () => {
    const desk = await openDesk(tokens)
    const [ada, bob] = [await make(desk, { subject: 'ada' }), await make(desk, { subject: 'bob' })]
    const headers = { accept: 'application/json, text/event-stream' }
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }
    const session = (
      await desk.send('POST', '/mcp', { body: initialize, headers: { ...headers, authorization: ada.bearer } })
    ).headers.get('mcp-session-id')
    expect(session).not.toBeNull()
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const asked = async (authorization: string) =>
      (
        await desk.send('POST', '/mcp', {
          body: ping,
          headers: { ...headers, authorization, 'mcp-session-id': session ?? '' },
        })
      ).status
    expect(await asked(ada.bearer)).toBe(200)
    expect(await asked(bob.bearer)).toBe(404)
  })
})

describe('a token', () => {
  test('is in one answer and nowhere else: not in a list, not in the database, not in the record', async () => {
    const desk = await openDesk(tokens)
    const { told, bearer } = await make(desk, { label: 'for CI' })
    const token = bearer.slice(7)
    expect(token).toMatch(/^cst_[\w-]{43}$/)
    await desk.call('things_read', { id: '1' }, bearer)
    const list = await desk.admin('GET', '/api/v1/tokens')
    expect(list.body).toMatchObject({
      tokens: [{ id: told.body['id'], label: 'for CI', state: 'active', permissions: ['things:read'] }],
    })
    expect(list.text).not.toContain(token.slice(4))
    expect(await everything(desk.file)).not.toContain(token.slice(4))
  })

  test('is known to have been used, to the minute', async () => {
    const clock = createClock()
    const { access } = await opened({ file: ':memory:', now: clock.now })
    const { token, record } = await access.tokens.create({ tenant: 't', subject: 's', permissions: [], by: 'ada' })
    expect(record.usedAt).toBeUndefined()
    const used = async () => (await access.tokens.find(record.id))?.usedAt
    await access.tokens.check(token)
    const first = clock.now()
    expect(await used()).toBe(first)
    clock.pass(MINUTE - 1)
    await access.tokens.check(token)
    expect(await used()).toBe(first)
    clock.pass(1)
    await access.tokens.check(token)
    expect(await used()).toBe(first + MINUTE)
  })

  test('ends when it says', async () => {
    const clock = createClock()
    const { access } = await opened({ file: ':memory:', now: clock.now })
    const expiresAt = clock.now() + DAY
    const { token } = await access.tokens.create({ tenant: 't', subject: 's', permissions: [], expiresAt, by: 'ada' })
    clock.pass(DAY - 1)
    expect(await access.tokens.check(token)).toMatchObject({ subject: 's', state: 'active' })
    clock.pass(1)
    expect(await access.tokens.check(token)).toBeUndefined()
    expect(await access.tokens.list()).toMatchObject([{ state: 'expired' }])
  })

  test.each([
    ['no subject', {}, 'subject'],
    ['a permission with a blank', { subject: 's', permissions: ['a b'] }, 'permissions'],
    ['a moment that is over', { subject: 's', expires: '2020-01-01' }, 'expires'],
    ['a time that is none', { subject: 's', expires: 'soon' }, 'expires'],
    ['the tenant of the operators', { subject: 's', tenant: '(operators)' }, 'tenant'],
    ['a name with a line break', { subject: 'a\nb' }, 'subject'],
    ['a word that nobody knows', { subject: 's', premissions: [] }, 'premissions'],
  ])('is not made with %s', async (_, body, field) => {
    const desk = await openDesk(tokens)
    const told = await desk.admin('POST', '/api/v1/tokens', body)
    expect(told.status).toBe(400)
    expect(told.text).toContain(field)
    expect(await desk.records.access.tokens.list()).toEqual([])
  })

  test('is made and revoked by operators only', async () => {
    const desk = await openDesk(tokens)
    const { bearer } = await make(desk, { permissions: ['*'] })
    for (const [method, path] of [
      ['GET', '/api/v1/tokens'],
      ['POST', '/api/v1/tokens'],
      ['DELETE', '/api/v1/tokens/tk_1'],
    ] as const)
      expect((await desk.send(method, path, { headers: { authorization: bearer } })).status).toBe(401)
  })
})

describe('permissions', () => {
  test('that are missing fail the preview, and are named', async () => {
    const desk = await openDesk(tokens)
    const { bearer } = await make(desk)
    const told = await desk.call('things_change', { id: '1' }, bearer)
    expect(told).toMatchObject({
      status: 403,
      body: { status: 'refused', missing_permissions: ['things:write'], error: { code: 'permission_denied' } },
    })
    expect(told.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="things:write"')
    expect((await desk.call('things_read', { id: '1' }, bearer)).status).toBe(200)
    expect((await desk.call('things_look', { id: '1' }, bearer)).status).toBe(200)
  })

  test('are asked for again when it is applied: a plan is no permission', async () => {
    const desk = await openDesk(tokens)
    const writer = await make(desk, { permissions: ['things:write'] })
    const previewed = await desk.call('things_change', { id: '1' }, writer.bearer)
    const apply = { id: '1', ticket: previewed.body['plan_id'], preview: false }
    // The same person, with another token.
    const reader = await make(desk)
    expect((await desk.call('things_change', apply, reader.bearer)).body).toMatchObject({
      missing_permissions: ['things:write'],
    })
    expect(desk.done).toEqual([])
    expect((await desk.call('things_change', apply, writer.bearer)).body).toMatchObject({ status: 'applied' })
    expect((await desk.call('things_change', apply, reader.bearer)).status).toBe(403)
    expect(desk.done).toEqual(['changed 1'])
  })

  test('* is everything, and none is what takes none', async () => {
    const desk = await openDesk(tokens)
    const all = await make(desk, { permissions: ['*'] })
    const none = await make(desk, { permissions: [] })
    expect((await desk.call('things_change', { id: '1' }, all.bearer)).status).toBe(200)
    expect((await desk.call('things_read', { id: '1' }, none.bearer)).status).toBe(403)
    expect((await desk.call('things_look', { id: '1' }, none.bearer)).status).toBe(200)
  })

  const waiting = async (desk: Desk, bearer: string): Promise<string> => {
    const told = await desk.call('things_drop', { id: '1' }, bearer)
    expect(told.status).toBe(202)
    return String(told.body['approval_id'])
  }

  test('of an approved call are those that its caller still has', async () => {
    const desk = await openDesk(tokens)
    const { bearer } = await make(desk, { permissions: ['things:drop'] })
    const approval = await waiting(desk, bearer)
    await desk.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
    await expect.poll(() => desk.done).toEqual(['dropped 1'])
  })

  test('of an approved call are gone with the last token of its caller', async () => {
    const desk = await openDesk(tokens)
    const { id, bearer } = await make(desk, { permissions: ['things:drop'] })
    const approval = await waiting(desk, bearer)
    await desk.admin('DELETE', `/api/v1/tokens/${id}`)
    const decided = await desk.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
    expect(decided.text).toContain('a credential of the caller that is still valid')
    expect(desk.done).toEqual([])
    // A new token of the same caller brings what is needed; the approval has not been lost.
    const again = await make(desk, { permissions: ['things:drop'] })
    const told = await desk.call('things_drop', { id: '1', ticket: approval, preview: false }, again.bearer)
    expect(told.body).toMatchObject({ status: 'applied' })
    expect(desk.done).toEqual(['dropped 1'])
  })

  test('of an approved call are the same in every process', async () => {
    const one = await openDesk(tokens)
    const { id, bearer } = await make(one, { permissions: ['things:drop'] })
    const approval = await waiting(one, bearer)
    await one.admin('DELETE', `/api/v1/tokens/${id}`)
    // Another process on the same database, which asks nobody who they are.
    const other = await openDesk({}, { store: one.place })
    const decided = await other.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
    expect(decided.text).toContain('a credential of the caller that is still valid')
    const refused = async () => {
      const { calls } = await one.records.activity.page({ filter: { approvals: [approval] }, limit: 20 })
      return calls.filter(({ source, status }) => source === 'approval' && status === 'refused').length
    }
    // Each of them has tried once.
    await expect.poll(refused).toBe(2)
    expect([...one.done, ...other.done]).toEqual([])
  })

  test('of an approved call are asked for by name', async () => {
    const desk = await openDesk(tokens)
    const { id, bearer } = await make(desk, { permissions: ['things:drop'] })
    const approval = await waiting(desk, bearer)
    await make(desk, { permissions: ['things:read'] })
    await desk.admin('DELETE', `/api/v1/tokens/${id}`)
    const decided = await desk.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
    expect(decided.text).toContain('things:drop')
    expect(desk.done).toEqual([])
  })

  test('are checked by the server beside its own check', async () => {
    const desk = await openDesk(tokens, {
      missingPermissions: (_, asked) => asked.filter((one) => one === 'things:read'),
    })
    const { bearer } = await make(desk, { permissions: ['*'] })
    expect((await desk.call('things_read', { id: '1' }, bearer)).body).toMatchObject({
      missing_permissions: ['things:read'],
    })
  })
})

test('where tokens cannot be checked nobody gets in, and nobody is told that theirs are bad', async () => {
  const opening = await openStore({ file: ':memory:' })
  if (!opening.ok) throw new Error(opening.failure.message)
  const { access } = opening.value
  const { token } = await access.tokens.create({ tenant: 't', subject: 's', permissions: [], by: 'ada' })
  await opening.value.close()
  const reported: string[] = []
  const identify = createTokenAccess({ tokens: access.tokens, report: (_, where) => reported.push(where) })
  const request = new Request('http://desk.example/mcp', { headers: { authorization: `Bearer ${token}` } })
  expect(await identify(request)).toMatchObject({ ok: false, failure: { status: 503, code: 'tokens-unavailable' } })
  expect(reported).toEqual(['checking a token'])
})

describe('what is known of a principal who is not connected', () => {
  const who = { tenant: 't', subject: 's' }

  test('is everything for one who never brought a credential', async () => {
    const { access } = await opened({ file: ':memory:' })
    expect(await access.permissionsOf(who)).toBe('all')
  })

  test('is what all of their live tokens say together', async () => {
    const { access } = await opened({ file: ':memory:' })
    const make = (permissions: readonly string[], subject = 's') =>
      access.tokens.create({ tenant: 't', subject, permissions, by: 'ada' })
    const [first] = [await make(['a']), await make(['b', 'a']), await make(['c'], 'other')]
    expect(await access.permissionsOf(who)).toEqual(['a', 'b'])
    await access.tokens.revoke(first.record.id, 'ada')
    expect(await access.permissionsOf(who)).toEqual(['b', 'a'])
  })

  test('is what an authorization server vouched for last, until it ends', async () => {
    const clock = createClock()
    const { access } = await opened({ file: ':memory:', now: clock.now })
    await access.note(who, ['a'], clock.now() + MINUTE)
    await access.note(who, ['b'], clock.now() + 2 * MINUTE)
    expect(await access.permissionsOf(who)).toEqual(['b'])
    clock.pass(2 * MINUTE)
    expect(await access.permissionsOf(who)).toBeUndefined()
    expect(await access.permissionsOf({ ...who, tenant: 'other' })).toBe('all')
  })
})
