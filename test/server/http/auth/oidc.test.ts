// Signing in at a provider, against a real one: who gets in as whom, and what does not work with the address of somebody
// else's sign-in.
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../../server/http/listen.ts'
import { personOf, type OidcOptions } from '../../../../server/http/auth/oidc-provider.ts'
import { requireOperator, type OperatorEnv } from '../../../../server/http/operators/operator.ts'
import { createSessionApi } from '../../../../server/http/auth/session-api.ts'
import { sessionCheck } from '../../../../server/http/auth/session.ts'
import type { Role } from '../../../../server/model/operators.ts'
import { opened } from '../../store/store-fixture.ts'
import { client, openWanderer, startProvider, type People } from './openid-provider.ts'

const approver: Role = { kind: 'approver', tools: ['orders_*'] }
const roles: ReadonlyMap<string, readonly Role[]> = new Map([
  ['leads', [approver]],
  ['staff', [{ kind: 'viewer' }]],
])
const path = '/api/v1/session/oidc'

/** Our door with a provider behind it. Its port is known before the provider is, which must know it. */
const openDoor = async (people: People, more: Partial<OidcOptions> = {}) => {
  const store = await opened({ file: ':memory:' })
  let app = new Hono()
  const door = await listen({ app: { fetch: (...given) => app.fetch(...given) }, port: 0 })
  if (!door.ok) throw new Error(door.failure.message)
  onTestFinished(() => door.value.close())
  const { url } = door.value
  const provider = await startProvider(people, `${url}${path}/callback`)
  const reported: string[] = []
  const signIn = { hours: 12, operators: store.operators, credential: undefined }
  const doors = { adminToken: undefined, session: sessionCheck(signIn) }
  const oidc: OidcOptions = {
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    label: 'Sign in with Acme',
    nameClaim: 'preferred_username',
    rolesClaim: 'groups',
    roles,
    ...more,
  }
  const report = (_: unknown, where: string): string => {
    reported.push(where)
    return 'in_1'
  }
  app = new Hono()
    .route(
      '/api/v1/session',
      createSessionApi({
        ...signIn,
        store,
        doors,
        adminTokenKind: 'none',
        pagesUrl: () => 'http://127.0.0.1:3323',
        oidc,
        report,
      }),
    )
    .route(
      '/api/v1/me',
      new Hono<OperatorEnv>().use(requireOperator(doors)).get('/', (c) => c.json(c.var.operator)),
    )
  return { url, provider, store, reported, start: `${url}${path}` }
}

const ada = { preferred_username: 'Ada', groups: ['leads', 'unknown'], tenant: 'acme' }

describe('a person whom the provider knows', () => {
  test('gets in with the name, the roles and the tenant that it says', async () => {
    const { url, start, store } = await openDoor({ ada }, { tenantClaim: 'tenant' })
    const browser = openWanderer()
    const offered = await browser.go(`${url}/api/v1/session`)
    expect(await offered.json()).toMatchObject({
      login: { password: false, oidc: { label: 'Sign in with Acme', url: path } },
    })
    const callback = await browser.passProvider(`${start}?to=/admin/approvals/ap_1`, 'ada')
    const back = await browser.go(callback.href)
    expect([back.status, back.headers.get('location')]).toStrictEqual([303, '/admin/approvals/ap_1'])
    const me = await browser.go(`${url}/api/v1/me`)
    expect(await me.json()).toMatchObject({ name: 'Ada', via: 'oidc', tenant: 'acme', roles: [approver] })
    expect(await store.operators.accounts.list()).toMatchObject([{ name: 'Ada', signIn: 'oidc' }])
    const page = await store.activity.page({ filter: {}, limit: 5 })
    expect(page.calls).toMatchObject([
      { tool: 'operator.signed_in', subject: 'Ada', tenant: 'acme', client: 'oidc', status: 'ok' },
    ])
  })

  test('is sent there with PKCE, a state and a nonce, and comes back to our own pages only', async () => {
    const { start } = await openDoor({ ada })
    const strange = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/admin/%2e%2e/x',
      '/mcp',
      '/administer',
      'x:1',
    ]
    for (const to of strange) {
      const browser = openWanderer()
      const sent = await browser.go(`${start}?to=${encodeURIComponent(to)}`)
      const asked = new URL(sent.headers.get('location') ?? '').searchParams
      expect(Object.fromEntries(asked)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
        state: expect.stringMatching(/^[\w-]{43}$/) as string,
        nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      })
      const cookie = sent.headers.getSetCookie().join()
      expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
      const back = await browser.go((await browser.passProvider(start, 'ada')).href)
      expect(back.headers.get('location')).toBe('/admin')
    }
  })

  test.each([
    ['no role here', { preferred_username: 'Ada', groups: ['unknown'] }, 'no-role', {}],
    ['no groups at all', { preferred_username: 'Ada' }, 'no-role', {}],
    ['no name', { groups: ['leads'] }, 'no-name', {}],
    ['the name of the token', { preferred_username: 'Admin', groups: ['leads'] }, 'no-name', {}],
    ['no tenant where one is asked for', { ...ada, tenant: undefined }, 'no-tenant', { tenantClaim: 'tenant' }],
  ] as const)('with %s does not get in, and reads why', async (_, claims, code, more) => {
    const { url, start, store } = await openDoor({ ada: claims }, more)
    const browser = openWanderer()
    const callback = await browser.passProvider(start, 'ada')
    const page = await browser.go(callback.href)
    expect([page.status, page.headers.get('content-type')]).toStrictEqual([403, 'text/html; charset=UTF-8'])
    expect(await page.text()).toContain('Not signed in')
    expect((await browser.go(`${url}/api/v1/me`)).status).toBe(401)
    const again = openWanderer()
    const json = await again.go((await again.passProvider(start, 'ada')).href, {
      headers: { accept: 'application/json' },
    })
    expect(await json.json()).toMatchObject({ error: { code } })
    expect((await store.activity.page({ filter: {}, limit: 5 })).calls).toMatchObject([
      { status: 'refused' },
      { status: 'refused' },
    ])
  })

  test('does not become an account that has their name, and stays out where theirs is disabled', async () => {
    const { url, start, store } = await openDoor({ ada, eve: { ...ada, preferred_username: 'eve' } })
    const { accounts } = store.operators
    const local = await accounts.add({
      name: 'ADA',
      tenant: undefined,
      roles: [{ kind: 'admin' }],
      subjects: [],
      password: 'correct horse battery',
    })
    const browser = openWanderer()
    const refused = await browser.go((await browser.passProvider(start, 'ada')).href)
    expect([refused.status, await refused.text()]).toStrictEqual([
      403,
      expect.stringContaining('another account of the name'),
    ])
    await accounts.remove(local?.id ?? '')
    const eve = openWanderer()
    await eve.go((await eve.passProvider(start, 'eve')).href)
    expect((await eve.go(`${url}/api/v1/me`)).status).toBe(200)
    await accounts.change((await accounts.find('eve'))?.id ?? '', { state: 'disabled' })
    expect((await eve.go(`${url}/api/v1/me`)).status).toBe(401)
    const again = await eve.go((await eve.passProvider(start, 'eve')).href)
    expect(await again.text()).toContain('is disabled here')
  })
})

describe('the address of a sign-in', () => {
  test('does nothing in another browser, with another state, or a second time', async () => {
    const { url, start } = await openDoor({ ada })
    const browser = openWanderer()
    const callback = await browser.passProvider(start, 'ada')
    const stranger = openWanderer()
    expect((await stranger.go(callback.href)).status).toBe(400)
    const victim = openWanderer()
    await victim.go(start)
    const swapped = await victim.go(callback.href)
    expect([swapped.status, await swapped.text()]).toStrictEqual([400, expect.stringContaining('does not belong')])
    expect((await victim.go(`${url}/api/v1/me`)).status).toBe(401)
    expect((await browser.go(callback.href)).status).toBe(303)
    const replay = await browser.go(callback.href)
    expect(replay.status).toBe(400)
  })

  test('with a code that was made up, or an error, says so and opens nothing', async () => {
    const { url, start } = await openDoor({ ada })
    for (const query of ['code=made-up', 'error=access_denied', '']) {
      const browser = openWanderer()
      const sent = await browser.go(start)
      const state = new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const answer = await browser.go(`${start}/callback?state=${state}&iss=x&${query}`)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect((await browser.go(`${url}/api/v1/me`)).status).toBe(401)
    }
  })

  test('cannot be made by who writes the cookie themselves', async () => {
    const { url, start } = await openDoor({ ada })
    const forged = Buffer.from(
      JSON.stringify({ state: 's', nonce: 'n', verifier: 'v', to: '/admin', at: Date.now() }),
    ).toString('base64url')
    const browser = openWanderer()
    const answer = await browser.go(`${start}/callback?code=c&state=s`, {
      headers: { cookie: `countersign_sign_in_${new URL(url).port}=${forged}` },
    })
    expect(answer.status).toBe(400)
  })
})

test('a provider that is gone leaves the other ways in', async () => {
  const { url, start, provider, reported } = await openDoor({ ada })
  await provider.stop()
  const browser = openWanderer()
  const answer = await browser.go(start, { headers: { accept: 'application/json' } })
  expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'provider-unreachable' } }])
  expect(reported).toStrictEqual(['the sign-in provider'])
  expect((await browser.go(`${url}/api/v1/session`)).status).toBe(401)
})

test('claims are read by their name or by their path, and never guessed', () => {
  const options: OidcOptions = {
    issuer: 'https://id.example',
    clientId: 'x',
    label: 'x',
    nameClaim: 'preferred_username',
    rolesClaim: 'realm_access.roles',
    roles,
  }
  const person = (claims: object, more: Partial<OidcOptions> = {}) =>
    personOf({ sub: '1', ...claims }, { ...options, ...more })
  const leads = { preferred_username: 'ada', realm_access: { roles: ['leads', 'staff'] } }
  expect(person(leads)).toMatchObject({
    ok: true,
    value: { name: 'ada', roles: [approver, { kind: 'viewer' }], tenant: undefined },
  })
  expect(person({ ...leads, 'realm_access.roles': 'staff' })).toMatchObject({
    ok: true,
    value: { roles: [{ kind: 'viewer' }] },
  })
  for (const claims of [
    { ...leads, sub: '' },
    { ...leads, sub: 7 },
    { ...leads, preferred_username: 'a\nb' },
    { ...leads, realm_access: { roles: { leads: true } } },
    { ...leads, realm_access: { roles: [['leads']] } },
    { ...leads, realm_access: { roles: ['__proto__', 'constructor'] } },
  ])
    expect(person(claims)).toMatchObject({ ok: false })
  expect(personOf({ ...leads, sub: '1' }, { ...options, rolesClaim: undefined })).toMatchObject({
    ok: false,
    failure: { code: 'no-role' },
  })
  expect(person({ ...leads, tenant: ['acme'] }, { tenantClaim: 'tenant' })).toMatchObject({
    ok: false,
    failure: { code: 'no-tenant' },
  })
})
