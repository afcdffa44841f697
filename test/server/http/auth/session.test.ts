// Signing in and out: what a browser is given, what a strange page cannot do with it, and what a guesser learns.
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import type { ActivityLine } from '../../../../server/http/activity/activity-wire.ts'
import { casesOf } from '../../../full.ts'
import { token } from '../operators/serve-operators.ts'
import { openBrowser } from './browser.ts'
import { openFront, password, type Front } from './serve-accounts.ts'

const acts = async ({ admin }: Front) =>
  ((await admin('GET', '/activity')).body['activity'] as readonly ActivityLine[])
    .filter(({ source }) => source === 'operator')
    .map(({ tool, subject, status, client }) => [tool, subject, status, client])
    .toReversed()

describe('whoever is not signed in', () => {
  test('is told how to, with a password only once somebody has an account, and nothing else', async () => {
    const { url, add } = await openFront()
    const browser = openBrowser(url)
    expect(await browser.send('GET', '/api/v1/session')).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' }, login: { password: false, oidc: null } },
    })
    await add('Ada', { tenant: 'default', roles: [{ kind: 'viewer' }] })
    expect((await browser.send('GET', '/api/v1/session')).body).toMatchObject({ login: { password: true } })
    expect((await browser.send('GET', '/api/v1/approvals')).status).toBe(401)
  })
})

describe('signing in', () => {
  test('with name and password opens a session that only this browser has', async () => {
    const { url, add } = await openFront()
    await add('Ada', { tenant: 'default', roles: [{ kind: 'viewer' }] })
    const browser = openBrowser(url)
    const answer = await browser.signIn('ada', password)
    const operator = { name: 'Ada', via: 'session', tenant: 'default', roles: [{ kind: 'viewer' }], totp: false }
    expect(answer).toMatchObject({
      status: 200,
      body: { operator, csrf: expect.stringMatching(/^[\w-]{43}$/) as string },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const name = `countersign_session_${new URL(url).port}`
    expect(browser.setCookies.find((line) => line.startsWith(name))).toMatch(
      /^countersign_session_\d+=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect((await browser.send('GET', '/api/v1/session')).body).toStrictEqual(answer.body)
    expect((await browser.send('GET', '/api/v1/approvals')).status).toBe(200)
    expect((await openBrowser(url).send('GET', '/api/v1/approvals')).status).toBe(401)
  })

  test('with the admin token needs no session, and says who that is', async () => {
    const { admin } = await openFront()
    expect((await admin('GET', '/session', undefined, { 'x-countersign-approver': 'Eve' })).body).toStrictEqual({
      operator: { name: 'Eve', via: 'admin-token', tenant: null, roles: [{ kind: 'admin' }], totp: false },
    })
  })

  test('that fails says the same whether the name or the password is wrong, or the account is disabled', async () => {
    const front = await openFront()
    const { url, add, operators } = front
    const { id } = await add('gone')
    await operators.accounts.change(id, { state: 'disabled' })
    await add('ada')
    const answers = [
      await openBrowser(url).signIn('ada', 'not her password'),
      await openBrowser(url).signIn('nobody', password),
      await openBrowser(url).signIn('gone', password),
    ]
    for (const { status, text, headers } of answers)
      expect([status, text, headers.getSetCookie()]).toStrictEqual([401, answers[0]?.text, []])
    expect(await acts(front)).toStrictEqual(
      ['ada', 'nobody', 'gone'].map((name) => ['operator.signed_in', name, 'refused', 'session']),
    )
  })

  test('with a second factor takes its code, each one once', async () => {
    const { url, add, operators } = await openFront()
    const { id } = await add('ada')
    const { secret } = await operators.accounts.factor(id).begin('ada')
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
    await operators.accounts.factor(id).confirm(code(0))
    expect(await openBrowser(url).signIn('ada', password)).toMatchObject({
      status: 428,
      body: { error: { code: 'code-required' } },
    })
    // Only who knows the password hears that there is a code.
    expect((await openBrowser(url).signIn('ada', 'not her password')).status).toBe(401)
    expect(await openBrowser(url).signIn('ada', password, '000000')).toMatchObject({
      status: 401,
      body: { error: { code: 'wrong-code' } },
    })
    const now = code(1)
    const browser = openBrowser(url)
    expect(await browser.signIn('ada', password, now)).toMatchObject({
      status: 200,
      body: { operator: { totp: true } },
    })
    expect((await openBrowser(url).signIn('ada', password, now)).text).toContain('used already')
  })

  test('gives a new value each time and ends the one before; a planted one is worth nothing', async () => {
    const { url, add } = await openFront()
    await add('ada')
    const browser = openBrowser(url)
    await browser.signIn('ada', password)
    const [name = ''] = [...browser.cookies.keys()].filter((each) => each.includes('session'))
    const first = browser.cookies.get(name) ?? ''
    await browser.signIn('ada', password)
    expect(browser.cookies.get(name)).not.toBe(first)
    const old = openBrowser(url)
    old.cookies.set(name, first)
    expect((await old.send('GET', '/api/v1/session')).status).toBe(401)
    const planted = openBrowser(url)
    planted.cookies.set(name, 'A'.repeat(43))
    await planted.signIn('ada', password)
    expect(planted.cookies.get(name)).not.toBe('A'.repeat(43))
    const thief = openBrowser(url)
    thief.cookies.set(name, 'A'.repeat(43))
    expect((await thief.send('GET', '/api/v1/session')).status).toBe(401)
  })

  test('takes JSON only, and names what it cannot understand', async () => {
    const { url } = await openFront()
    const form = await fetch(`${url}/api/v1/session`, { method: 'POST', body: 'name=ada&password=x' })
    expect(form.status).toBe(415)
    for (const body of [{}, { name: 'ada' }, { name: 'ada', password: 7 }, { name: 'a', password: 'b', code: 'x' }])
      expect(await openBrowser(url).send('POST', '/api/v1/session', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad-body' } },
      })
  })

  // A sound hash is compared where nobody has the name, which takes seconds for all of the tries.
  test.each(casesOf(['ada', 'nobody'], String, ['ada']))(
    'is stopped after ten wrong tries on the name %s, but not in a browser that knows the person',
    async (name) => {
      const front = await openFront()
      const { id } = await front.add('ada')
      const known = openBrowser(front.url)
      await known.signIn('ada', password)
      // The sign-in has made the cheap hash of the tests anew; ten tries on a sound one take seconds.
      await front.operators.accounts.setPassword(id, password)
      for (let at = 0; at < 10; at++)
        expect((await openBrowser(front.url).signIn(name, `wrong ${at} wrong`)).status).toBe(401)
      const stopped = await openBrowser(front.url).signIn(name, password)
      expect(stopped).toMatchObject({ status: 429, body: { error: { code: 'too-many-tries' } } })
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(600)
      // Whose browser it is counts for that person only.
      for (const each of new Set(['ada', name]))
        expect((await known.signIn(each, password)).status).toBe(each === 'ada' ? 200 : 429)
    },
  )
})

describe('a session', () => {
  test('changes nothing without the proof that a page of ours asks', async () => {
    const { desk, ask, records } = await openFront()
    const browser = await desk('eve')
    const id = await ask('notes_drop', { id: 'n1' })
    const right = browser.csrf
    for (const csrf of [undefined, '', 'x', `${right}x`, right?.toLowerCase()]) {
      browser.csrf = csrf
      expect(await browser.send('POST', `/api/v1/approvals/${id}/approve`)).toMatchObject({
        status: 403,
        body: { error: { code: 'csrf' } },
      })
      expect((await browser.send('DELETE', '/api/v1/session')).status).toBe(403)
    }
    expect((await records.approvals.find(id))?.state).toBe('pending')
    browser.csrf = right
    expect((await browser.send('POST', `/api/v1/approvals/${id}/approve`)).status).toBe(200)
  })

  test('of one person is not proved by the value of another', async () => {
    const { desk } = await openFront()
    const [ada, eve] = [await desk('ada'), await desk('eve')]
    ada.csrf = eve.csrf
    expect((await ada.send('DELETE', '/api/v1/session')).status).toBe(403)
  })

  test('cannot be used by a page of another origin', async () => {
    const { desk } = await openFront()
    const browser = await desk('ada')
    const strange = await browser.send('GET', '/api/v1/approvals', undefined, { origin: 'https://evil.example' })
    expect(strange.status).toBe(403)
  })

  test('ends when the person signs out, and the browser forgets it', async () => {
    const front = await openFront()
    await front.add('ada')
    const browser = openBrowser(front.url)
    await browser.signIn('ada', password)
    const before = new Map(browser.cookies)
    expect((await browser.send('DELETE', '/api/v1/session')).status).toBe(200)
    expect([...browser.cookies.keys()].filter((name) => name.includes('session'))).toStrictEqual([])
    for (const [name, value] of before) browser.cookies.set(name, value)
    expect((await browser.send('GET', '/api/v1/session')).status).toBe(401)
    expect((await acts(front)).map(([act, who, done]) => [act, who, done])).toStrictEqual([
      ['operator.signed_in', 'ada', 'ok'],
      ['operator.signed_out', 'ada', 'ok'],
    ])
  })

  test('has the roles that the account has now, and none when it is disabled', async () => {
    const { desk, operators } = await openFront()
    const browser = await desk('ada', { roles: [{ kind: 'viewer' }] })
    const { id } = (await operators.accounts.find('ada')) ?? { id: '' }
    expect((await browser.send('GET', '/api/v1/accounts')).status).toBe(403)
    await operators.accounts.change(id, { roles: [{ kind: 'admin' }] })
    expect((await browser.send('GET', '/api/v1/accounts')).status).toBe(200)
    await operators.accounts.change(id, { state: 'disabled' })
    expect((await browser.send('GET', '/api/v1/accounts')).status).toBe(401)
  })

  test('does not help where a wrong token is sent along', async () => {
    const { desk } = await openFront()
    const browser = await desk('ada')
    const send = (authorization: string) => browser.send('GET', '/api/v1/approvals', undefined, { authorization })
    expect([(await send('Bearer wrong')).status, (await send(`Bearer ${token}`)).status]).toStrictEqual([401, 200])
  })
})

test('answers of the API cannot be framed, kept, sniffed or read by other sites', async () => {
  const { desk } = await openFront()
  const browser = await desk('ada')
  for (const path of ['/api/v1/session', '/api/v1/approvals', '/api/v1/nowhere', '/api/v1/activity']) {
    const { headers } = await browser.send('GET', path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})
