// As whom the gateway is known at an authorization server: where the secret of that client goes, and what becomes of a
// login when the client or its secret is another one there by now.
import { expect, test } from 'vitest'
import type { LoginNeeded } from '../../../../server/gateway/upstream/login/login-need.ts'
import { createServerLogin } from '../../../../server/gateway/upstream/login/server-login.ts'
import type { LoginStore } from '../../../../server/model/logins.ts'
import { opened } from '../../store/store-fixture.ts'
import { logIn, loginIn, needOfToken, protectedServer, whyNot, wishFor } from './login-scene.ts'

const client = { id: 'ours', secret: 'our-secret' }

/** A server whose authorization server knows this client alone. */
const withClient = () =>
  protectedServer({
    registers: false,
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: ['http://127.0.0.1:9/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        scope: 'issues:read offline_access',
      },
    ],
  })

test('the secret of a client goes to no authorization server that only the server behind has named', async () => {
  const server = await withClient()
  const why = await whyNot(wishFor(server.url, { client }))
  expect(why).toContain(`its authorization server is ${server.issuer}, and nothing says that the secret`)
  expect(server.asked.filter(({ authorization }) => authorization !== undefined)).toEqual([])
  expect(await whyNot(wishFor(server.url, { client, oauth: { issuer: 'https://bank.example' } }))).toContain(
    'calls itself',
  )
  // Its id alone is no secret: whoever is sent to an authorization server to agree sees it.
  expect(await whyNot(wishFor(server.url, { client: { id: 'ours' } }))).not.toContain('nothing says')
})

test('the secret of a client goes to the issuer that an operator named, or to which it went when a person agreed', async () => {
  const server = await withClient()
  const before = await logIn(wishFor(server.url, { client, oauth: { issuer: server.issuer } }))
  expect(before.client).toEqual(client)
  const again = (change: object) => whyNot(wishFor(server.url, { client, before: { ...before, ...change } }))
  expect(await again({})).toBe('logged in')
  expect(await again({ client: { id: 'ours', secret: 'the one before' } })).toBe('logged in')
  // There nobody has agreed that this client's secret goes to this issuer.
  for (const change of [
    { issuer: 'https://other.example' },
    { client: { ...client, id: 'x' } },
    { client: { id: 'ours' } },
  ])
    expect(await again(change)).toContain('nothing says that the secret')
})

const tokenOf = (logins: LoginStore, url: string, more: Partial<Parameters<typeof createServerLogin>[0]>) =>
  createServerLogin({
    store: logins,
    key: { server: 'tracker', address: url },
    command: () => 'log in',
    now: Date.now,
    ...more,
  })

test('a client that is not known any more ends no login: what it says names the client, and a later refresh works', async () => {
  const server = await withClient()
  const store = await opened({ file: ':memory:' })
  const login = await logIn(wishFor(server.url, { client, oauth: { issuer: server.issuer } }))
  const { access } = login.tokens ?? {}
  // The secret was changed at the authorization server.
  await store.logins.put({ ...login, client: { ...client, secret: 'the one before' } })
  const stale = loginIn(store, server.url)
  const need = await stale.token(access).catch((error: LoginNeeded) => error.need)
  expect(need).toMatchObject({ kind: 'client', command: 'log in', why: expect.stringContaining('(invalid_client)') })
  expect((await store.logins.find(login))?.tokens).toEqual(login.tokens)
  // It is not asked again and again for what it has refused.
  expect(await needOfToken(stale.token(access))).toBe('client')
  expect(server.refreshes).toEqual(['refused'])
  // As long as the token is good it is used.
  expect(await stale.token()).toBe(access)

  // The operator corrects the settings: nobody has to log in again, and every process has the secret from now on.
  const { server: name, address } = login
  const corrected = tokenOf(store.logins, address, { client })
  const newer = await corrected.token(access)
  expect(newer).not.toBe(access)
  expect((await store.logins.find({ server: name, address }))?.client).toEqual(client)
  expect(server.refreshes).toEqual(['refused', 'given'])
})

test('a secret of the settings is not sent to an issuer to which none has gone', async () => {
  const server = await withClient()
  const store = await opened({ file: ':memory:' })
  const login = await logIn(wishFor(server.url, { client, oauth: { issuer: server.issuer } }))
  const { access } = login.tokens ?? {}
  await store.logins.put({ ...login, client: { id: 'ours' } })
  const asked = server.asked.length
  expect(await needOfToken(tokenOf(store.logins, server.url, { client }).token(access))).toBe('client')
  expect(server.asked.slice(asked).filter(({ authorization }) => authorization !== undefined)).toEqual([])
  // A login at another issuer than the one that the settings name is none.
  const issuer = 'https://other.example'
  expect(await tokenOf(store.logins, server.url, { client, issuer }).token(access)).toBeUndefined()
  expect(await tokenOf(store.logins, server.url, { client, issuer: `${server.issuer}/` }).token(access)).not.toBe(
    access,
  )
})

test('a login that its authorization server has ended is said to be over with its own word', async () => {
  const server = await protectedServer()
  const store = await opened({ file: ':memory:' })
  const login = await logIn(wishFor(server.url))
  await store.logins.put(login)
  await server.revoke()
  const need = await loginIn(store, server.url)
    .token(login.tokens?.access)
    .catch((error: LoginNeeded) => error.need)
  expect(need).toMatchObject({ kind: 'over', why: expect.stringContaining('(invalid_grant)') })
  expect((await store.logins.find(login))?.tokens).toBeUndefined()
})
