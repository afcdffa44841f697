// Who is an operator, and what everybody else learns: nothing.
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openAdminToken } from '../../../../server/http/auth/admin-token.ts'
import { place } from '../../store/store-fixture.ts'
import { openOffice, token } from './serve-operators.ts'

const taken = async (database: string, fromEnvironment?: string) => {
  const result = await openAdminToken(database, fromEnvironment)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

describe('without the token', () => {
  test('every address for operators answers the same 401, whether or not it exists, whatever is sent', async () => {
    const { url, ask } = await openOffice()
    const id = await ask('notes_drop', { id: 'n1' })
    const paths = [
      '',
      '/',
      '/approvals',
      `/approvals/${id}`,
      '/approvals?state=nonsense',
      '/freeze',
      '/nowhere',
      '/a/b/c',
    ]
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer x',
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
    ]
    const answers = await Promise.all([
      ...paths.map((path) => fetch(`${url}/api/v1${path}`)),
      ...wrong.map((authorization) => fetch(`${url}/api/v1/approvals`, { headers: { authorization } })),
      ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => fetch(`${url}/api/v1/approvals/${id}/approve`, { method })),
      fetch(`${url}/api/v1/approvals?token=${token}`),
    ])
    const told = await Promise.all(
      answers.map(async (answer) => [answer.status, await answer.text(), answer.headers.get('www-authenticate')]),
    )
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(told[0]).toStrictEqual([
      401,
      '{"error":{"code":"unauthorized","message":"This needs an operator, and the request names none.","next":"People sign in at /admin; programs send the admin token as `Authorization: Bearer …`."}}',
      'Bearer',
    ])
  })

  test('nothing was decided by any of it', async () => {
    const { url, ask, records, done } = await openOffice()
    const id = await ask('notes_drop', { id: 'n1' })
    await fetch(`${url}/api/v1/approvals/${id}/approve`, { method: 'POST', headers: { authorization: 'Bearer guess' } })
    expect([(await records.approvals.find(id))?.state, done]).toStrictEqual(['pending', []])
  })
})

describe('with the token', () => {
  test('an address that is not there says what is', async () => {
    const { admin } = await openOffice()
    for (const path of ['', '/nowhere', '/approvals/x/y']) {
      const { status, text } = await admin('GET', path)
      expect([status, text]).toStrictEqual([404, expect.stringContaining('/api/v1/approvals')])
    }
  })

  test('answers are not kept by anyone on the way', async () => {
    const { admin } = await openOffice()
    expect((await admin('GET', '/approvals')).headers.get('cache-control')).toBe('no-store')
  })
})

describe('the token itself', () => {
  test('is made once beside the database, for its owner alone, and stays', async () => {
    const database = join(place(), 'desk.db')
    const first = await taken(database)
    expect(first.place).toBe(`${database}.admin-token`)
    expect(first.value).toMatch(/^[\w-]{43}$/)
    expect(statSync(first.place).mode & 0o777).toBe(0o600)
    expect(readFileSync(first.place, 'utf8').trim()).toBe(first.value)
    expect(await taken(database)).toStrictEqual(first)
  })

  test('is one, however many processes start at once', async () => {
    const directory = place()
    const all = await Promise.all(Array.from({ length: 20 }, () => taken(join(directory, 'desk.db'))))
    expect(new Set(all.map(({ value }) => value)).size).toBe(1)
    expect(readdirSync(directory)).toStrictEqual(['desk.db.admin-token'])
  })

  test('comes from the environment where it is set there, and leaves no file', async () => {
    const directory = place()
    expect(await taken(join(directory, 'desk.db'), token)).toStrictEqual({
      value: token,
      kind: 'environment',
      place: 'COUNTERSIGN_ADMIN_TOKEN',
    })
    expect(readdirSync(directory)).toStrictEqual([])
  })

  test('that others may read, that is too short or that cannot be made is refused with the next step', async () => {
    const directory = place()
    const exposed = join(directory, 'exposed.db')
    chmodSync((await taken(exposed)).place, 0o644)
    const short = join(directory, 'short.db')
    writeFileSync(`${short}.admin-token`, 'short\n', { mode: 0o600 })
    for (const [database, said] of [
      [exposed, 'other users may read it'],
      [short, 'needs at least 16'],
      [join(directory, 'nowhere', 'desk.db'), 'cannot be read or created (ENOENT)'],
    ] as const) {
      const result = await openAdminToken(database, undefined)
      expect(result).toMatchObject({ ok: false, failure: { message: expect.stringContaining(said) as string } })
    }
  })

  test('does not exist for a database in memory, and then nobody gets in', async () => {
    expect((await taken(':memory:')).value).toBeUndefined()
  })
})
