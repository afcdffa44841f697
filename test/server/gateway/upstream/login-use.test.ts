// A login at a server behind in use: who refreshes it, where its token goes, and what is said where it does not help.
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LoginNeeded } from '../../../../server/gateway/upstream/login/login-need.ts'
import { revokeLogin } from '../../../../server/gateway/upstream/login/refresh.ts'
import { createServerLogin } from '../../../../server/gateway/upstream/login/server-login.ts'
import { withLogin } from '../../../../server/gateway/upstream/login/with-login.ts'
import { remoteServerSchema } from '../../../../server/gateway/upstream/settings/upstream-config.schema.ts'
import { listening, listeningUntil } from '../../../kit/listening.ts'
import { opened, place } from '../../store/store-fixture.ts'
import { startOne, until } from '../servers.ts'
import { logIn, loginIn, needOfToken, protectedServer, wishFor } from './login-scene.ts'

test('of many requests in three processes one refreshes, and all get what it got', async () => {
  const server = await protectedServer()
  const file = join(place(), 'shared.db')
  const stores = [await opened({ file }), await opened({ file }), await opened({ file })] as const
  const login = await logIn(wishFor(server.url))
  await stores[0].logins.put(login)
  const logins = stores.map((store) => loginIn(store, server.url))
  const first = login.tokens?.access
  expect(await Promise.all(logins.map((each) => each.token()))).toEqual([first, first, first])
  const newer = await Promise.all([...logins, ...logins, ...logins].map((each) => each.token(first)))
  expect(new Set(newer).size).toBe(1)
  expect(newer[0]).not.toBe(first)
  expect(server.refreshes).toEqual(['given'])
  // A refresh token that was used once ends the login when it comes again: the newer one was kept.
  expect(await loginIn(stores[2], server.url).token(newer[0])).not.toBe(newer[0])
  expect(server.refreshes).toEqual(['given', 'given'])
})

test('a token is refreshed before its end, and used to its end while nobody can refresh it', async () => {
  const server = await protectedServer({ lasts: 3600 })
  const store = await opened({ file: ':memory:' })
  const login = await logIn(wishFor(server.url))
  await store.logins.put(login)
  const { access = '', since = 0 } = login.tokens ?? {}
  const at = (seconds: number) => loginIn(store, server.url, () => since + seconds * 1000)
  expect(await at(3500).token()).toBe(access)
  const second = await at(3580).token()
  expect(second).not.toBe(access)
  server.close()
  const soon = (await store.logins.find({ server: 'tracker', address: server.url }))?.tokens?.since ?? 0
  const later = (seconds: number) => loginIn(store, server.url, () => soon + seconds * 1000)
  expect(await later(3590).token()).toBe(second)
  expect(await needOfToken(later(3601).token())).toBe('away')
  // It may answer again: the login is still there.
  expect((await store.logins.find({ server: 'tracker', address: server.url }))?.tokens?.refresh).toBeDefined()
})

test('a login that its authorization server has ended is over, until a person has logged in again', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const login = loginIn(store, server.url)
  expect(await login.token()).toBeUndefined()
  await store.logins.put(await logIn(wishFor(server.url)))
  const token = await login.token()
  await server.revoke()
  expect(await needOfToken(login.token(token))).toBe('over')
  const need = await login.token().catch((error: LoginNeeded) => error.need)
  if (typeof need !== 'object') throw new Error('There is a token.')
  expect(await login.isMet(need)).toBe(false)
  await store.logins.put(await logIn(wishFor(server.url)))
  expect(await login.isMet(need)).toBe(true)
  expect(await login.token()).not.toBe(token)
  // Another client than the one that the settings name has no login here.
  const other = createServerLogin({
    store: store.logins,
    key: { server: 'tracker', address: server.url },
    client: { id: 'another' },
    command: () => 'log in',
    now: store.now,
  })
  expect(await other.token()).toBeUndefined()
})

test('logging out ends the tokens at the authorization server', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const login = await logIn(wishFor(server.url))
  await store.logins.put(login)
  expect(await revokeLogin(login)).toBe(true)
  expect(await needOfToken(loginIn(store, server.url).token(login.tokens?.access))).toBe('over')
  server.close()
  expect(await revokeLogin(login)).toBe(false)
})

test('what changes something is sent once whatever its token is worth; what reads is sent again with a newer one', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  await store.logins.put(await logIn(wishFor(server.url)))
  const upstream = await startOne({ url: server.url }, { login: () => loginIn(store, server.url) })
  const call = (tool: string, repeatable: boolean) => upstream.callTool(tool, { id: '1' }, { repeatable })
  expect(await call('write_issue', false)).toMatchObject({ ok: true })
  await server.expire()
  const refused = await call('write_issue', false)
  expect(refused).toMatchObject({ ok: false, failure: { effect: 'not-sent', kind: 'unavailable', retryAfterMs: 0 } })
  expect(await call('write_issue', false)).toMatchObject({ ok: true })
  await server.expire()
  expect(await call('read_issue', true)).toMatchObject({ ok: true })
  expect(server.ran).toEqual(['wrote 1', 'wrote 1', 'read 1'])
  await server.revoke()
  const over = await call('write_issue', false)
  expect(over).toMatchObject({ ok: false, failure: { effect: 'not-sent', kind: 'login', need: { command: 'log in' } } })
  expect(server.ran).toHaveLength(3)
})

test('a login is ended by the way in which its client is known there', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    request.on('data', (body) => asked.push(`${request.headers.authorization ?? 'no header'} ${String(body)}`))
    request.on('end', () => response.writeHead(200).end())
  })
  onTestFinished(() => void server.close())
  const issuer = await listening(server)
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    response_types_supported: ['code'],
    revocation_endpoint: `${issuer}/revoke`,
  }
  const client = { id: 'ours', secret: 'our-secret' }
  const tokens = { access: 'a', since: 1 }
  const login = { server: 'it', address: issuer, at: 1, issuer, metadata, client, privateNetwork: true, tokens }
  expect(await revokeLogin(login)).toBe(true)
  expect(asked).toEqual([expect.stringMatching(/^no header .*client_secret=our-secret/)])
})

test('a call that is refused again with the newer token is told that a login is needed, and is not told to come again', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  await store.logins.put(await logIn(wishFor(server.url)))
  const refusing = createServer((_, response) => void response.writeHead(status).end())
  onTestFinished(() => void refusing.close())
  const address = `${await listening(refusing)}/mcp`
  const { withLogin } = await import('../../../../server/gateway/upstream/login/with-login.ts')
  const send = withLogin(fetch, loginIn(store, server.url), address, () => undefined)
  const call = () =>
    needOfToken(
      send(address, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' }) }),
    )
  let status = 401
  // Two at the same time have both been sent with the older token.
  expect(await Promise.all([call(), call()])).toEqual(['renewed', 'renewed'])
  expect(await call()).toBe('refused')
  expect(await call()).toBe('refused')
  expect(server.refreshes).toEqual(['given'])
  // Whoever runs that server may have put it right; once a call was taken, the next refusal is the first one again.
  status = 200
  expect(await call()).toBe('a token')
  status = 401
  expect(await call()).toBe('renewed')
})

test('a call that is cancelled while its token is refreshed is never sent', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const login = await logIn(wishFor(server.url))
  await store.logins.put(login)
  const own = loginIn(store, server.url)
  let asked = 0
  const token: typeof own.token = (refused) => {
    asked++
    return own.token(refused)
  }
  const upstream = await startOne({ url: server.url }, { login: () => ({ ...own, token }) })
  const { access = '', since = 0, refresh } = login.tokens ?? {}
  await store.logins.put({ ...login, tokens: { access, since, expiresAt: since, refresh } })
  // Another process refreshes it, and takes its time.
  expect(await store.logins.take(login, 'another process', 30_000)).toBe(true)
  const control = new AbortController()
  const before = asked
  const calling = upstream.callTool('write_issue', { id: '1' }, { signal: control.signal })
  await until(() => asked > before)
  control.abort()
  expect(await store.logins.giveBack(login, 'another process')).toBe(true)
  expect(await calling).toMatchObject({ ok: false, failure: { kind: 'cancelled', effect: 'not-sent' } })
  expect(await upstream.callTool('read_issue', { id: '2' })).toMatchObject({ ok: true })
  expect(server.ran).toEqual(['read 2'])
})

test('a token goes to the server that the login is for, and its headers to nobody else', async () => {
  const server = await protectedServer()
  const other = createServer((request, response) => {
    strangers.push(request.headers.authorization ?? 'nothing')
    response.writeHead(401).end()
  })
  const strangers: string[] = []
  onTestFinished(() => void other.close())
  const elsewhere = await listening(other)
  const store = await opened({ file: ':memory:' })
  const config = remoteServerSchema.parse({ url: server.url, headers: { 'x-team': 'a secret of the operator' } })
  await store.logins.put(await logIn(wishFor(server.url, { config })))
  const login = loginIn(store, server.url)
  expect(server.asked.filter((headers) => 'x-team' in headers)).toEqual([])
  const send = withLogin(fetch, login, server.url, () => undefined)
  expect((await send(`${elsewhere}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(strangers).toEqual(['nothing'])
})

test('a server of the old kind (SSE) asks for a login as well', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const upstream = await startOne({ url: server.url, type: 'sse' }, { login: () => loginIn(store, server.url) })
  expect(upstream.state()).toMatchObject({ kind: 'failed', need: { kind: 'none', command: 'log in' } })
})

test('where our database does not answer, nothing is sent and nobody is asked to log in', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const login = loginIn(store, server.url)
  await store.close()
  expect(await needOfToken(login.token())).toBe('away')
})

test('where our database does not answer, a call to a server that waits for a login is told of the login', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const reported: unknown[] = []
  const report = (error: unknown): void => void reported.push(error)
  const upstream = await startOne({ url: server.url }, { login: () => loginIn(store, server.url), report })
  expect(upstream.state()).toMatchObject({ kind: 'failed', need: { kind: 'none' } })
  await store.close()
  expect(await upstream.callTool('read_issue', { id: '1' })).toMatchObject({
    ok: false,
    failure: { need: { kind: 'none' } },
  })
  expect(reported).toEqual([expect.any(Error)])
})

test('a server that refuses every token costs one refresh, however often it is tried, until a person logs in again', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  let asked = 0
  const refusing = createServer((_, response) => {
    asked++
    response.writeHead(401).end()
  })
  onTestFinished(() => void refusing.close())
  const url = `${await listening(refusing)}/mcp`
  const login = { ...(await logIn(wishFor(server.url))), address: url }
  await store.logins.put(login)
  const upstream = await startOne({ url }, { login: () => loginIn(store, url), backoff: { firstMs: 1, maxMs: 2 } })
  await until(() => asked >= 8)
  expect(server.refreshes).toEqual(['given'])
  expect(upstream.state()).toMatchObject({ kind: 'failed', need: { kind: 'refused', command: 'log in' } })
  await store.logins.put({ ...(await logIn(wishFor(server.url))), address: url, at: login.at + 1 })
  await until(() => server.refreshes.length > 1)
  expect(server.refreshes).toEqual(['given', 'given'])
})

test('a server that refuses a good login for a while is tried again', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  let healthy = false
  const front = createServer((request, response) => {
    if (healthy) forward(server.url, request, response)
    else response.writeHead(401).end()
  })
  const url = `${await listeningUntil(onTestFinished, front)}/mcp`
  await store.logins.put({ ...(await logIn(wishFor(server.url))), address: url })
  const upstream = await startOne({ url }, { login: () => loginIn(store, url) })
  expect(upstream.state()).toMatchObject({ kind: 'failed', need: { kind: 'refused' } })
  healthy = true
  await until(() => upstream.state().kind === 'ready')
  expect(await upstream.callTool('read_issue', { id: '1' })).toMatchObject({ ok: true })
})

function forward(url: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request
  const through = ask(url, { method, headers: { ...headers, host: new URL(url).host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response)
  })
  request.pipe(through)
}
