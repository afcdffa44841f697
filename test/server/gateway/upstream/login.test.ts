// What a login at a server behind is held to before anything is opened, registered or exchanged. The authorization server is a
// real one, except where it lies.
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { beginLogin } from '../../../../server/gateway/upstream/login/begin-login.ts'
import { guardedFetch } from '../../../../server/gateway/upstream/login/guarded-fetch.ts'
import { plainScopes } from '../../../../server/gateway/upstream/login/login-need.ts'
import { listening } from '../../../kit/listening.ts'
import { opened } from '../../store/store-fixture.ts'
import { logIn, loginIn, protectedServer, whyNot, wishFor } from './login-scene.ts'

test('a client that is registered beforehand is used as it is, and none is registered where the server forbids it', async () => {
  const client = { client_id: 'ours', client_secret: 'our-secret', redirect_uris: ['http://127.0.0.1:9/callback'] }
  const grants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] }
  const server = await protectedServer({
    registers: false,
    clients: [{ ...client, ...grants, application_type: 'native', scope: 'issues:read offline_access' }],
  })
  expect(await whyNot(wishFor(server.url))).toContain('registers no clients by itself')
  const oauth = { issuer: server.issuer }
  const login = await logIn(wishFor(server.url, { client: { id: 'ours', secret: 'our-secret' }, oauth }))
  expect(login.client).toEqual({ id: 'ours', secret: 'our-secret' })
  const store = await opened({ file: ':memory:' })
  await store.logins.put(login)
  expect(await loginIn(store, server.url).token(login.tokens?.access)).not.toBe(login.tokens?.access)
})

test('where an authorization server gives no refresh tokens, none is asked for, and a login is made', async () => {
  const server = await protectedServer({ renews: false })
  const { tokens } = await logIn(wishFor(server.url))
  expect(tokens?.access).toEqual(expect.any(String))
  expect(tokens?.refresh).toBeUndefined()
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

test('who asked for a scope that is unknown there is told where the scopes come from', async () => {
  const server = await protectedServer()
  const begun = await beginLogin(wishFor(server.url))
  if (!begun.ok) throw new Error(begun.failure.message)
  const ended = await begun.value.finish(new URLSearchParams({ error: 'invalid_scope', iss: begun.value.issuer }))
  expect(ended).toMatchObject({ ok: false, failure: { next: expect.stringMatching(/`oauth\.scopes`.*log out first/) } })
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
    'hides in its address who asks',
    () => ({ authorization_endpoint: 'https://bank.example@evil.example/' }),
    () => ({}),
    /has a user in it/,
  ],
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

test('another name is believed where the operator has written it down, and its bearer has the same endpoints', async () => {
  const { origin: issuer } = new URL(await liar(() => ({})))
  const oauth = { issuer }
  // It goes on to registering, which this one does not do.
  expect(await whyNot(wishFor(await liar(() => honest(issuer)), { oauth }))).not.toMatch(/calls itself|it says it is/)
  const pretender = await liar((own) => ({ ...honest(issuer), token_endpoint: `${own}/token` }))
  expect(await whyNot(wishFor(pretender, { oauth }))).toMatch(/\/token as token_endpoint, and .*, which it says it is/)
  const unknown = await liar(() => ({ issuer: 'http://127.0.0.1:1' }))
  expect(await whyNot(wishFor(unknown, { oauth: { issuer: 'http://127.0.0.1:1' } }))).toContain('does not say where')
})

test('an authorization server on this machine or in a private network is asked only where the operator allows it', async () => {
  const url = await liar(() => ({}))
  expect(await whyNot(wishFor(url, { privateNetwork: false }))).toContain('only `oauth.private_network`')
  for (const address of ['https://10.0.0.1/', 'https://localhost:1/', 'https://[::1]:1/', 'http://127.0.0.1:1/'])
    await expect(guardedFetch(false)(address)).rejects.toThrow(/private network/)
  await expect(guardedFetch(true)('http://auth.example/')).rejects.toThrow('it is not https')
  await expect(guardedFetch(true)('https://169.254.169.254/')).rejects.toThrow('no address of an authorization server')
})

test('a login asks for what the settings say, else for what the server names now; a scope more, for what it had besides', async () => {
  const { url } = await protectedServer()
  const had = { ...(await logIn(wishFor(url))), scope: 'issues:admin' }
  const scopeFor = async (more: Parameters<typeof wishFor>[1], at = url) => {
    const begun = await beginLogin(wishFor(at, more))
    return begun.ok ? begun.value.scope : begun.failure.message
  }
  expect(await scopeFor({})).toBe('issues:read offline_access')
  expect(await scopeFor({ before: had })).toBe('issues:read offline_access')
  expect(await scopeFor({ before: had, more: ['issues:read'] })).toBe('issues:read issues:admin offline_access')
  const oauth = { scopes: ['issues:read'] }
  expect(await scopeFor({ oauth, before: had })).toBe('issues:read')
  expect(await scopeFor({ oauth, more: ['issues:admin'] })).toBe('issues:read issues:admin')
  // Where nobody names one, what is asked for is the authorization server's to say, each time anew.
  expect(await scopeFor({ before: had, client: { id: 'ours' } }, await liar(() => ({})))).toBeUndefined()
  // What the server asks for when it refuses us counts before what it lists.
  const asking = await protectedServer({ asksFor: 'issues:admin' })
  expect(await scopeFor({}, asking.url)).toBe('issues:admin offline_access')
})

test('what logs in with a key, or not at all, is told apart from what has a login', async () => {
  const open = createServer((_, response) => void response.writeHead(404).end())
  onTestFinished(() => void open.close())
  const url = `${await listening(open)}/mcp`
  expect(await whyNot(wishFor(url))).toMatch(/names no authorization server, and answers without a login \(HTTP 404\)/)
  const silent = await liar(
    () => ({}),
    () => ({ authorization_servers: [new URL(url).origin] }),
  )
  expect(await whyNot(wishFor(silent))).toContain('does not say how')
  open.close()
  open.closeAllConnections()
  expect(await whyNot(wishFor(url))).toContain('cannot be reached')
})

test('scopes stand in a command only where no shell could read more in them', () => {
  for (const scope of ['read', 'issues:read write', 'https://www.googleapis.com/auth/drive.readonly'])
    expect(plainScopes(scope)).toBe(scope)
  for (const scope of ['', '$(id)', 'a;b', 'a`b`', "a'b", 'a  b', 'a\nb', 'a|b', 'ä', `x${'y'.repeat(200)}`])
    expect([scope, plainScopes(scope)]).toEqual([scope, undefined])
})
