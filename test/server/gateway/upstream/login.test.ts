// A login at a server behind, without the terminal: what the flow is held to, who refreshes, and where a token goes. The
// authorization server is a real one, except where it lies.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beginLogin, type LoginWish } from '../../../../server/gateway/upstream/login/begin-login.ts'
import { guardedFetch } from '../../../../server/gateway/upstream/login/guarded-fetch.ts'
import { plainScopes, type LoginNeeded } from '../../../../server/gateway/upstream/login/login-need.ts'
import { revokeLogin } from '../../../../server/gateway/upstream/login/refresh.ts'
import { createServerLogin } from '../../../../server/gateway/upstream/login/server-login.ts'
import { remoteServerSchema } from '../../../../server/gateway/upstream/settings/upstream-config.schema.ts'
import type { Login } from '../../../../server/model/logins.ts'
import type { Store } from '../../../../server/store/store.ts'
import { listening } from '../../../kit/listening.ts'
import { startProtectedServer } from '../../../kit/protected-server.ts'
import { openWanderer } from '../../http/auth/openid-provider.ts'
import { opened, place } from '../../store/store-fixture.ts'
import { startOne } from '../servers.ts'

type Options = Parameters<typeof startProtectedServer>[0]

async function protectedServer(options: Options = {}) {
  const server = await startProtectedServer(options)
  onTestFinished(() => server.close())
  return server
}

const wishFor = (url: string, more: Partial<LoginWish> & { readonly oauth?: object } = {}): LoginWish => {
  const { oauth, ...rest } = more
  return {
    server: 'tracker',
    address: url,
    config: remoteServerSchema.parse({ url, ...(oauth === undefined ? {} : { oauth }) }),
    redirectUrl: 'http://127.0.0.1:9/callback',
    state: 'the state of this test',
    privateNetwork: true,
    now: Date.now,
    ...rest,
  }
}

/** Why a login cannot begin, or be finished with this answer of the browser. */
async function whyNot(wish: LoginWish, change: (answer: URLSearchParams) => void = () => undefined): Promise<string> {
  const begun = await beginLogin(wish)
  if (!begun.ok) return begun.failure.message
  const back = await openWanderer().passProvider(begun.value.address.href, 'ada', ({ port }) => port === '9')
  change(back.searchParams)
  const ended = await begun.value.finish(back.searchParams)
  return ended.ok ? 'logged in' : ended.failure.message
}

/** Logs in as a person does. */
async function logIn(wish: LoginWish): Promise<Login> {
  const begun = await beginLogin(wish)
  if (!begun.ok) throw new Error(begun.failure.message)
  const { address, isOurs, finish } = begun.value
  const { searchParams } = await openWanderer().passProvider(address.href, 'ada', ({ port }) => port === '9')
  expect(isOurs(searchParams)).toBe(true)
  const login = await finish(searchParams)
  if (!login.ok) throw new Error(login.failure.message)
  return login.value
}

const loginIn = (store: Store, url: string, now: () => number = store.now) =>
  createServerLogin({ store: store.logins, key: { server: 'tracker', address: url }, command: () => 'log in', now })

const needOfToken = (asked: Promise<unknown>) =>
  asked.then(
    () => 'a token',
    (error: LoginNeeded) => error.need.kind,
  )

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
    clientId: 'another',
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
  const { withLogin } = await import('../../../../server/gateway/upstream/login/with-login.ts')
  const send = withLogin(fetch, login, server.url, () => undefined)
  expect((await send(`${elsewhere}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(strangers).toEqual(['nothing'])
})

test('a client that is registered beforehand is used as it is, and none is registered where the server forbids it', async () => {
  const client = { client_id: 'ours', client_secret: 'our-secret', redirect_uris: ['http://127.0.0.1:9/callback'] }
  const grants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] }
  const server = await protectedServer({
    registers: false,
    clients: [{ ...client, ...grants, application_type: 'native', scope: 'issues:read offline_access' }],
  })
  expect(await whyNot(wishFor(server.url))).toContain('registers no clients by itself')
  const login = await logIn(wishFor(server.url, { client: { id: 'ours', secret: 'our-secret' } }))
  expect(login.client).toEqual({ id: 'ours', secret: 'our-secret' })
  const store = await opened({ file: ':memory:' })
  await store.logins.put(login)
  expect(await loginIn(store, server.url).token(login.tokens?.access)).not.toBe(login.tokens?.access)
})

test('an answer that is not that of the authorization server is not exchanged', async () => {
  const server = await protectedServer()
  const before = server.asked.length
  const why = await whyNot(wishFor(server.url), (answer) => answer.set('iss', 'https://other.example'))
  expect(why).toContain('Its code was sent to nobody')
  const none = await whyNot(wishFor(server.url), (answer) => answer.delete('iss'))
  expect(none).toContain('Its code was sent to nobody')
  expect(server.asked.length).toBeGreaterThan(before)
  const begun = await beginLogin(wishFor(server.url))
  if (!begun.ok) throw new Error(begun.failure.message)
  const isOurs = (state?: string) => begun.value.isOurs(new URLSearchParams(state === undefined ? {} : { state }))
  expect([isOurs(), isOurs(''), isOurs('another'), isOurs('the state of this test')]).toEqual([
    false,
    false,
    false,
    true,
  ])
})

/** A server whose authorization server says what it likes. */
async function liar(metadata: (origin: string) => object, resource: (origin: string) => object = () => ({})) {
  const server = createServer(({ url = '' }, response) => {
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.includes('protected-resource'))
      say(200, { resource: `${origin}/mcp`, authorization_servers: [origin], ...resource(origin) })
    else if (url.includes('well-known')) say(200, { ...honest(origin), ...metadata(origin) })
    else say(401, {})
  })
  onTestFinished(() => void server.close())
  const origin = await listening(server)
  return `${origin}/mcp`
}

const honest = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
})

test.each<[string, () => object, () => object, RegExp]>([
  [
    'calls itself by the name of another',
    () => ({ issuer: 'https://bank.example' }),
    () => ({}),
    /calls itself https:\/\/bank\.example/,
  ],
  ['does not say that it checks PKCE', () => ({ code_challenge_methods_supported: undefined }), () => ({}), /PKCE/],
  [
    'takes codes over plain http',
    () => ({ token_endpoint: 'http://auth.example/token' }),
    () => ({}),
    /token_endpoint is not https/,
  ],
  [
    'asks a person on plain http',
    () => ({ authorization_endpoint: 'http://auth.example/' }),
    () => ({}),
    /authorization_endpoint is not https/,
  ],
  ['speaks of another resource', () => ({}), () => ({ resource: 'https://bank.example/mcp' }), /another resource/],
  ['answers without an end', () => ({ scopes_supported: ['x'.repeat(300 * 1024)] }), () => ({}), /more than 256 kB/],
  [
    'sends us to a cloud for its credentials',
    () => ({}),
    () => ({ authorization_servers: ['https://169.254.169.254'] }),
    /no address of an authorization server/,
  ],
])('nobody logs in where a server %s', async (_, metadata, resource, why) => {
  const url = await liar(metadata, resource)
  expect(await whyNot(wishFor(url))).toMatch(why)
})

test('another name is believed where the operator has written it down', async () => {
  const url = await liar(() => ({ issuer: 'https://bank.example' }))
  const oauth = { issuer: 'https://bank.example' }
  // It goes on to registering, which this one does not do.
  expect(await whyNot(wishFor(url, { oauth }))).not.toContain('calls itself')
})

test('an authorization server on this machine or in a private network is asked only where the operator allows it', async () => {
  const url = await liar(() => ({}))
  expect(await whyNot(wishFor(url, { privateNetwork: false }))).toContain('only `oauth.private_network`')
  for (const address of ['https://10.0.0.1/', 'https://localhost:1/', 'https://[::1]:1/', 'http://127.0.0.1:1/'])
    await expect(guardedFetch(false)(address)).rejects.toThrow(/private network/)
  await expect(guardedFetch(true)('http://auth.example/')).rejects.toThrow('it is not https')
  await expect(guardedFetch(true)('https://169.254.169.254/')).rejects.toThrow('no address of an authorization server')
})

test('a login asks for what the settings say, else for what the server names and the login had, and for more besides', async () => {
  const { url } = await protectedServer()
  const scopeFor = async (more: Parameters<typeof wishFor>[1]) => {
    const begun = await beginLogin(wishFor(url, more))
    return begun.ok ? begun.value.scope : begun.failure.message
  }
  expect(await scopeFor({})).toBe('issues:read offline_access')
  expect(await scopeFor({ had: 'issues:admin', more: ['issues:read'] })).toBe('issues:read issues:admin offline_access')
  const oauth = { scopes: ['issues:read'] }
  expect(await scopeFor({ oauth, had: 'issues:admin' })).toBe('issues:read')
  expect(await scopeFor({ oauth, more: ['issues:admin'] })).toBe('issues:read issues:admin')
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

test('scopes stand in a command only where no shell could read more in them', () => {
  for (const scope of ['read', 'issues:read write', 'https://www.googleapis.com/auth/drive.readonly'])
    expect(plainScopes(scope)).toBe(scope)
  for (const scope of ['', '$(id)', 'a;b', 'a`b`', "a'b", 'a  b', 'a\nb', 'a|b', 'ä', `x${'y'.repeat(200)}`])
    expect([scope, plainScopes(scope)]).toEqual([scope, undefined])
})
