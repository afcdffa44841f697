// The tools for programs that speak no MCP: the same engine and the same envelope, with a status that says what came of it.
import { describe, expect, test } from 'vitest'
import { openOffice } from './serve-operators.ts'

describe('a call over REST', () => {
  test('of a read answers the output as its contract declares it', async () => {
    const { call } = await openOffice()
    expect(await call('notes_read', { id: 'n1' })).toMatchObject({ status: 200, body: { id: 'n1' } })
  })

  test('of a write previews, and runs once with the id of the plan', async () => {
    const { call, done } = await openOffice()
    const preview = await call('notes_tidy', { id: 'n1' })
    expect(preview).toMatchObject({ status: 200, body: { status: 'previewed', dry_run: true, tool: 'notes_tidy' } })
    const apply = { id: 'n1', ticket: preview.body['plan_id'], preview: false }
    expect(await call('notes_tidy', apply)).toMatchObject({ status: 200, body: { status: 'applied' } })
    expect(await call('notes_tidy', apply)).toMatchObject({ status: 200, body: { status: 'replayed' } })
    expect(done).toStrictEqual(['tidied n1'])
  })

  test('never carries a ticket back: there is no card to bring it', async () => {
    const { call } = await openOffice()
    expect((await call('notes_tidy', { id: 'n1' })).text).not.toContain('cs1_')
  })

  test('has a status for each kind of answer', async () => {
    let missing: readonly string[] = []
    const { call, admin } = await openOffice({
      missingPermissions: (_, asked) => asked.filter((each) => missing.includes(each)),
    })
    const apply = async (tool: string, id: string) => {
      const { body } = await call(tool, { id })
      return { id, ticket: body['plan_id'] ?? body['approval_id'], preview: false }
    }
    const told = async (tool: string, args: object) => {
      const { status, body } = await call(tool, args)
      return [status, body['status'], (body['error'] as { code?: string } | undefined)?.code]
    }
    expect(await told('notes_drop', { id: 'n1' })).toStrictEqual([202, undefined, undefined])
    expect(await told('notes_read', { id: 7 })).toStrictEqual([400, 'refused', 'validation_error'])
    expect(await told('notes_burn', {})).toStrictEqual([404, 'refused', 'unknown_tool'])
    expect(await told('notes_tidy', { ...(await apply('notes_tidy', 'n1')), id: 'n2' })).toStrictEqual([
      409,
      'mismatch',
      'confirmation_mismatch',
    ])
    expect(await told('notes_tidy', await apply('notes_tidy', 'locked'))).toStrictEqual([422, 'failed', 'locked'])
    expect(await told('notes_tidy', { id: 'n1', ticket: 'pl_0000000000000000', preview: false })).toStrictEqual([
      409,
      'refused',
      'confirmation_refused',
    ])
    missing = ['notes:drop']
    expect(await told('notes_drop', { id: 'n1' })).toStrictEqual([403, 'refused', 'permission_denied'])
    await admin('POST', '/freeze', { reason: 'Audit today.' })
    expect(await told('notes_tidy', { id: 'n1' })).toStrictEqual([423, 'refused', 'frozen'])
    expect(await told('notes_read', { id: 'n1' })).toStrictEqual([200, undefined, undefined])
  })

  test('of high risk runs at once where the operator lets the tenant do so, unless it needs a second factor or its basis is stale', async () => {
    const { call, done, move } = await openOffice({ settings: { autoApproveHigh: () => true } })
    const send = { id: 'n1', recipients: 1, preview: false }
    expect(await call('notes_send', send)).toMatchObject({ status: 200, body: { status: 'applied' } })
    expect((await call('notes_send', { ...send, recipients: 11 })).status).toBe(202)
    const { body } = await call('notes_send', { id: 'n2', recipients: 2 })
    move()
    const late = { id: 'n2', recipients: 2, ticket: body['plan_id'], preview: false }
    expect(await call('notes_send', late)).toMatchObject({ status: 409, body: { status: 'stale' } })
    expect(done).toStrictEqual(['sent n1'])
  })

  test('with a body that is no JSON object, or another method, is told what to send', async () => {
    const { url } = await openOffice()
    const address = `${url}/api/v1/tools/notes_read`
    for (const body of ['{', 'id=n1', '"text"', '[1]'])
      expect((await fetch(address, { method: 'POST', body })).status).toBe(400)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(address, { method })
      expect([response.status, response.headers.get('allow')]).toStrictEqual([405, 'POST'])
    }
  })

  test('of more than is read is refused with the limit, and the record keeps its beginning only', async () => {
    const { call, admin } = await openOffice()
    const told = await call('notes_read', { id: 'n1', of: Array.from({ length: 30_000 }, () => 'token=Ab3dEf6hIj9k') })
    expect(told).toMatchObject({
      status: 400,
      body: { error_guidance: { field_errors: [{ pointer: '', allowed: expect.stringContaining('10000 values') }] } },
    })
    const rows = (await admin('GET', '/activity')).body['activity'] as readonly { readonly id: string }[]
    const { text } = await admin('GET', `/activity/${rows[0]?.id}`)
    expect(text).toContain('"not_read":"more than 10000 values"')
    expect(text).not.toContain('Ab3dEf6hIj9k')
    expect(text.length).toBeLessThan(5000)
  })

  test('from a page of somewhere else is refused at the door', async () => {
    const { call, done } = await openOffice()
    expect((await call('notes_tidy', { id: 'n1' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect(done).toStrictEqual([])
  })
})

describe('the rationale', () => {
  test('is required over REST as everywhere', async () => {
    const { call } = await openOffice()
    for (const rationale of [undefined, '', 'short', 'x'.repeat(501)])
      expect(await call('notes_read', { id: 'n1', rationale })).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' }, error_guidance: { field_errors: [{ pointer: '/rationale' }] } },
      })
  })

  test('may be left out during a grace period, with a warning in the answer and its headers', async () => {
    const { call, records } = await openOffice({ rationale: 'grace' })
    const until = new Date(await records.grace.until(0)).toISOString()
    const read = await call('notes_read', { id: 'n1', rationale: undefined })
    expect(read).toMatchObject({
      status: 200,
      body: {
        id: 'n1',
        deprecation: { code: 'rationale_missing', until, message: expect.stringContaining(until) as string },
      },
    })
    expect(read.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(Date.parse(read.headers.get('sunset') ?? '')).toBe(Math.floor(Date.parse(until) / 1000) * 1000)
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    const waiting = await call('notes_drop', { id: 'n1', rationale: undefined })
    expect(Object.keys(waiting.body)).toHaveLength(6)
    expect(waiting.headers.get('sunset')).not.toBeNull()
  })

  test('left out is listed with who did it, and kept in the record', async () => {
    const { call, admin, records } = await openOffice({ rationale: 'grace' })
    for (let times = 0; times < 3; times++)
      await call('notes_read', { id: 'n1', rationale: undefined }, { 'x-countersign-client': 'old-script/1.0' })
    await call('notes_read', { id: 'n1' })
    expect((await admin('GET', '/grace')).body).toMatchObject({
      rationale: { mode: 'grace' },
      callers: [{ tenant: 'default', subject: 'ada', client: 'old-script/1.0', tool: 'notes_read', calls: 3 }],
    })
    const page = await records.activity.pageRecords({ limit: 10 })
    expect(JSON.stringify(page)).toContain('Called without a rationale')
  })

  test('given but too short is refused in a grace period too, and none is needed to apply what was previewed in one', async () => {
    const { call, done } = await openOffice({ rationale: 'grace' })
    expect((await call('notes_read', { id: 'n1', rationale: 'short' })).status).toBe(400)
    const preview = await call('notes_tidy', { id: 'n1', rationale: undefined })
    const apply = { id: 'n1', rationale: undefined, ticket: preview.body['plan_id'], preview: false }
    expect((await call('notes_tidy', apply)).body).toMatchObject({ status: 'applied' })
    expect(done).toStrictEqual(['tidied n1'])
  })

  test('is required again once the period is over, and it does not begin anew at a restart', async () => {
    const until = new Date(Date.now() - 1000).toISOString()
    const over = await openOffice({ settings: { rationale: { mode: 'grace', until } } })
    expect((await over.call('notes_read', { id: 'n1', rationale: undefined })).status).toBe(400)
    const first = await over.records.grace.until(1000)
    expect(await over.records.grace.until(9_999_999)).toBe(first)
  })

  test('is never optional for an agent that speaks MCP', async () => {
    const { url } = await openOffice({ rationale: 'grace' })
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'notes_read', arguments: { id: 'n1' } },
    }
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    })
    expect(await response.json()).toMatchObject({ result: { isError: true } })
  })
})
