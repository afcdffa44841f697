// Programs may ask below /admin for what people look at there: approvals and feedback, answered as below /api/v1.
import { describe, expect, test } from 'vitest'
import { openFront } from '../auth/serve-accounts.ts'
import { openOffice, token } from './serve-operators.ts'

const bearer = { authorization: `Bearer ${token}` }
const json = { accept: 'application/json' }
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const told = {
  attempted_action: 'Dropped a note.',
  expected_outcome: 'It is gone.',
  actual_outcome: 'It is still there.',
}

describe('a program that asks below /admin', () => {
  test('reads feedback with its filters as at /api/v1, by its bearer token', async () => {
    const office = await openOffice()
    for (const severity of ['low', 'high']) await office.call('submit_feedback', { ...told, severity })
    const ask = (path: string, headers: Readonly<Record<string, string>>) => fetch(`${office.url}${path}`, { headers })
    const found = await ask('/admin/feedback?since=1h&severity=high', bearer)
    expect(found.headers.get('content-type')).toMatch(/^application\/json/)
    const text = await found.text()
    expect(JSON.parse(text)).toMatchObject({ feedback: [{ severity: 'high', actual_outcome: told.actual_outcome }] })
    expect(text).toBe(await (await ask('/api/v1/feedback?since=1h&severity=high', bearer)).text())
    const wrong = await ask('/admin/feedback?severity=hgih', { ...bearer, ...json })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { fields: [{ name: 'severity' }] } }])
  })

  test('decides an approval there: approving runs the call, rejecting takes no reason', async () => {
    const office = await openOffice()
    const post = (path: string) => fetch(`${office.url}${path}`, { method: 'POST', headers: { ...bearer, ...json } })
    const [yes, no] = [await office.ask('notes_drop', { id: 'n1' }), await office.ask('notes_drop', { id: 'n2' })]
    const approved = await post(`/admin/approvals/${yes}/approve`)
    expect([approved.status, await approved.json()]).toMatchObject([
      200,
      { approval: { state: 'approved' }, outcome: { status: 'applied' } },
    ])
    const rejected = await post(`/admin/approvals/${no}/reject`)
    expect([rejected.status, await rejected.json()]).toMatchObject([200, { approval: { state: 'rejected' } }])
    expect(office.done).toStrictEqual(['dropped n1'])
  })

  test('is refused in JSON where it is nobody, whatever it asks for', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', { id: 'n1' })
    for (const [method, path, headers] of [
      ['GET', '/admin/feedback', json],
      ['GET', `/admin/approvals/${id}`, { authorization: 'Bearer wrong' }],
      ['POST', `/admin/approvals/${id}/approve`, json],
      ['POST', `/admin/approvals/${id}/reject`, { ...html, authorization: 'Bearer wrong' }],
    ] as const) {
      const refused = await fetch(`${office.url}${path}`, { method, headers })
      expect([path, refused.status, await refused.json()]).toMatchObject([
        path,
        401,
        { error: { code: 'unauthorized' } },
      ])
    }
    expect((await office.records.approvals.find(id))?.state).toBe('pending')
  })
})

describe('a browser below /admin', () => {
  test('gets pages, also with a session', async () => {
    const front = await openFront()
    const browser = await front.desk('Eve')
    const other = await browser.send('GET', '/admin/tools', undefined, html)
    // A proxy may have asked the browser for a password of its own, or pass on the token with which somebody signed in to it.
    for (const headers of [
      html,
      { ...html, authorization: 'Basic YTpi' },
      { ...html, authorization: 'Bearer proxy' },
    ]) {
      const page = await browser.send('GET', '/admin/feedback?severity=high', undefined, headers)
      expect([page.status, page.text]).toStrictEqual([other.status, other.text])
      const head = await fetch(`${front.url}/admin/approvals`, { method: 'HEAD', headers })
      expect(head.status).toBe(other.status)
    }
  })

  test('and a program are kept apart by caches', async () => {
    const { url } = await openOffice()
    const varyOf = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await fetch(`${url}${path}`, { headers })).headers.get('vary')
    for (const headers of [html, bearer, json])
      for (const path of ['/admin/feedback', '/admin/approvals', '/admin/approvals/ap_0000000000000000'])
        expect([path, headers, await varyOf(path, headers)]).toStrictEqual([path, headers, 'Accept, Authorization'])
    expect(await varyOf('/api/v1/feedback', bearer)).toBeNull()
    expect(await varyOf('/admin/tools', html)).toBeNull()
  })

  test('decides nothing by a form: not of another origin, and not without the proof of our own page', async () => {
    const front = await openFront()
    const browser = await front.desk('Eve')
    const id = await front.ask('notes_drop', { id: 'n1' })
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    for (const [headers, status] of [
      [{ ...form, ...html, origin: 'https://evil.example' }, 403],
      [{ ...form, ...html, origin: 'null' }, 403],
      // `Accept` may be set by a page of any origin.
      [{ ...form, ...json, origin: 'https://evil.example' }, 403],
      [{ ...form, ...json }, 403],
      [{ ...form, ...html, origin: front.url }, 405],
    ] as const)
      for (const verb of ['approve', 'reject']) {
        const answer = await fetch(`${front.url}/admin/approvals/${id}/${verb}`, { method: 'POST', headers, body: '' })
        expect([headers, verb, answer.status]).toStrictEqual([headers, verb, status])
      }
    expect((await front.records.approvals.find(id))?.state).toBe('pending')
    expect(front.done).toStrictEqual([])
    // The same with the proof of our page decides.
    const decided = await browser.send('POST', `/admin/approvals/${id}/approve`, undefined, json)
    expect([decided.status, front.done]).toStrictEqual([200, ['dropped n1']])
  })
})
