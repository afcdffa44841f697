// The operators' door for approvals: what a call that waits says, what deciding does, and every way not to decide.
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { openOffice, why, type Office } from './serve-operators.ts'

const repeat = (office: Office, tool: string, args: object, ticket: string, headers = {}) =>
  office.call(tool, { ...args, ticket, preview: false }, headers)

const note = { id: 'n1' }

describe('a call that a person must decide', () => {
  test('answers exactly what the design says, and where to decide', async () => {
    const office = await openOffice()
    const { status, body } = await office.call('notes_drop', note)
    expect(status).toBe(202)
    expect(body).toStrictEqual({
      requires_human_approval: true,
      approval_id: expect.stringMatching(/^ap_[0-9a-z]{16}$/) as string,
      approval_url: `${office.url}/admin/approvals/${String(body['approval_id'])}`,
      summary: 'Drop note n1 for good.',
      ttl_seconds: 86400,
      next: expect.stringMatching(/^Tell the person to approve or reject ap_.*\.$/) as string,
    })
    const shown = await office.admin('GET', `/approvals/${String(body['approval_id'])}`)
    expect(shown).toMatchObject({
      status: 200,
      body: {
        id: body['approval_id'],
        state: 'pending',
        tool: 'notes_drop',
        risk: 'critical',
        agent_claim: why,
        requested_by: { tenant: 'default', subject: 'ada' },
        card: { kind: 'approval', title: 'Drop note n1', actions: [] },
        call: { state: 'open' },
      },
    })
    expect(office.done).toStrictEqual([])
  })

  test('is one approval however often it is asked for, and none for a call that a card could not confirm anyway', async () => {
    const office = await openOffice()
    const ids = [await office.ask('notes_drop', note), await office.ask('notes_drop', note)]
    expect(new Set(ids).size).toBe(1)
    expect((await office.admin('GET', '/approvals?state=pending')).body['approvals']).toHaveLength(1)
  })

  test('is told apart by who asks: to another principal it does not exist', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    await office.admin('POST', `/approvals/${id}/approve`)
    const foreign = await repeat(office, 'notes_drop', note, id, { 'x-subject': 'mallory' })
    const unknown = await repeat(office, 'notes_drop', note, 'ap_0000000000000000')
    expect(foreign).toMatchObject({ status: 409, body: { status: 'refused' } })
    expect(foreign.body).toStrictEqual(unknown.body)
    expect(JSON.stringify(foreign.body)).not.toContain('pl_')
  })
})

describe('a list that is longer than the card', () => {
  test('is read on by an approver, for whoever asked, while the decision is open', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    const page = (query: string) => office.admin('GET', `/approvals/${id}/lists/${query}`)
    expect(await page('copies?after=p1')).toMatchObject({
      status: 200,
      body: { rows: [{ key: 'a', cells: [{ text: 'n1 of ada, after p1' }] }] },
    })
    expect(await page('others')).toMatchObject({ status: 404, body: { error: { code: 'unknown-list' } } })
    expect(await page('copies?key=a')).toMatchObject({ status: 404 })
    expect(await page('copies?limit=5000')).toMatchObject({ status: 400 })
    const broken = await page('copies?after=broken')
    expect(broken).toMatchObject({ status: 409, body: { error: { code: 'tool-crashed' } } })
    expect(JSON.stringify(broken.body)).not.toContain('disk')
    expect(await office.admin('GET', '/approvals/ap_0000000000000000/lists/copies')).toMatchObject({ status: 404 })
    await office.admin('POST', `/approvals/${id}/reject`)
    expect(await page('copies')).toMatchObject({ status: 404 })
    expect(office.done).toStrictEqual([])
  })
})

describe('approving', () => {
  test('runs the original call once, and the agent gets the outcome as often as it asks', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    const approved = await office.admin('POST', `/approvals/${id}/approve`, undefined, {
      'x-countersign-approver': 'Eve',
    })
    expect(approved).toMatchObject({
      status: 200,
      body: {
        approval: { state: 'approved', decided_by: 'Eve', call: { state: 'applied' } },
        outcome: { status: 'applied', result: { id: 'n1' } },
      },
    })
    for (let times = 0; times < 3; times++)
      expect(await repeat(office, 'notes_drop', note, id)).toMatchObject({
        status: 200,
        body: { status: 'replayed', result: { id: 'n1' } },
      })
    expect(office.done).toStrictEqual(['dropped n1'])
  })

  test('names the approver by the body before the header, and nobody in particular without either', async () => {
    const office = await openOffice()
    const approve = async (id: string, body?: object, headers = {}) => {
      const approval = await office.ask('notes_drop', { id })
      await office.admin('POST', `/approvals/${approval}/approve`, body, headers)
      return (await office.records.approvals.find(approval))?.decidedBy
    }
    expect(await approve('a', { by: 'Body' }, { 'x-countersign-approver': 'Header' })).toBe('Body')
    expect(await approve('b', {}, { 'x-countersign-approver': 'Header' })).toBe('Header')
    expect(await approve('c')).toBe('admin')
  })

  test('does not let the agent change the call', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    await office.admin('POST', `/approvals/${id}/approve`)
    const other = await repeat(office, 'notes_drop', { id: 'n2' }, id)
    expect(other).toMatchObject({ status: 409, body: { status: 'mismatch' } })
    expect(office.done).toStrictEqual(['dropped n1'])
  })

  test('asks again where the world has moved since: nothing runs, and a new approval waits', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    office.move()
    expect((await office.admin('POST', `/approvals/${id}/approve`)).body['outcome']).toMatchObject({ status: 'stale' })
    expect(office.done).toStrictEqual([])
    const { body } = await office.admin('GET', '/approvals?state=pending')
    const [fresh] = body['approvals'] as readonly { readonly id: string }[]
    expect(fresh?.id).not.toBe(id)
    expect((await repeat(office, 'notes_drop', note, id)).body).toMatchObject({ approval_id: fresh?.id })
    await office.admin('POST', `/approvals/${fresh?.id}/approve`)
    expect(office.done).toStrictEqual(['dropped n1'])
  })

  test('checks the permission again', async () => {
    let missing: readonly string[] = []
    const office = await openOffice({
      missingPermissions: (_, asked) => asked.filter((each) => missing.includes(each)),
    })
    const id = await office.ask('notes_drop', note)
    missing = ['notes:drop']
    const { body } = await office.admin('POST', `/approvals/${id}/approve`)
    expect(body['outcome']).toMatchObject({ status: 'refused', missing_permissions: ['notes:drop'] })
    expect(office.done).toStrictEqual([])
  })

  test('and rejecting at the same instant leaves one decision', async () => {
    const office = await openOffice()
    for (let round = 0; round < 5; round++) {
      const id = await office.ask('notes_drop', { id: `n${round}` })
      const statuses = await Promise.all([
        office.admin('POST', `/approvals/${id}/approve`),
        office.admin('POST', `/approvals/${id}/reject`, { reason: 'Not today.' }),
      ])
      expect(statuses.map(({ status }) => String(status)).toSorted()).toStrictEqual(['200', '409'])
      expect(office.done.includes(`dropped n${round}`)).toBe(statuses[0].status === 200)
    }
  })
})

describe('rejecting', () => {
  test('closes it, and the agent hears why', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    expect((await office.admin('POST', `/approvals/${id}/reject`, { reason: 'Ask Bob first.' })).status).toBe(200)
    const told = await repeat(office, 'notes_drop', note, id)
    expect(told).toMatchObject({ status: 409, body: { status: 'refused' } })
    expect(told.text).toContain('Ask Bob first.')
    expect((await office.admin('POST', `/approvals/${id}/approve`)).body['error']).toMatchObject({
      code: 'already-decided',
      message: expect.stringContaining('already rejected by admin') as string,
    })
    expect(office.done).toStrictEqual([])
  })

  test('needs no reason, and refuses one that cannot be told', async () => {
    const office = await openOffice()
    const id = await office.ask('notes_drop', note)
    for (const reason of ['', 'x'.repeat(501), 7])
      expect(await office.admin('POST', `/approvals/${id}/reject`, { reason })).toMatchObject({
        status: 400,
        body: { error: { fields: [{ name: 'reason' }] } },
      })
    expect(await office.admin('POST', `/approvals/${id}/reject`)).toMatchObject({
      status: 200,
      body: { approval: { state: 'rejected' } },
    })
    const told = await repeat(office, 'notes_drop', note, id)
    expect(told).toMatchObject({ status: 409, body: { status: 'refused' } })
    expect(told.text).toContain('A person has rejected this call.')
    expect(told.text).not.toContain('They say')
  })
})

test('what cannot be understood is a 400 that names it', async () => {
  const office = await openOffice()
  for (const [query, name] of [
    ['state=open', 'state'],
    ['state=', 'state'],
    ['state=pending&state=approved', 'state'],
    ['stat=pending', 'stat'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['before=pl_1', 'before'],
  ] as const)
    expect(await office.admin('GET', `/approvals?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-filter', fields: [{ name }] } },
    })
  const id = await office.ask('notes_drop', note)
  for (const body of [{ code: 'abc' }, { by: '' }, { by: 'a\nb' }, { force: true }])
    expect(await office.admin('POST', `/approvals/${id}/approve`, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-body', fields: [{ name: Object.keys(body)[0] }] } },
    })
  expect((await office.admin('GET', '/approvals/ap_0000000000000000')).status).toBe(404)
  expect((await office.admin('POST', '/approvals/ap_0000000000000000/approve')).status).toBe(404)
  expect(office.done).toStrictEqual([])
})

describe('a second factor', () => {
  const many = { id: 'n1', recipients: 11 }
  const wrongCode = '000000'

  const enrol = async ({ records }: Office) => {
    const { secret } = await records.secondFactor.begin('ada@desk')
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
    // The enrolment uses the present step up; the next one is accepted already and is left for the test.
    expect(await records.secondFactor.confirm(code(0))).toBe(true)
    return () => code(1)
  }

  test('is asked for by a rule on the input, and its absence is said with the command to enrol', async () => {
    const office = await openOffice()
    const few = await office.ask('notes_send', { id: 'n1', recipients: 10 })
    expect((await office.admin('POST', `/approvals/${few}/approve`)).status).toBe(200)
    const id = await office.ask('notes_send', many)
    expect(await office.admin('POST', `/approvals/${id}/approve`, { code: '123456' })).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'second-factor-not-enrolled',
          next: expect.stringContaining('countersign admin totp') as string,
        },
        approval: { id, state: 'pending', step_up: true },
      },
    })
    expect(office.done).toStrictEqual(['sent n1'])
  })

  test('is asked for by every critical call once one is enrolled; rejecting never needs it', async () => {
    const office = await openOffice()
    await enrol(office)
    const id = await office.ask('notes_drop', note)
    expect(await office.admin('POST', `/approvals/${id}/approve`)).toMatchObject({
      status: 403,
      body: { error: { code: 'second-factor-needed' } },
    })
    expect((await office.admin('POST', `/approvals/${id}/reject`, { reason: 'Not today.' })).status).toBe(200)
  })

  test('lets it happen with the right code, once for each code', async () => {
    const office = await openOffice()
    const code = await enrol(office)
    const [one, two] = [await office.ask('notes_send', many), await office.ask('notes_drop', note)]
    const now = code()
    expect((await office.admin('POST', `/approvals/${one}/approve`, { code: now })).status).toBe(200)
    expect(await office.admin('POST', `/approvals/${two}/approve`, { code: now })).toMatchObject({
      status: 403,
      body: { error: { code: 'second-factor-wrong', message: expect.stringContaining('used already') as string } },
    })
    expect(office.done).toStrictEqual(['sent n1'])
  })

  test('pauses after five wrong codes, for every approval and also for the right code', async () => {
    const office = await openOffice()
    const code = await enrol(office)
    const [one, two] = [await office.ask('notes_send', many), await office.ask('notes_drop', note)]
    for (let tries = 0; tries < 4; tries++)
      expect((await office.admin('POST', `/approvals/${one}/approve`, { code: wrongCode })).status).toBe(403)
    for (const id of [one, two])
      for (const each of [wrongCode, code()]) {
        const paused = await office.admin('POST', `/approvals/${id}/approve`, { code: each })
        expect(paused).toMatchObject({ status: 429, body: { error: { code: 'second-factor-paused' } } })
        expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(800)
      }
    expect(office.done).toStrictEqual([])
  })
})

test('no tool that a model can see or call decides anything', async () => {
  const office = await openOffice()
  const id = await office.ask('notes_drop', note)
  for (const tool of ['approve', 'approvals_approve', 'countersign_approve', 'countersign_plan_confirm', 'apply_plan'])
    expect((await office.call(tool, { id, ticket: id, approval_id: id })).status).toBeGreaterThanOrEqual(400)
  const applied = await office.call('apply_plan', { tool: 'notes_drop', ticket: id, preview: false })
  expect(applied.body).toMatchObject({ requires_human_approval: true, approval_id: id })
  expect([(await office.records.approvals.find(id))?.state, office.done]).toStrictEqual(['pending', []])
})
