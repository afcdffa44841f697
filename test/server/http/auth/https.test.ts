// Behind https: cookies that no other origin can set and no plain connection carries, and the address that the proxy saw.
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createSessionApi } from '../../../../server/http/auth/session-api.ts'
import { sessionCheck } from '../../../../server/http/auth/session.ts'
import { opened } from '../../store/store-fixture.ts'

const password = 'correct horse battery'

const openDoor = async (publicUrl: string | undefined) => {
  const store = await opened({ file: ':memory:' })
  await store.operators.accounts.add({ name: 'ada', tenant: undefined, roles: [], subjects: [], password })
  const signIn = { hours: 2, publicUrl, operators: store.operators, credential: undefined }
  const doors = { adminToken: undefined, session: sessionCheck(signIn) }
  const app = new Hono().route(
    '/api/v1/session',
    createSessionApi({
      ...signIn,
      store,
      doors,
      adminTokenKind: 'none',
      pagesUrl: () => 'http://127.0.0.1:3323',
      report: () => 'in_1',
    }),
  )
  const post = (word: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: '127.0.0.1:3323', ...headers },
      body: JSON.stringify({ name: 'ada', password: word }),
    })
  return { store, app, post }
}

describe('the cookie of a session', () => {
  test('is for https alone where people come by https, whatever the proxy says of the host', async () => {
    const { app, post } = await openDoor('https://desk.example')
    const answer = await post(password)
    const [session = '', known = ''] = answer.headers.getSetCookie()
    expect(session).toMatch(/^__Host-countersign=[\w-]{43}; Max-Age=7200; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect(known).toMatch(
      /^__Host-countersign-known=[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const value = /=([\w-]{43})/.exec(session)?.[1] ?? ''
    const get = (cookie: string) => app.request('/api/v1/session', { headers: { cookie } })
    expect((await get(`__Host-countersign=${value}`)).status).toBe(200)
    // A page on another port of this host could have set this one.
    expect((await get(`countersign_session_3323=${value}`)).status).toBe(401)
  })

  test('carries the port that the browser knows, where there is no https', async () => {
    const name = async (publicUrl: string | undefined) =>
      (await (await openDoor(publicUrl)).post(password)).headers.getSetCookie()[0]?.split('=')[0]
    expect(await name('http://desk.example:8080')).toBe('countersign_session_8080')
    expect(await name('http://desk.example')).toBe('countersign_session_80')
    expect(await name(undefined)).toBe('countersign_session_3323')
  })
})

describe('the address that tries are counted by', () => {
  const addressIn = async (publicUrl: string | undefined, forwarded: string) => {
    const { store, post } = await openDoor(publicUrl)
    expect((await post('not her password', { 'x-forwarded-for': forwarded })).status).toBe(401)
    const { calls } = await store.activity.page({ filter: {}, limit: 1 })
    const record = await store.activity.find(calls[0]?.id ?? '')
    return (JSON.parse(record?.args ?? '{}') as { readonly address?: string }).address
  }

  test('is the last that the proxy in front has seen, and nothing that a caller without one can write', async () => {
    expect(await addressIn('https://desk.example', '203.0.113.9, 198.51.100.7')).toBe('198.51.100.7')
    expect(await addressIn('http://desk.example', '198.51.100.7')).toBe('unknown')
    expect(await addressIn(undefined, '198.51.100.7')).toBe('unknown')
  })
})
