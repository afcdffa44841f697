// Who may decide what, over the web door: roles, amounts, four eyes, several people, and rights that were delegated.
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ActivityRecord } from '../../../../server/http/activity/activity-wire.ts'
import type { Role } from '../../../../server/model/operators.ts'
import { openFront, type Front } from '../../http/auth/serve-accounts.ts'
import { writeTool } from '../../../kit/tools.ts'

const rules = [{ tools: ['notes_drop'], approvers: 2, fourEyes: true }] as const
const notes: Role = { kind: 'approver', tools: ['notes_*'] }
const viewer: Role = { kind: 'viewer' }
const approve = (id: string) => `/api/v1/approvals/${id}/approve`

/** A tool whose card has a total, and one of the same kind whose card has none. */
const payTool = (done: string[], name: 'pay' | 'wire') =>
  writeTool({
    name: `bills.${name}`,
    title: 'Pay a bill',
    noun: 'the payment',
    risk: 'critical',
    input: z.strictObject({ amount: z.string() }),
    output: z.strictObject({ paid: z.string() }),
    basis: () => '1',
    preview: ({ amount }) => ({
      title: 'Pay a bill',
      summary: `Pays ${amount} EUR.`,
      confirmLabel: 'Pay',
      ...(name === 'wire'
        ? {}
        : {
            blocks: [
              {
                kind: 'lines' as const,
                itemLabel: 'Bill',
                columns: [],
                items: [{ label: 'A bill', cells: [] }],
                totals: [{ label: 'Total', value: { kind: 'money' as const, amount, currency: 'EUR' } }],
              },
            ],
          }),
    }),
    run: ({ amount }) => {
      done.push(`paid ${amount}`)
      return { paid: amount }
    },
  })

const openTill = async () => {
  const done: string[] = []
  const front = await openFront({ tools: [payTool(done, 'pay'), payTool(done, 'wire')] })
  return { ...front, done }
}

/** Everything that the record says of an approval, oldest first. */
const storyOf = async ({ admin }: Front, approval: string): Promise<readonly ActivityRecord[]> =>
  (await admin('GET', `/activity/${approval}`)).body['story'] as readonly ActivityRecord[]

/** What operators did. */
const acts = async (front: Front, approval: string) =>
  (await storyOf(front, approval)).filter(({ source }) => source === 'operator')

describe('a role', () => {
  test('of a viewer sees everything of the tenant and decides nothing', async () => {
    const { desk, ask, records } = await openFront()
    const browser = await desk('vera', { roles: [viewer] })
    const id = await ask('notes_drop', { id: 'n1' })
    expect(await browser.send('GET', `/api/v1/approvals/${id}`)).toMatchObject({
      status: 200,
      body: {
        id,
        you: { approve: { may: false, why: expect.stringContaining('look at') as string }, reject: { may: false } },
      },
    })
    expect(await browser.send('POST', approve(id))).toMatchObject({
      status: 403,
      body: { error: { code: 'not-yours-to-decide' } },
    })
    expect((await browser.send('POST', `/api/v1/approvals/${id}/reject`, { reason: 'Not today.' })).status).toBe(403)
    for (const path of ['freeze', 'unfreeze'])
      expect((await browser.send('POST', `/api/v1/${path}`, { reason: 'Stop it all.' })).status).toBe(403)
    expect((await records.approvals.find(id))?.state).toBe('pending')
  })

  test('of an approver reaches their tools, under their own name whatever they say', async () => {
    const { desk, ask, done } = await openFront()
    const [eve, mia] = [
      await desk('Eve', { roles: [notes] }),
      await desk('mia', { roles: [{ kind: 'approver', tools: ['mail_*'] }] }),
    ]
    const id = await ask('notes_drop', { id: 'n1' })
    expect((await mia.send('POST', approve(id))).text).toContain('You approve other tools')
    const answer = await eve.send('POST', approve(id), { by: 'Somebody else' }, { 'x-countersign-approver': 'Boss' })
    expect(answer).toMatchObject({
      status: 200,
      body: { approval: { decided_by: 'Eve' }, outcome: { status: 'applied' } },
    })
    expect(done).toStrictEqual(['dropped n1'])
  })

  test('of an approver up to an amount reads it from the totals of the card', async () => {
    const till = await openTill()
    const eve = await till.desk('eve', {
      roles: [{ kind: 'approver', tools: ['bills_*'], maxAmount: { value: '500', currency: 'EUR' } }],
    })
    const above = await till.ask('bills_pay', { amount: '500.01' })
    expect((await eve.send('POST', approve(above))).text).toContain('500.01 EUR, which is more than you approve')
    const unknown = await till.ask('bills_wire', { amount: '1.00' })
    expect((await eve.send('POST', approve(unknown))).text).toContain('cannot be told from its card')
    expect((await eve.send('GET', `/api/v1/approvals/${unknown}`)).body).toMatchObject({
      you: { approve: { may: false }, reject: { may: true } },
    })
    const within = await till.ask('bills_pay', { amount: '500.00' })
    expect((await eve.send('POST', approve(within))).status).toBe(200)
    expect((await eve.send('POST', `/api/v1/approvals/${above}/reject`, { reason: 'Too much.' })).status).toBe(200)
    expect(till.done).toStrictEqual(['paid 500.00'])
  })
})

describe('another tenant', () => {
  test('is not there: not in a list, not by its id, not by a page that begins at it, not in an error', async () => {
    const { desk, call } = await openFront()
    const acme = await desk('eve', { tenant: 'acme' })
    const asked = await call('notes_drop', { id: 'n1' }, { 'x-tenant': 'globex' })
    const id = String(asked.body['approval_id'])
    const nobody = await acme.send('GET', '/api/v1/approvals?tenant=nobody')
    for (const query of ['', '?tenant=globex', '?tenant=acme', `?before=${id}`, '?before=ap_0000000000000000'])
      expect((await acme.send('GET', `/api/v1/approvals${query}`)).text).toBe(nobody.text)
    const unknown = 'ap_0000000000000000'
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/approve', {}],
      ['POST', '/reject', { reason: 'Not today.' }],
    ] as const) {
      const [theirs, none] = [id, unknown].map((each) => acme.send(method, `/api/v1/approvals/${each}${path}`, body))
      const [one, other] = [await theirs, await none]
      expect([one?.status, one?.text.replaceAll(id, unknown)]).toStrictEqual([404, other?.text])
    }
    for (const tenant of ['globex', 'nowhere'])
      for (const path of ['freeze', 'unfreeze'])
        expect(
          (await acme.send('POST', `/api/v1/${path}`, { tenant, ...(path === 'freeze' ? { reason: 'Stop.' } : {}) }))
            .status,
        ).toBe(403)
    expect((await acme.send('GET', '/api/v1/accounts')).text).not.toContain('globex')
  })

  test('is not frozen by who freezes their own', async () => {
    const { desk, call, admin } = await openFront()
    const acme = await desk('eve', { tenant: 'acme' })
    expect((await acme.send('POST', '/api/v1/freeze', { reason: 'Audit.' })).body).toMatchObject({ tenant: 'acme' })
    expect((await call('notes_drop', { id: 'n1' }, { 'x-tenant': 'acme' })).status).toBe(423)
    expect((await call('notes_drop', { id: 'n1' }, { 'x-tenant': 'globex' })).status).toBe(202)
    await admin('POST', '/freeze', { tenant: 'globex', reason: 'Another audit.' })
    expect((await acme.send('GET', '/api/v1/freeze')).text).not.toContain('globex')
    expect((await acme.send('POST', '/api/v1/unfreeze', {})).status).toBe(200)
  })
})

describe('four eyes', () => {
  test('who asks does not approve, by name or by a subject that is theirs', async () => {
    const { desk, call, done } = await openFront({ settings: { approvals: rules } })
    const asked = await call('notes_drop', { id: 'n1' }, { 'x-subject': 'ada/claude' })
    const id = String(asked.body['approval_id'])
    for (const [name, subjects] of [
      ['Ada', []],
      ['Countess', ['ada/*']],
    ] as const) {
      const browser = await desk(name, { subjects })
      expect(await browser.send('POST', approve(id))).toMatchObject({
        status: 403,
        body: {
          error: {
            code: 'not-yours-to-decide',
            message: expect.stringContaining('who asks does not approve') as string,
          },
        },
      })
    }
    expect(done).toStrictEqual([])
  })

  test('two people must agree; the call runs once, with the second vote', async () => {
    const front = await openFront({ settings: { approvals: rules } })
    const id = await front.ask('notes_drop', { id: 'n1' })
    const [eve, bob] = [await front.desk('eve', { roles: [notes] }), await front.desk('bob', { roles: [notes] })]
    expect(await eve.send('POST', approve(id))).toMatchObject({
      status: 202,
      body: {
        approval: {
          state: 'pending',
          needs: { approvers: 2, four_eyes: true, missing: 1 },
          votes: [{ by: 'eve', via: 'session' }],
        },
        outcome: null,
      },
    })
    expect(front.done).toStrictEqual([])
    expect(await eve.send('POST', approve(id))).toMatchObject({
      status: 409,
      body: { error: { code: 'voted-before' } },
    })
    expect((await front.call('notes_drop', { id: 'n1', ticket: id, preview: false })).body).toMatchObject({
      approval_id: id,
    })
    expect(await bob.send('POST', approve(id))).toMatchObject({
      status: 200,
      body: {
        approval: { state: 'approved', decided_by: 'eve, bob', needs: { missing: 0 }, call: { state: 'applied' } },
        outcome: { status: 'applied' },
      },
    })
    expect(front.done).toStrictEqual(['dropped n1'])
    const said = (await acts(front, id)).map((row) => [
      row.tool,
      row.subject,
      row.client,
      row.verdict ?? row.error_code,
    ])
    expect(said).toStrictEqual([
      ['approval.approved', 'eve', 'session', 'vote:1 missing'],
      ['approval.approved', 'eve', 'session', 'voted-before'],
      ['approval.approved', 'bob', 'session', 'decided'],
    ])
  })

  test('the admin token is one person, under however many names', async () => {
    const { ask, admin, done } = await openFront({ settings: { approvals: [{ ...rules[0], fourEyes: false }] } })
    const id = await ask('notes_drop', { id: 'n1' })
    expect((await admin('POST', `/approvals/${id}/approve`, { by: 'Eve' })).status).toBe(202)
    expect((await admin('POST', `/approvals/${id}/approve`, { by: 'Bob' })).status).toBe(409)
    expect(done).toStrictEqual([])
  })

  test('the admin token does not approve under any name, reads the way out, and may reject', async () => {
    const { ask, admin, desk, records, done } = await openFront({ settings: { approvals: rules } })
    const id = await ask('notes_drop', { id: 'n1' })
    const wayOut = expect.stringContaining('countersign account add') as string
    for (const by of ['root', 'somebody'])
      expect(await admin('POST', `/approvals/${id}/approve`, { by })).toMatchObject({
        status: 403,
        body: { error: { code: 'not-yours-to-decide', next: wayOut } },
      })
    expect((await admin('GET', `/approvals/${id}`)).body).toMatchObject({
      you: { approve: { may: false, why: wayOut }, reject: { may: true } },
    })
    expect((await records.approvals.find(id))?.votes).toStrictEqual([])
    const eve = await desk('eve')
    expect((await eve.send('POST', approve(id))).status).toBe(202)
    expect((await admin('POST', `/approvals/${id}/reject`, { reason: 'Not today.' })).status).toBe(200)
    expect(done).toStrictEqual([])
  })

  test('a person is told that they have voted by who they are, not by what they are called', async () => {
    const { ask, admin, desk } = await openFront({ settings: { approvals: [{ ...rules[0], fourEyes: false }] } })
    const id = await ask('notes_drop', { id: 'n1' })
    const eve = await desk('eve')
    expect((await admin('POST', `/approvals/${id}/approve`, { by: 'eve' })).body).toMatchObject({
      approval: { you: { voted: true } },
    })
    expect((await eve.send('GET', `/api/v1/approvals/${id}`)).body).toMatchObject({ you: { voted: false } })
    expect((await admin('GET', `/approvals/${id}`)).body).toMatchObject({ you: { voted: true } })
  })

  test('a vote is gone with the account that cast it, and one more must agree', async () => {
    const { ask, desk, operators, done } = await openFront({ settings: { approvals: rules } })
    const id = await ask('notes_drop', { id: 'n1' })
    const [eve, bob, cid] = [await desk('eve'), await desk('bob'), await desk('cid')]
    await eve.send('POST', approve(id))
    await operators.accounts.change((await operators.accounts.find('eve'))?.id ?? '', { state: 'disabled' })
    expect((await bob.send('GET', `/api/v1/approvals/${id}`)).body).toMatchObject({ needs: { missing: 2 }, votes: [] })
    expect((await bob.send('POST', approve(id))).status).toBe(202)
    expect(done).toStrictEqual([])
    expect((await cid.send('POST', approve(id))).body).toMatchObject({ approval: { decided_by: 'bob, cid' } })
    expect(done).toStrictEqual(['dropped n1'])
  })

  test('one no ends it, and the agent hears why', async () => {
    const { ask, call, desk, done } = await openFront({ settings: { approvals: rules } })
    const id = await ask('notes_drop', { id: 'n1' })
    const [eve, bob] = [await desk('eve'), await desk('bob')]
    await eve.send('POST', approve(id))
    expect((await bob.send('POST', `/api/v1/approvals/${id}/reject`, { reason: 'Ask legal first.' })).status).toBe(200)
    expect((await call('notes_drop', { id: 'n1', ticket: id, preview: false })).text).toContain('Ask legal first.')
    expect(done).toStrictEqual([])
  })

  test('of many who press at once, the call still runs once', async () => {
    const { ask, desk, done } = await openFront({ settings: { approvals: rules } })
    const desks = [await desk('a1'), await desk('b2'), await desk('c3'), await desk('d4')]
    for (let round = 0; round < 3; round++) {
      const id = await ask('notes_drop', { id: `n${round}` })
      const statuses = (await Promise.all(desks.map((each) => each.send('POST', approve(id))))).map(
        ({ status }) => status,
      )
      expect(statuses.toSorted((one, other) => one - other)).toStrictEqual([200, 202, 409, 409])
    }
    expect(done).toStrictEqual(['dropped n0', 'dropped n1', 'dropped n2'])
  })
})

describe('a right that was delegated', () => {
  const openWithLoan = async (settings = {}) => {
    const front = await openFront({ settings })
    const [lena, bob] = [await front.desk('Lena', { roles: [notes] }), await front.desk('Bob', { roles: [viewer] })]
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const made = await lena.send('POST', '/api/v1/delegations', { to: 'bob', until, tools: ['notes_d*'] })
    expect(made).toMatchObject({ status: 201, body: { from: 'Lena', to: 'Bob', tools: ['notes_d*'] } })
    return { ...front, lena, bob, delegation: String(made.body['id']) }
  }

  test('decides like its lender, and the record names both', async () => {
    const office = await openWithLoan()
    const { ask, bob, delegation, done } = office
    const [drop, send] = [await ask('notes_drop', { id: 'n1' }), await ask('notes_send', { id: 'n1', recipients: 1 })]
    expect((await bob.send('GET', `/api/v1/approvals/${drop}`)).body).toMatchObject({
      you: { approve: { may: true, on_behalf_of: 'Lena' } },
    })
    // What was delegated does not reach every tool of the giver's.
    expect((await bob.send('POST', approve(send))).status).toBe(403)
    expect(await bob.send('POST', approve(drop))).toMatchObject({
      status: 200,
      body: { approval: { decided_by: 'Bob for Lena', votes: [{ by: 'Bob', on_behalf_of: 'Lena', delegation }] } },
    })
    expect(done).toStrictEqual(['dropped n1'])
    expect(await acts(office, drop)).toMatchObject([
      { tool: 'approval.approved', subject: 'Bob', status: 'ok', arguments: { on_behalf_of: 'Lena', delegation } },
    ])
  })

  test('is gone when it is taken back, and cannot be delegated further', async () => {
    const { ask, lena, bob, desk, delegation } = await openWithLoan()
    const id = await ask('notes_drop', { id: 'n1' })
    const cid = await desk('cid', { roles: [viewer] })
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect(await bob.send('POST', '/api/v1/delegations', { to: 'cid', until })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('nothing to delegate') as string } },
    })
    expect((await bob.send('POST', '/api/v1/delegations', { from: 'Lena', to: 'cid', until })).status).toBe(409)
    expect((await cid.send('DELETE', `/api/v1/delegations/${delegation}`)).status).toBe(404)
    expect((await lena.send('DELETE', `/api/v1/delegations/${delegation}`)).status).toBe(200)
    expect((await bob.send('POST', approve(id))).status).toBe(403)
  })

  test('is on record when it is delegated and revoked, by whom and between whom', async () => {
    const { lena, delegation, records, admin } = await openWithLoan()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const other = await admin('POST', '/delegations', { from: 'Lena', to: 'Bob', until })
    expect(other.status).toBe(201)
    expect((await admin('POST', '/delegations', { to: 'Bob', until })).text).toContain('whose right you may delegate')
    expect((await lena.send('DELETE', `/api/v1/delegations/${delegation}`)).status).toBe(200)
    expect((await lena.send('DELETE', `/api/v1/delegations/${delegation}`)).status).toBe(404)
    const page = await records.activity.page({ filter: {}, limit: 20 })
    const said = page.calls
      .filter(({ tool }) => tool.startsWith('operator.') && tool.includes('delegated'))
      .map(({ tool, subject, status }) => [tool, subject, status])
    expect(said.toReversed()).toStrictEqual([
      ['operator.delegated', 'Lena', 'ok'],
      ['operator.delegated', 'admin', 'ok'],
      ['operator.undelegated', 'Lena', 'ok'],
      ['operator.undelegated', 'Lena', 'refused'],
    ])
  })

  test('never serves who asks, and does not make two of one', async () => {
    const { call, lena, bob, done } = await openWithLoan({ approvals: rules })
    const own = String((await call('notes_drop', { id: 'n1' }, { 'x-subject': 'bob' })).body['approval_id'])
    expect((await bob.send('POST', approve(own))).text).toContain('who asks does not approve')
    const lenders = String((await call('notes_drop', { id: 'n2' }, { 'x-subject': 'lena' })).body['approval_id'])
    expect((await bob.send('POST', approve(lenders))).status).toBe(403)
    const other = String((await call('notes_drop', { id: 'n3' }, { 'x-subject': 'cid' })).body['approval_id'])
    expect((await bob.send('POST', approve(other))).status).toBe(202)
    expect(await lena.send('POST', approve(other))).toMatchObject({
      status: 409,
      body: { error: { code: 'voted-before' } },
    })
    expect(done).toStrictEqual([])
  })

  test('needs a date that comes, within a year, and an account of the same tenant', async () => {
    const { desk } = await openFront()
    const lena = await desk('lena', { tenant: 'acme', roles: [notes] })
    await desk('bob', { tenant: 'globex' })
    const lend = async (to: string, until: string) =>
      (await lena.send('POST', '/api/v1/delegations', { to, until })).status
    expect(await lend('bob', '2999-01-01')).toBe(409)
    expect(await lend('nobody', '2999-01-01')).toBe(409)
    await desk('ann', { tenant: 'acme', roles: [viewer] })
    expect(await lend('ann', '2999-01-01')).toBe(409)
    expect(await lend('ann', '2020-01-01')).toBe(409)
    for (const until of ['tomorrow', '2027-02-31', '7 days', ''])
      expect([until, await lend('ann', until)]).toStrictEqual([until, 400])
    expect(await lend('lena', new Date(Date.now() + 1000_000).toISOString())).toBe(409)
    expect(await lend('ann', new Date(Date.now() + 1000_000).toISOString())).toBe(201)
  })
})

describe('the second factor of a decision', () => {
  test('is that of the person who decides', async () => {
    const { add, desk, ask, operators, done } = await openFront()
    const { id: account } = await add('eve')
    const eve = await desk('eve')
    const many = await ask('notes_send', { id: 'n1', recipients: 11 })
    expect(await eve.send('POST', approve(many))).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'second-factor-not-enrolled',
          next: expect.stringContaining('countersign account totp eve') as string,
        },
      },
    })
    const { secret } = await operators.accounts.factor(account).begin('eve')
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
    await operators.accounts.factor(account).confirm(code(0))
    expect((await eve.send('GET', `/api/v1/approvals/${many}`)).body).toMatchObject({ second_factor_needed: true })
    expect((await eve.send('POST', approve(many), { code: '000000' })).status).toBe(403)
    expect((await eve.send('POST', approve(many), { code: code(1) })).status).toBe(200)
    expect(done).toStrictEqual(['sent n1'])
  })
})

test('the approved call, its decision and what came of it are one story, under one approval', async () => {
  const front = await openFront()
  const eve = await front.desk('eve')
  const id = await front.ask('notes_drop', { id: 'n1' })
  await eve.send('POST', approve(id))
  await front.call('notes_drop', { id: 'n1', ticket: id, preview: false })
  const story = await storyOf(front, id)
  expect(story.map((row) => [row.tool, row.source, row.status, row.approval_id])).toStrictEqual([
    ['notes_drop', 'rest', 'awaiting_approval', id],
    ['approval.approved', 'operator', 'ok', id],
    ['notes_drop', 'approval', 'applied', id],
    ['notes_drop', 'rest', 'replayed', id],
  ])
})
