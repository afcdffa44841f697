// Whoever holds the admin token signs in with it once and has a session from then on; a link of the terminal signs in once
// without it. Both end with the token, and neither is worth anything to who reads the database.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createSessionApi } from '../../../../server/http/auth/session-api.ts'
import { credentialOf } from '../../../../server/http/auth/admin-token.ts'
import { sessionCheck } from '../../../../server/http/auth/session.ts'
import { createSignInLink } from '../../../../server/http/auth/sign-in-link.ts'
import type { Store } from '../../../../server/store/store.ts'
import { HOUR, MINUTE } from '../../../kit/clock.ts'
import { openedWithClock } from '../../store/store-fixture.ts'
import { token } from '../operators/serve-operators.ts'
import { openBrowser } from './browser.ts'
import { openFront } from './serve-accounts.ts'

/** A server's sign-in with this admin token. */
const openDoor = (store: Store, adminToken: string | undefined) => {
  const { operators } = store
  const credential = adminToken === undefined ? undefined : credentialOf(operators, adminToken)
  const signIn = { hours: 12, publicUrl: undefined, operators, credential }
  const doors = { adminToken, session: sessionCheck(signIn) }
  const adminTokenKind = adminToken === undefined ? ('none' as const) : ('file' as const)
  const app = new Hono().route(
    '/api/v1/session',
    createSessionApi({ ...signIn, store, doors, adminTokenKind, pagesUrl: () => page.origin, report: () => 'in_1' }),
  )
  const post = (path: string, body: object) =>
    app.request(`/api/v1/session/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: '127.0.0.1:3323' },
      body: JSON.stringify(body),
    })
  return {
    enter: (given: string, name?: string) => post('token', { token: given, ...(name === undefined ? {} : { name }) }),
    open: async (secret: string) => {
      const response = await post('link', { secret })
      const { error, operator } = (await response.json()) as Readonly<Record<string, { readonly code: string }>>
      return response.status === 200 ? operator : error?.code
    },
    ask: (cookie: string) =>
      app.request('/api/v1/session', { headers: { host: '127.0.0.1:3323', cookie: cookie.split(';')[0] ?? '' } }),
  }
}

const old = 'the-admin-token-of-yesterday'
const page = new URL('http://127.0.0.1:3323/admin')
const secretIn = (url: URL): string => new URLSearchParams(url.hash.slice(1)).get('sign-in') ?? ''

test('the admin token opens a session, under the name that is said, whose changes need the proof of a page', async () => {
  const { url, ask, records } = await openFront()
  const browser = openBrowser(url)
  expect(await browser.send('GET', '/api/v1/session')).toMatchObject({
    body: { login: { admin_token: 'environment' } },
  })
  expect(await browser.send('POST', '/api/v1/session/token', { token: 'not the token', name: 'Eve' })).toMatchObject({
    status: 401,
    body: { error: { code: 'wrong-token' } },
  })
  const answer = await browser.send('POST', '/api/v1/session/token', { token, name: 'Eve' })
  const operator = { name: 'Eve', via: 'admin-token', tenant: null, roles: [{ kind: 'admin' }], totp: false }
  expect(answer).toMatchObject({ status: 200, body: { operator } })
  expect(browser.setCookies.join()).toMatch(/countersign_session_\d+=[\w-]{43}; .*HttpOnly; SameSite=Strict/)
  expect(browser.setCookies.join()).not.toContain(token)
  expect((await browser.send('GET', '/api/v1/session')).body).toStrictEqual(answer.body)
  const id = await ask('notes_drop', { id: 'n1' })
  browser.csrf = undefined
  expect((await browser.send('POST', `/api/v1/approvals/${id}/approve`)).status).toBe(403)
  browser.csrf = String(answer.body['csrf'])
  expect((await browser.send('POST', `/api/v1/approvals/${id}/approve`)).status).toBe(200)
  expect((await records.approvals.find(id))?.decidedBy).toBe('Eve')
  expect((await browser.send('DELETE', '/api/v1/session')).status).toBe(200)
  expect((await browser.send('GET', '/api/v1/session')).status).toBe(401)
})

test('a session with the admin token ends with that token, after an hour unused, and at no other server’s', async () => {
  const { store, clock } = await openedWithClock()
  const cookie = (await openDoor(store, old).enter(old)).headers.getSetCookie()[0] ?? ''
  expect((await openDoor(store, old).ask(cookie)).status).toBe(200)
  expect((await openDoor(store, 'the-admin-token-of-today').ask(cookie)).status).toBe(401)
  expect((await openDoor(store, undefined).ask(cookie)).status).toBe(401)
  clock.pass(HOUR + MINUTE)
  expect((await openDoor(store, old).ask(cookie)).status).toBe(401)
})

test('a link signs in once, also where two open it at the same instant, and says later why it does not', async () => {
  const { store } = await openedWithClock()
  const link = await createSignInLink(store.operators, { adminToken: old, name: 'Mia', page })
  expect(link.url.href).toMatch(/^http:\/\/127\.0\.0\.1:3323\/admin#sign-in=[\w-]{43}$/)
  const secret = secretIn(link.url)
  const doors = [openDoor(store, old), openDoor(store, old), openDoor(store, old)]
  const opened = await Promise.all(doors.map((door) => door.open(secret)))
  expect(opened.filter((each) => each === 'link-used')).toHaveLength(2)
  expect(opened).toContainEqual(expect.objectContaining({ name: 'Mia', via: 'admin-token' }))
  expect(await openDoor(store, old).open(secret)).toBe('link-used')
})

test('a link is worth nothing after five minutes, to another admin token, or made up', async () => {
  const { store, clock } = await openedWithClock()
  const link = async (): Promise<string> =>
    secretIn((await createSignInLink(store.operators, { adminToken: old, name: 'Mia', page })).url)
  const [late, strange] = [await link(), await link()]
  expect(await openDoor(store, 'the-admin-token-of-today').open(strange)).toBe('link-unknown')
  expect(await openDoor(store, undefined).open(strange)).toBe('link-unknown')
  expect(await openDoor(store, old).open(strange)).toMatchObject({ name: 'Mia' })
  expect(await openDoor(store, old).open('A'.repeat(43))).toBe('link-unknown')
  clock.pass(5 * MINUTE)
  expect(await openDoor(store, old).open(late)).toBe('link-expired')
  // What is over is removed a day later, and not before.
  await store.sweep()
  expect(await openDoor(store, old).open(late)).toBe('link-expired')
  clock.pass(25 * HOUR)
  await store.sweep()
  expect(await openDoor(store, old).open(late)).toBe('link-unknown')
})

test('wrong tokens and links are on record, some of each flood, and nothing of what was sent as one', async () => {
  const { store, clock } = await openedWithClock()
  const door = openDoor(store, old)
  const link = secretIn((await createSignInLink(store.operators, { adminToken: old, name: 'Mia', page })).url)
  await door.open(link)
  const before = await store.activity.newestChange()
  expect((await door.enter('a token that is not the one', 'Eve')).status).toBe(401)
  expect(await door.open(link)).toBe('link-used')
  for (let tries = 0; tries < 20; tries++) await door.open(`${tries}`.padStart(43, 'A'))
  const rows = async () => (await store.activity.changesSince({ change: before, limit: 100 })).calls
  expect((await rows()).map(({ tool, status, subject }) => [tool, status, subject])).toStrictEqual([
    ['operator.signed_in', 'refused', 'Eve'],
    ...Array.from({ length: 9 }, () => ['operator.signed_in', 'refused', 'admin']),
  ])
  const said = (await rows()).map(({ args }) => args ?? '')
  expect(said[0]).toContain('wrong admin token')
  expect(said[1]).toContain('used already')
  expect(said[9]).toContain('not recorded for a while')
  for (const secret of ['a token that', link, 'AAAA']) expect(said.join()).not.toContain(secret)
  // Nobody is locked out, and later there are lines again.
  expect((await door.enter(old)).status).toBe(200)
  clock.pass(16 * MINUTE)
  expect((await door.enter('a token that is not the one')).status).toBe(401)
  expect(await rows()).toHaveLength(12)
})

test('whoever is signed in with the admin token ends its other sessions, and nobody else does', async () => {
  const { url, records } = await openFront()
  const [one, other, ann] = [openBrowser(url), openBrowser(url), openBrowser(url)]
  for (const browser of [one, other]) await browser.send('POST', '/api/v1/session/token', { token })
  expect(await ann.send('DELETE', '/api/v1/session/others')).toMatchObject({ status: 401 })
  const { csrf } = one
  one.csrf = undefined
  expect(await one.send('DELETE', '/api/v1/session/others')).toMatchObject({ status: 403 })
  one.csrf = csrf
  expect(await one.send('DELETE', '/api/v1/session/others')).toMatchObject({ status: 200, body: { ended: 1 } })
  expect((await other.send('GET', '/api/v1/session')).status).toBe(401)
  expect((await one.send('GET', '/api/v1/session')).status).toBe(200)
  const filter = { tools: ['operator.other_sessions_ended'] }
  expect((await records.activity.page({ filter, limit: 9 })).calls).toMatchObject([
    { status: 'ok', client: 'admin-token' },
  ])
})
