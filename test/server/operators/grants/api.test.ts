// Grants through the operators' door, as a page or a program sees them.
import { expect, test } from 'vitest'
import { openOffice, why, type Office } from '../../http/operators/serve-operators.ts'
import type { ReadResponse } from '../../../kit/read-response.ts'

const day = 24 * 3_600_000
const later = (days: number): string => new Date(Date.now() + days * day).toISOString().slice(0, 10)

const terms = (more: object = {}): object => ({
  tool: 'notes_send',
  subject: 'ada',
  condition: 'recipients < 10',
  times: 2,
  until: later(7),
  ...more,
})

const idOf = ({ body }: ReadResponse): string => (body['grant'] as { id: string }).id

async function give(office: Office, more: object = {}): Promise<string> {
  const told = await office.admin('POST', '/grants', terms(more))
  if (told.status !== 201) throw new Error(told.text)
  return idOf(told)
}

test('an approval proposes the terms of the next ones; given, they run until they are used up', async () => {
  const office = await openOffice()
  const approval = await office.ask('notes_send', { id: 'n1', recipients: 3, preview: false })
  const proposal = await office.admin('GET', `/approvals/${approval}/grant-proposal`)
  expect(proposal.body).toMatchObject({
    approval_id: approval,
    tool: 'notes_send',
    tool_title: 'Send a note',
    tenant: 'default',
    subject: 'ada',
    condition: 'id == "n1" && recipients >= 0 && recipients <= 3',
    free: [],
    risk_up_to: 'high',
    times: 20,
    per: 'total',
    arguments: [
      { name: 'id', type: 'string' },
      { name: 'recipients', type: 'int' },
    ],
  })
  const check = terms({ condition: 'recipients < 3', approval_id: approval, check_only: true })
  expect((await office.admin('POST', '/grants', check)).body).toMatchObject({ ok: true, covers_approved_call: false })
  expect((await office.admin('GET', '/grants')).body).toMatchObject({ grants: [], next: null })

  const id = await give(office, { condition: 'recipients < 5', approval_id: approval, by: 'Grace' })
  const applied = await office.call('notes_send', { id: 'n2', recipients: 4, preview: false })
  expect(applied.body).toMatchObject({
    status: 'applied',
    standing_permission: { id, left: 1, times: 2, per: 'total' },
  })
  const shown = await office.admin('GET', `/grants/${id}`)
  expect(shown.body).toMatchObject({
    id,
    state: 'active',
    tool: 'notes_send',
    tenant: 'default',
    subject: 'ada',
    used: 1,
    left: 1,
    given_by: 'Grace',
    approval_id: approval,
    revoked: null,
    uses: [{ plan_id: applied.body['plan_id'], subject: 'ada', given_back_at: null }],
  })
  const rows = await office.admin('GET', `/activity?grant=${id}`)
  expect(rows.body['activity']).toMatchObject([{ verdict: `allow:grant:${id}`, status: 'applied' }])
  await office.call('notes_send', { id: 'n3', recipients: 1, preview: false })
  const third = await office.call('notes_send', { id: 'n4', recipients: 1, preview: false })
  expect(third.body).toMatchObject({ requires_human_approval: true })
  expect((await office.admin('GET', `/grants/${id}`)).body).toMatchObject({ state: 'used-up', left: 0 })
  expect(office.done).toStrictEqual(['sent n2', 'sent n3'])
})

test('revoked, it is over at once, and says who did it', async () => {
  const office = await openOffice()
  const id = await give(office)
  const revoked = await office.admin('DELETE', `/grants/${id}`, undefined, { 'x-countersign-approver': 'Grace' })
  expect(revoked.body).toMatchObject({ grant: { id, state: 'revoked', revoked: { by: 'Grace' } } })
  expect((await office.call('notes_send', { id: 'n', recipients: 1, preview: false })).body).toMatchObject({
    requires_human_approval: true,
  })
  expect(await office.admin('DELETE', `/grants/${id}`)).toMatchObject({
    status: 409,
    body: { error: { code: 'already-ended' } },
  })
  expect(await office.admin('POST', `/grants/${id}/renew`)).toMatchObject({ status: 409 })
  expect((await office.admin('GET', '/grants?state=active')).body).toMatchObject({ grants: [] })
  expect((await office.admin('GET', '/grants?state=ended')).body).toMatchObject({ grants: [{ id }] })
  const acts = await office.admin('GET', '/activity?tool=grant.given,grant.revoked')
  expect(acts.body['activity']).toMatchObject([{ tool: 'grant.revoked', subject: 'Grace' }, { tool: 'grant.given' }])
})

test.each([
  ['a misspelt argument', { condition: 'recipents < 10' }, 400, 'condition', 'The tool has no argument "recipents".'],
  ['a condition that is no condition', { condition: 'recipients' }, 400, 'condition', 'not a boolean'],
  ['a condition that cannot be read', { condition: 'recipients <' }, 400, 'condition', 'cannot be read'],
  ['a tool that nobody offers', { tool: 'notes_sned' }, 400, 'tool', 'notes_sned'],
  ['a read', { tool: 'notes_read' }, 400, 'tool', 'notes_read'],
  ['a critical tool', { tool: 'notes_drop', condition: 'true' }, 409, 'tool', 'is critical'],
  ['no uses', { times: 0 }, 400, 'times', '0 times'],
  ['uses without end', { times: 1_000_000 }, 400, 'times', '1000000'],
  ['a time that is over', { until: '2020-01-01' }, 400, 'until', 'ended already'],
  ['a time without end', { until: '9999-01-01' }, 400, 'until', 'more than a year'],
  ['a time that is none', { until: 'tomorrow' }, 400, 'until', 'tomorrow'],
  ['an approval that there is not', { approval_id: 'ap_0000000000000000' }, 400, 'approval_id', 'There is no approval'],
])('%s is refused by its field', async (_, more, status, field, message) => {
  const office = await openOffice()
  const told = await office.admin('POST', '/grants', terms(more))
  expect(told).toMatchObject({ status, body: { error: { field } } })
  expect((told.body['error'] as { message: string }).message).toContain(message)
  expect((await office.admin('GET', '/grants')).body).toMatchObject({ grants: [] })
})

test('an approval is claimed for its own tool and tenant only', async () => {
  const office = await openOffice()
  const other = await office.ask('notes_drop', { id: 'n1', preview: false })
  const own = await office.ask('notes_send', { id: 'n1', recipients: 3, preview: false })
  for (const more of [{ approval_id: other }, { approval_id: own, tenant: 'acme' }])
    for (const check of [{}, { check_only: true }])
      expect(await office.admin('POST', '/grants', terms({ ...more, ...check }))).toMatchObject({
        status: 400,
        body: { error: { code: 'bad-terms', field: 'approval_id' } },
      })
  expect(await office.records.grants.list({ limit: 10 })).toStrictEqual([])
  expect(await office.admin('POST', '/grants', terms({ approval_id: own }))).toMatchObject({ status: 201 })
})

test('what is not understood is a bad request that names it', async () => {
  const office = await openOffice()
  expect(await office.admin('POST', '/grants', terms({ per: 'week' }))).toMatchObject({ status: 400 })
  expect(await office.admin('POST', '/grants', terms({ evry: 1 }))).toMatchObject({ status: 400 })
  expect(await office.admin('GET', '/grants?stat=active')).toMatchObject({ status: 400 })
  expect(await office.admin('GET', '/grants/gr_0000000000000000')).toMatchObject({ status: 404 })
  expect(await office.admin('GET', '/approvals/ap_0000000000000000/grant-proposal')).toMatchObject({ status: 404 })
  expect(await office.admin('GET', '/grants', undefined, { authorization: 'Bearer wrong' })).toMatchObject({
    status: 401,
  })
})

test('nothing is proposed for a critical call', async () => {
  const office = await openOffice()
  const approval = await office.ask('notes_drop', { id: 'n1', preview: false })
  expect(await office.admin('GET', `/approvals/${approval}/grant-proposal`)).toMatchObject({
    status: 409,
    body: { error: { code: 'not-grantable' } },
  })
})

test('a permission of one tenant is nothing to another', async () => {
  const office = await openOffice()
  await give(office, { tenant: 'acme', subject: null })
  const send = (tenant: string) =>
    office.call('notes_send', { id: 'n', recipients: 1, preview: false }, { 'x-tenant': tenant })
  expect((await send('default')).body).toMatchObject({ requires_human_approval: true })
  expect((await send('acme')).body).toMatchObject({ status: 'applied' })
  expect((await office.admin('GET', '/grants?tenant=default')).body).toMatchObject({ grants: [] })
})

test('a preview says what covers it, to programs too', async () => {
  const office = await openOffice()
  const id = await give(office)
  const previewed = await office.call('notes_send', { id: 'n', recipients: 1 })
  expect(previewed.body).toMatchObject({ status: 'previewed', dry_run: true, standing_permission: { id, left: 2 } })
  const applied = await office.call('notes_send', {
    id: 'n',
    recipients: 1,
    preview: false,
    ticket: previewed.body['plan_id'],
    rationale: why,
  })
  expect(applied.body).toMatchObject({ status: 'applied', plan_id: previewed.body['plan_id'] })
})

test('the tools that a permission can be given for are listed with their arguments', async () => {
  const office = await openOffice()
  const { body } = await office.admin('GET', '/grants/tools')
  expect(body['tools']).toMatchObject([
    { name: 'notes_drop', risk: 'critical' },
    { name: 'notes_send', title: 'Send a note', arguments: [{ name: 'id' }, { name: 'recipients', type: 'int' }] },
    { name: 'notes_tidy' },
  ])
})
