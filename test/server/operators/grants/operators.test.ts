// Who gives, who revokes and who sees a grant, with accounts and sessions as people have them.
import { describe, expect, test } from 'vitest'
import type { Role } from '../../../../server/model/operators.ts'
import type { AccountChange } from '../../../../server/store/store.ts'
import { openBrowser, type Browser } from '../../http/auth/browser.ts'
import { openFront, password } from '../../http/auth/serve-accounts.ts'
import type { Office } from '../../http/operators/serve-operators.ts'
import type { ReadResponse } from '../../../kit/read-response.ts'

const until = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10)
const terms = (more: object = {}): object => ({
  tool: 'notes_send',
  subject: 'ada',
  condition: 'recipients < 10',
  times: 2,
  until,
  ...more,
})

const give = (browser: Browser, more: object = {}): Promise<ReadResponse> =>
  browser.send('POST', '/api/v1/grants', terms(more))
const idOf = ({ body }: ReadResponse): string => (body['grant'] as { readonly id: string }).id
const admin: Role = { kind: 'admin' }

test('an approver gives and revokes for the tools that are theirs; a viewer looks', async () => {
  const office = await openFront()
  const sender = await office.desk('Sam', { roles: [{ kind: 'approver', tools: ['notes_send'] }] })
  const other = await office.desk('Tia', { roles: [{ kind: 'approver', tools: ['notes_tidy'] }] })
  const limited = await office.desk('Lou', {
    roles: [{ kind: 'approver', tools: ['*'], maxAmount: { value: '100.00', currency: 'EUR' } }],
  })
  const viewer = await office.desk('Vic', { roles: [{ kind: 'viewer' }] })
  const given = await give(sender, { by: 'Somebody Else' })
  expect(given).toMatchObject({ status: 201, body: { grant: { given_by: 'Sam' } } })
  for (const [browser, words] of [
    [other, 'other tools'],
    [limited, 'up to an amount'],
    [viewer, 'not give them'],
  ] as const) {
    const told = await give(browser)
    expect(told).toMatchObject({ status: 403, body: { error: { code: 'not-yours-to-give' } } })
    expect(told.text).toContain(words)
    expect((await browser.send('GET', `/api/v1/grants/${idOf(given)}`)).body).toMatchObject({ id: idOf(given) })
  }
  const path = `/api/v1/grants/${idOf(given)}`
  expect(await other.send('DELETE', path)).toMatchObject({ status: 403 })
  expect(await viewer.send('DELETE', path)).toMatchObject({ status: 403 })
  // Up to an amount is enough to take back.
  expect(await limited.send('DELETE', path)).toMatchObject({ status: 200, body: { grant: { revoked: { by: 'Lou' } } } })
})

test('an unsafe request without the proof of a page gives and revokes nothing', async () => {
  const office = await openFront()
  const browser = await office.desk('Ann', { roles: [admin] })
  const id = idOf(await give(browser))
  browser.csrf = undefined
  expect((await give(browser)).status).toBe(403)
  expect((await browser.send('DELETE', `/api/v1/grants/${id}`)).status).toBe(403)
  expect((await browser.send('GET', `/api/v1/grants/${id}`)).body).toMatchObject({ state: 'active' })
})

test('where who asks is never who approves, an admin gives it, by name, and never for their own calls', async () => {
  const office = await openFront({
    settings: { approvals: [{ tools: ['notes_send'], approvers: 1, fourEyes: true }] },
  })
  const approver = await office.desk('Sam', { roles: [{ kind: 'approver', tools: ['*'] }] })
  const boss = await office.desk('Ann', { roles: [admin] })
  expect((await give(approver)).text).toContain('takes an admin')
  expect((await give(boss, { subject: null })).text).toContain('would include you')
  expect((await give(boss, { subject: 'ann/claude' })).text).toContain('never who approves')
  expect((await give(boss)).status).toBe(201)
})

test('to an operator of one tenant the permissions of another do not exist', async () => {
  const office = await openFront()
  const everywhere = await office.desk('Ann', { roles: [admin] })
  const acme = await office.desk('Max', { roles: [admin], tenant: 'acme' })
  const theirs = idOf(await give(everywhere, { tenant: 'other' }))
  const own = await give(acme)
  expect(own.body).toMatchObject({ grant: { tenant: 'acme' } })
  expect(await give(acme, { tenant: 'other' })).toMatchObject({ status: 403 })

  const list = async (query = ''): Promise<unknown> => (await acme.send('GET', `/api/v1/grants${query}`)).body
  expect(await list()).toMatchObject({ grants: [{ id: idOf(own) }], next: null })
  const nothing = await list('?tenant=nobody')
  expect(await list('?tenant=other')).toStrictEqual(nothing)
  expect(await list(`?before=${theirs}`)).toStrictEqual(nothing)
  const unknown = 'gr_0000000000000000'
  for (const [method, end] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/renew'],
  ] as const) {
    const [real, invented] = [
      await acme.send(method, `/api/v1/grants/${theirs}${end}`, method === 'POST' ? {} : undefined),
      await acme.send(method, `/api/v1/grants/${unknown}${end}`, method === 'POST' ? {} : undefined),
    ]
    expect(real.status).toBe(404)
    expect(real.text.replaceAll(theirs, unknown)).toBe(invented.text)
  }
  const approval = await office.ask('notes_send', { id: 'n', recipients: 1, preview: false })
  expect((await acme.send('GET', `/api/v1/approvals/${approval}/grant-proposal`)).status).toBe(404)
  expect((await give(acme, { approval_id: approval })).text).toContain('There is no approval')
})

describe('who gave a permission is asked about at every use', () => {
  const call = (office: Office, subject = 'ada'): Promise<ReadResponse> =>
    office.call('notes_send', { id: 'n', recipients: 1, preview: false }, { 'x-subject': subject })
  const waits = { requires_human_approval: true }
  const approverOf = (tools: readonly string[]): Role => ({ kind: 'approver', tools })
  const rule = (approvers: number, fourEyes: boolean) => ({
    settings: { approvals: [{ tools: ['notes_send'], approvers, fourEyes }] },
  })

  /** The account of this name, changed as an admin changes it. */
  async function change(office: Office, name: string, changed: AccountChange | 'removed'): Promise<void> {
    const { accounts } = office.records.operators
    const id = (await accounts.find(name))?.id ?? ''
    if (changed === 'removed') await accounts.remove(id)
    else await accounts.change(id, changed)
  }

  test.each<[string, AccountChange | 'removed', string]>([
    ['was removed', 'removed', 'Sam, who gave it, has no active account.'],
    ['is disabled', { state: 'disabled' }, 'Sam, who gave it, has no active account.'],
    ['only looks now', { roles: [{ kind: 'viewer' }] }, 'Sam, who gave it, may no longer approve anything.'],
    [
      'approves other tools now',
      { roles: [approverOf(['notes_tidy'])] },
      'Sam, who gave it, may no longer approve this tool.',
    ],
    [
      'approves up to an amount now',
      { roles: [{ kind: 'approver', tools: ['*'], maxAmount: { value: '100.00', currency: 'EUR' } }] },
      'Sam, who gave it, may now approve only up to an amount.',
    ],
    ['is of another tenant now', { tenant: 'other' }, 'Sam, who gave it, now belongs to another tenant.'],
  ])('of somebody who %s it covers nothing, and says why, until another renews it', async (_, changed, why) => {
    const office = await openFront()
    const sam = await office.desk('Sam', { roles: [approverOf(['notes_send'])] })
    const boss = await office.desk('Ann', { roles: [admin] })
    const id = idOf(await give(sam, { times: 3 }))
    expect((await call(office)).body).toMatchObject({ status: 'applied' })

    await change(office, 'Sam', changed)
    const asked = await call(office)
    expect(asked.body).toMatchObject(waits)
    // What became of an account is no business of the agent's.
    expect(asked.text).not.toContain('Sam')
    expect((await boss.send('GET', '/api/v1/grants')).body).toMatchObject({
      grants: [{ id, state: 'suspended', suspended_because: why, left: 2 }],
    })
    const story = await boss.send('GET', `/api/v1/activity/${String(asked.body['approval_id'])}/story`)
    expect(story.text).toContain('grant.lapsed')
    expect(story.text).toContain(why)

    expect(await boss.send('POST', `/api/v1/grants/${id}/renew`, {})).toMatchObject({
      status: 200,
      body: { grant: { state: 'active', given_by: 'Sam', renewed: { by: 'Ann' } } },
    })
    expect((await call(office)).body).toMatchObject({ status: 'applied' })
  })

  test.each([
    ['four eyes', rule(1, true)],
    ['two people', rule(2, false)],
  ])('one that an admin gave themselves ends with a later rule of %s, and they cannot renew it', async (_, ruled) => {
    const office = await openFront()
    const boss = await office.desk('Ann', { roles: [admin] })
    const id = idOf(await give(boss, { subject: 'ann/claude' }))
    expect((await call(office, 'ann/claude')).body).toMatchObject({ status: 'applied' })
    const later = await openFront({ store: office.file, ...ruled })
    expect((await call(later, 'ann/claude')).body).toMatchObject(waits)
    const again = openBrowser(later.url)
    await again.signIn('Ann', password)
    expect((await again.send('GET', `/api/v1/grants/${id}`)).body).toMatchObject({
      state: 'suspended',
      suspended_because: 'An approval rule now asks for more than one person, and Ann gave it for their own calls.',
    })
    expect(await again.send('POST', `/api/v1/grants/${id}/renew`, {})).toMatchObject({ status: 403 })
    expect((await call(later, 'ann/claude')).body).toMatchObject(waits)
  })

  test.each([
    ['four eyes', rule(1, true)],
    ['two people', rule(2, false)],
  ])('what the admin token gave ends with a later rule of %s: it may be who asks', async (_, ruled) => {
    const office = await openFront()
    const given = await office.admin('POST', '/grants', terms({ by: 'Grace' }))
    expect((await call(office)).body).toMatchObject({ status: 'applied' })
    const later = await openFront({ store: office.file, ...ruled })
    expect((await call(later)).body).toMatchObject(waits)
    expect((await later.admin('GET', `/grants/${idOf(given)}`)).body).toMatchObject({
      suspended_because:
        'An approval rule now asks for more than one person, and the admin token does not show who gave it.',
    })
  })

  test('a rule for some risks suspends nothing for the others', async () => {
    const office = await openFront()
    const sam = await office.desk('Sam', { roles: [approverOf(['*'])] })
    const id = idOf(await give(sam))
    const later = await openFront({
      store: office.file,
      settings: { approvals: [{ tools: ['notes_send'], risk: ['critical'], approvers: 2, fourEyes: true }] },
    })
    expect((await later.admin('GET', `/grants/${id}`)).body).toMatchObject({ state: 'active' })
    expect((await call(later)).body).toMatchObject({ status: 'applied' })
  })

  test('a delegated right gives none: who stands in for somebody gives and renews by their own right alone', async () => {
    const office = await openFront()
    const sam = await office.desk('Sam', { roles: [approverOf(['*'])] })
    const bob = await office.desk('Bob', { roles: [approverOf(['notes_tidy'])] })
    const id = idOf(await give(sam))
    const lent = await sam.send('POST', '/api/v1/delegations', { to: 'Bob', until })
    expect(lent.status).toBe(201)
    expect(await give(bob)).toMatchObject({ status: 403, body: { error: { code: 'not-yours-to-give' } } })
    expect(await bob.send('POST', `/api/v1/grants/${id}/renew`, {})).toMatchObject({ status: 403 })
  })

  test('an account of the same name is another person', async () => {
    const office = await openFront()
    const sam = await office.desk('Sam', { roles: [approverOf(['*'])] })
    await give(sam)
    await change(office, 'Sam', 'removed')
    await office.desk('Sam', { roles: [admin] })
    expect((await call(office)).body).toMatchObject(waits)
  })
})
