// What an operator does is on record before it takes effect: where it cannot be written down, it is not done.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openFront } from '../auth/serve-accounts.ts'
import { openOffice, type Office } from './serve-operators.ts'

const terms = { tool: 'notes_send', subject: 'ada', condition: 'recipients < 10', times: 2, until: '7d' }
const reason = 'Stock is being counted.'

/** An office whose record has gone away; the way it comes back. */
async function takeRecord({ records }: Office): Promise<() => Promise<unknown>> {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(records.db)
  await rename('countersign_activity', 'countersign_activity_away')
  return () => rename('countersign_activity_away', 'countersign_activity')
}

const idOf = (value: unknown): string => (value as { readonly id: string }).id

test('without its record nothing is made, given, revoked, frozen, lifted or accepted', async () => {
  const office = await openOffice()
  const made = await office.admin('POST', '/tokens', { subject: 'bot' })
  const given = await office.admin('POST', '/grants', terms)
  await office.admin('POST', '/freeze', { tenant: 'acme', reason })
  await office.call('submit_feedback', {
    attempted_action: 'Drop a note.',
    expected_outcome: 'A preview.',
    actual_outcome: 'None.',
    severity: 'low',
  })
  const [item] = await office.records.feedback.list({ limit: 1 })
  const back = await takeRecord(office)
  const tries = [
    ['POST', '/tokens', { subject: 'other' }],
    ['DELETE', `/tokens/${idOf(made.body)}`],
    ['POST', '/grants', terms],
    ['DELETE', `/grants/${idOf(given.body['grant'])}`],
    ['POST', `/grants/${idOf(given.body['grant'])}/renew`],
    ['POST', '/freeze', { reason }],
    ['POST', '/unfreeze', { tenant: 'acme' }],
    ['PATCH', `/feedback/${idOf(item)}`, { state: 'done' }],
  ] as const
  for (const [method, path, body] of tries)
    expect([method, path, (await office.admin(method, path, body)).status]).toStrictEqual([method, path, 500])
  await back()
  expect(await office.records.access.tokens.list()).toMatchObject([{ subject: 'bot', state: 'active' }])
  expect(await office.records.grants.list({ limit: 10 })).toMatchObject([{ revoked: undefined, renewed: undefined }])
  expect(await office.records.switches.list()).toMatchObject([{ tenant: 'acme' }])
  expect(await office.records.feedback.list({ limit: 1 })).toMatchObject([{ state: 'new' }])
})

test('each act leaves one row that says what came of it', async () => {
  const front = await openFront()
  const eve = await front.desk('Eve')
  const { body } = await eve.send('POST', '/api/v1/tokens', { subject: 'bot', expires: '1d' })
  await eve.send('POST', '/api/v1/freeze', { reason })
  await eve.send('POST', '/api/v1/unfreeze')
  await eve.send('POST', '/api/v1/unfreeze')
  const digest = 'a'.repeat(64)
  await eve.send('POST', '/api/v1/definitions/files/read/accept', { digest })
  const { calls } = await front.records.activity.page({ filter: {}, limit: 20 })
  const acts = calls.filter(({ source }) => source === 'operator').toReversed()
  expect(acts.map(({ tool, status, subject }) => [tool, status, subject])).toStrictEqual([
    ['operator.token_created', 'ok', 'Eve'],
    ['operator.froze', 'ok', 'Eve'],
    ['operator.unfroze', 'ok', 'Eve'],
    ['operator.unfroze', 'refused', 'Eve'],
    ['definition.accepted', 'refused', 'Eve'],
  ])
  const shown = async (at: number) => (await front.admin('GET', `/activity/${acts[at]?.id ?? ''}`)).body
  expect(await shown(0)).toMatchObject({ arguments: { subject: 'bot' }, result: { id: body['id'] } })
  expect(await shown(4)).toMatchObject({ arguments: { server: 'files', tool: 'read', digest } })
})
