// Callers with tokens of an authorization server: what is signed by it, for us, and valid now gets in, and nothing else;
// least of all when it cannot be checked.
import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createJwtAccess } from '../../../../server/http/auth/jwt.ts'
import { metadataAddresses } from '../../../../server/http/auth/jwt-keys.ts'
import { openDesk, type Desk } from './serve-protected.ts'
import { startIssuer, type Issuer } from './issuer.ts'

const audience = 'https://desk.example/mcp'
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

async function open(more: object = {}, issuer?: Issuer): Promise<{ desk: Desk; issuer: Issuer }> {
  const from = issuer ?? (await startIssuer())
  const jwt = { issuer: from.url, audience, tenant_claim: 'org', ...more }
  return { issuer: from, desk: await openDesk({ access: { mode: 'jwt', jwt } }) }
}

const good = { aud: audience, org: 'acme', scope: 'things:read things:write' }
const look = (desk: Desk, token: string) => desk.call('things_read', { id: '1' }, `Bearer ${token}`)

describe('a token of the authorization server', () => {
  test('gets in as who it names, with the permissions of its scope', async () => {
    const { desk, issuer } = await open()
    for (const alg of ['RS256', 'ES256'] as const)
      expect((await look(desk, await issuer.sign({ ...good, sub: `bot ${alg}` }, { alg }))).status).toBe(200)
    const callers = async () =>
      (await desk.records.activity.page({ limit: 5 })).calls.map(({ tenant, subject }) => `${tenant}/${subject}`)
    await expect.poll(callers).toEqual(['acme/bot ES256', 'acme/bot RS256'])
    const poor = await look(desk, await issuer.sign({ ...good, scope: 'things:write' }))
    expect(poor).toMatchObject({ status: 403, body: { missing_permissions: ['things:read'] } })
    expect(poor.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${desk.web.url}/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", scope="things:read"`,
    )
  })

  test('may have its permissions in a list, and under another name', async () => {
    const { desk, issuer } = await open({ permissions_claim: 'permissions' })
    expect((await look(desk, await issuer.sign({ ...good, scope: '', permissions: ['things:read'] }))).status).toBe(200)
    for (const permissions of [undefined, 5, { 'things:read': true }, [['things:read']], '*', ['*'], 'all'])
      expect((await look(desk, await issuer.sign({ ...good, permissions }))).status).toBe(403)
  })

  test('is for the address of the server where the settings name no audience', async () => {
    const issuer = await startIssuer()
    const desk = await openDesk({ access: { mode: 'jwt', jwt: { issuer: issuer.url, tenant: 'acme' } } })
    expect((await look(desk, await issuer.sign({ ...good, aud: `${desk.web.url}/mcp` }))).status).toBe(200)
    expect((await look(desk, await issuer.sign(good))).status).toBe(401)
  })

  test('is found to be good without asking for the keys each time', async () => {
    const { desk, issuer } = await open()
    const token = await issuer.sign(good)
    for (let time = 0; time < 5; time++) expect((await look(desk, token)).status).toBe(200)
    expect(issuer.asked).toBe(1)
  })

  test('needs no key id where the issuer has several keys', async () => {
    const { desk, issuer } = await open()
    expect((await look(desk, await issuer.sign(good, { kid: '' }))).status).toBe(200)
  })

  test('may be of an issuer below a path', async () => {
    const { desk, issuer } = await open({}, await startIssuer({ path: '/realms/one' }))
    expect((await look(desk, await issuer.sign(good))).status).toBe(200)
    expect(metadataAddresses('https://i.example/realms/one')).toEqual([
      'https://i.example/.well-known/oauth-authorization-server/realms/one',
      'https://i.example/.well-known/openid-configuration/realms/one',
      'https://i.example/realms/one/.well-known/openid-configuration',
    ])
  })
})

describe('nobody gets in', () => {
  const unsigned = (claims: object, alg: string): string =>
    `${base64({ alg, typ: 'JWT' })}.${base64({ iss: 'x', sub: 'bot', exp: 9_999_999_999, ...claims })}.`
  const withSecret = (issuer: Issuer, secret: string): string => {
    const body = `${base64({ alg: 'HS256', kid: 'rsa' })}.${base64({ iss: issuer.url, sub: 'bot', exp: 9_999_999_999, ...good })}`
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
  }
  const bad: readonly (readonly [string, (issuer: Issuer) => Promise<string> | string, RegExp])[] = [
    ['whose token has expired', (issuer) => issuer.sign(good, { expiresIn: -60 }), /it has expired/],
    ['whose token never ends', (issuer) => issuer.sign({ ...good, exp: undefined as never }), /exp is missing/],
    [
      'whose token begins later',
      (issuer) => issuer.sign({ ...good, nbf: Math.floor(Date.now() / 1000) + 600 }),
      /not valid yet/,
    ],
    [
      'whose token is for another audience',
      (issuer) => issuer.sign({ ...good, aud: 'https://other.example' }),
      /another audience/,
    ],
    ['whose token is for no audience', (issuer) => issuer.sign({ ...good, aud: undefined as never }), /audience|aud/],
    [
      'whose token is of another issuer',
      (issuer) => issuer.sign({ ...good, iss: 'https://other.example' }),
      /another issuer/,
    ],
    ['whose token names nobody', (issuer) => issuer.sign({ ...good, sub: '' }), /sub is missing|names nobody/],
    [
      'whose token is signed with a key of somebody else',
      (issuer) => issuer.sign(good, { foreign: true }),
      /signature does not fit/,
    ],
    [
      'whose token names a key that is not published',
      (issuer) => issuer.sign(good, { kid: 'other' }),
      /a key that the issuer does not publish/,
    ],
    [
      'whose token is not signed',
      (issuer) => unsigned({ ...good, iss: issuer.url }, 'none'),
      /not signed|no signed token/,
    ],
    [
      'whose token has an algorithm in odd letters',
      (issuer) => unsigned({ ...good, iss: issuer.url }, 'nOnE'),
      /not signed|no signed token/,
    ],
    ['who signs with the public key as a secret', (issuer) => withSecret(issuer, issuer.publicPem), /asymmetric/],
    ['who signs with nothing as a secret', (issuer) => withSecret(issuer, ''), /asymmetric/],
    [
      'who changes what was signed',
      async (issuer) => {
        const [head, , mac] = (await issuer.sign(good)).split('.')
        return `${head}.${base64({ ...good, iss: issuer.url, sub: 'admin', exp: 9_999_999_999 })}.${mac}`
      },
      /signature does not fit/,
    ],
    [
      'who brings a key of their own',
      async (issuer) => {
        const { generateKeyPair, exportJWK } = await import('jose')
        const own = await generateKeyPair('RS256', { extractable: true })
        return new SignJWT({ iss: issuer.url, sub: 'bot', exp: 9_999_999_999, ...good })
          .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(own.publicKey) })
          .sign(own.privateKey)
      },
      /signature does not fit/,
    ],
    ['who sends garbage', () => 'garbage', /no signed token/],
    ['who sends dots', () => '..', /no signed token/],
    ['who sends a token of ours', () => `cst_${'a'.repeat(43)}`, /no signed token/],
  ]

  test.each(bad)('a caller %s is refused', async (_, make, message) => {
    const { desk, issuer } = await open()
    const told = await look(desk, await make(issuer))
    expect(told.status).toBe(401)
    expect(told.text).toMatch(message)
    const header = told.headers.get('www-authenticate') ?? ''
    expect(header).toContain('error="invalid_token"')
    expect(header).toContain(`resource_metadata="${desk.web.url}/.well-known/oauth-protected-resource/mcp"`)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const mcp = await desk.send('POST', '/mcp', {
      body: ping,
      headers: { authorization: `Bearer ${await make(issuer)}` },
    })
    expect(mcp).toMatchObject({ status: 401, body: { error: { data: { code: 'invalid-token' } } } })
    expect((await desk.records.activity.page({ limit: 5 })).calls).toEqual([])
  })

  test('without a token, and learns where to get one', async () => {
    const { desk, issuer } = await open()
    const told = await desk.call('things_look', { id: '1' })
    expect(told.status).toBe(401)
    expect(told.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${desk.web.url}/.well-known/oauth-protected-resource/mcp"`,
    )
    for (const path of ['', '/mcp'])
      expect(await desk.send('GET', `/.well-known/oauth-protected-resource${path}`)).toMatchObject({
        status: 200,
        body: {
          resource: `${desk.web.url}/mcp`,
          authorization_servers: [issuer.url],
          scopes_supported: ['things:drop', 'things:read', 'things:write'],
          bearer_methods_supported: ['header'],
        },
      })
  })

  test.each([
    ['has no such claim', {}],
    ['has an empty one', { org: '' }],
    ['has one that is no text', { org: ['acme'] }],
    ['has one with a line break', { org: 'a\nb' }],
    ['has that of the operators', { org: '(operators)' }],
  ])('whose token names no tenant: it %s', async (_, claim) => {
    const { desk, issuer } = await open()
    const told = await look(desk, await issuer.sign({ aud: audience, scope: good.scope, ...claim }))
    expect(told).toMatchObject({ status: 403, body: { error: { code: 'no-tenant' } } })
    expect(told.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  })

  test('with the name of a tenant that every object has', async () => {
    const { desk, issuer } = await open({ tenant_claim: 'constructor' })
    expect((await look(desk, await issuer.sign(good))).status).toBe(403)
  })
})

describe('an authorization server that cannot be asked', () => {
  test.each(['fails', 'nonsense', 'redirects'] as const)('lets nobody in and blames nobody: it %s', async (mood) => {
    for (const what of ['keys', 'metadata'] as const) {
      const { desk, issuer } = await open()
      issuer[what] = mood
      const told = await look(desk, await issuer.sign(good))
      expect(told).toMatchObject({ status: 503, body: { error: { code: 'keys-unavailable' } } })
      expect(told.headers.get('retry-after')).toBe('5')
      expect(told.headers.get('www-authenticate')).toBeNull()
    }
  })

  test('is asked again when it is well', async () => {
    const { desk, issuer } = await open()
    issuer.keys = 'fails'
    const token = await issuer.sign(good)
    expect((await look(desk, token)).status).toBe(503)
    issuer.keys = 'well'
    await expect.poll(async () => (await look(desk, token)).status).toBe(200)
  })

  test('keeps nobody out whose key is known, whatever others ask it for', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { desk, issuer } = await open()
    const token = await issuer.sign(good)
    expect((await look(desk, token)).status).toBe(200)
    issuer.keys = 'fails'
    // By now a key that is not known is asked for again.
    vi.setSystemTime(Date.now() + 60_000)
    const garbage = await issuer.sign(good, { kid: 'other', foreign: true })
    expect((await look(desk, garbage)).status).toBe(503)
    const { asked } = issuer
    expect(asked).toBe(2)
    expect((await look(desk, token)).status).toBe(200)
    // Who may or may not be good is told so, and nobody is asked for it before the pause is over.
    expect((await look(desk, garbage)).status).toBe(503)
    expect((await look(desk, token)).status).toBe(200)
    expect(issuer.asked).toBe(asked)
    vi.setSystemTime(Date.now() + 3000)
    issuer.keys = 'well'
    expect((await look(desk, garbage)).status).toBe(401)
    expect(issuer.asked).toBe(asked + 1)
  })

  test('lets nobody in where its metadata are of another one', async () => {
    const { desk, issuer } = await open({}, await startIssuer({ named: 'https://other.example' }))
    expect((await look(desk, await issuer.sign(good))).status).toBe(503)
  })

  test.each(['keys', 'metadata'] as const)('is not waited for without end: its %s hang', async (what) => {
    const issuer = await startIssuer()
    issuer[what] = 'hangs'
    const reported: unknown[] = []
    const identify = createJwtAccess({
      jwt: { issuer: issuer.url, audience, tenant: 'acme', permissions_claim: 'scope', remember_minutes: 0 },
      audience: () => audience,
      metadata: () => 'https://desk.example/.well-known/oauth-protected-resource/mcp',
      note: () => Promise.resolve(),
      report: (error) => reported.push(error),
      patienceMs: 100,
    })
    const request = new Request(audience, { headers: { authorization: `Bearer ${await issuer.sign(good)}` } })
    expect(await identify(request)).toMatchObject({ ok: false, failure: { status: 503 } })
    expect(reported).not.toEqual([])
  })
})

describe('what a token permits', () => {
  const waits = async (desk: Desk, token: string): Promise<string> =>
    String((await desk.call('things_drop', { id: '1' }, `Bearer ${token}`)).body['approval_id'])

  test('an approved call runs with, as long as the token is good', async () => {
    const { desk, issuer } = await open()
    const approval = await waits(desk, await issuer.sign({ ...good, scope: 'things:drop' }))
    await desk.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
    await expect.poll(() => desk.done).toEqual(['dropped 1'])
  })

  test('an approved call does not run with any more, once a later token says less', async () => {
    const { desk, issuer } = await open()
    const approval = await waits(desk, await issuer.sign({ ...good, scope: 'things:drop' }))
    await look(desk, await issuer.sign(good))
    const told = await desk.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
    expect(told.text).toContain('things:drop')
    expect(desk.done).toEqual([])
  })

  test('an approved call does not run with after its end, unless the settings remember it', async () => {
    for (const remember_minutes of [0, 60]) {
      const { desk, issuer } = await open({ remember_minutes })
      // Ended, but within what two clocks may differ.
      const approval = await waits(desk, await issuer.sign({ ...good, scope: 'things:drop' }, { expiresIn: -2 }))
      const told = await desk.admin('POST', `/api/v1/approvals/${approval}/approve`, {})
      if (remember_minutes > 0) await expect.poll(() => desk.done).toEqual(['dropped 1'])
      else {
        expect(told.text).toContain('a credential of the caller that is still valid')
        expect(desk.done).toEqual([])
      }
    }
  })
})
