// What an agent calls without being asked about, through a real client: tools whose names and annotations say too little
// run only once a person has agreed, whichever door the agent takes and whatever it declares. The server behind counts.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { applyCall, confirm } from '../agent.ts'
import { place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { actingServer, openReach, type Reach, type ReachKind } from './reach.ts'

const dangerous = [
  ['sql', { text: 'DROP TABLE a' }],
  ['shell', { line: 'rm -r /data' }],
  ['python', { code: 'import os' }],
  ['process_payment', { invoice: 'in_1' }],
  ['deleterepo', { repo: 'ours' }],
  ['browser_click', { element: 'Buy now' }],
  ['query', { sql: 'COMMIT; DELETE FROM orders' }],
  ['kubectl_context', { operation: 'set', name: 'production' }],
  ['create_refund', { charge: 'ch_1', amount: 9900 }],
  // Their names read, and these calls carry what the tools do not declare.
  ['list_repos', { owner: 'ada', sql: 'DELETE FROM orders' }],
  ['search', { sql: 'DELETE FROM orders' }],
  ['fetch', { url: 'https://a.example', method: 'POST' }],
  ['fetch_page', { url: 'https://a.example', options: { method: 'DELETE' } }],
  ['kubectl_context', { operation: 'get', sql: 'DELETE FROM orders' }],
  // These hide it in what they do declare.
  ['search_items', { query: 'x', options: JSON.stringify({ method: 'DELETE' }).padEnd(20_001) }],
  ['get_item', { id: '1', action: 'delete'.padEnd(106) }],
  ['get_item', { id: '1', action: 'list; delete all' }],
  ['load_page', { url: 'https://a.example', method: 'GET', data: 'a=1', form: 'b', postBody: 'c' }],
  // This one is too long for its schema to be checked.
  ['get_items', { q: 'x'.repeat(100_001), operation: 'delete' }],
  ['get_items', { q: 'x'.repeat(100_001), operation: 'get' }],
  // And these what they do beside reading.
  ['get_mail', { id: '1', mark_as_read: true }],
  ['settings_get_set', { key: 'a', value: 'b' }],
] as const

/** Both rate by the same tables: each is asked something in every run, and everything in full ones. */
const kinds = ['gateway over stdio', 'wrap over stdio'] as const

describe.each(casesOf<ReachKind>(kinds, String, ['gateway over stdio']))('through a %s', (kind) => {
  const ledger = join(place(), 'ledger')
  let reach: Reach

  beforeAll(async () => {
    reach = await openReach(kind, { it: actingServer(ledger) })
  })

  test.each(dangerous)('%s %j does not run by the agent’s word, with nor without preview=false', async (tool, args) => {
    const before = ledgerOf(ledger)
    // Under its own name a tool is called in one way only, whatever the agent means by it.
    const doors = kind === 'wrap over stdio' ? (['write'] as const) : (['read', 'write', 'destructive'] as const)
    for (const operation of doors) {
      const answer = await reach.call('it', operation, tool, args)
      expect(answer.status === 'previewed' || answer.isError).toBe(true)
      // Where the door refuses, it says so; where a plan was made, its id alone does not apply it.
      if (answer.status === 'previewed' && answer.planId !== '')
        await reach.call('it', operation, tool, { ...args, ...ours(kind, answer.planId) })
    }
    expect(ledgerOf(ledger)).toEqual(before)
  })

  test('what the tool does not declare is named, with the way on', async () => {
    const refused = await reach.call('it', 'read', 'search', { sql: 'DELETE FROM orders' })
    expect(refused.guidance?.field_errors).toMatchObject([{ pointer: '/sql', received: 'DELETE FROM orders' }])
    const other =
      kind === 'wrap over stdio' ? 'let the operator rate the tool' : 'call_tool_write, where a person is asked'
    expect(refused.text + JSON.stringify(refused.guidance)).toContain(other)
    if (kind === 'wrap over stdio') return
    const preview = await reach.call('it', 'write', 'search', { sql: 'DELETE FROM orders' })
    expect(preview.status).toBe('previewed')
    expect(JSON.stringify(preview.card)).toContain('DELETE FROM orders')
  })

  test('what an object may hold that its schema leaves open is shown to a person, and without it the call runs', async () => {
    const shown = await reach.call('it', 'write', 'fetch_page', {
      url: 'https://a.example',
      options: { method: 'PUT' },
    })
    expect(shown.status).toBe('previewed')
    const read = await reach.call('it', 'read', 'fetch_page', { url: 'https://a.example' })
    expect(read.raw.content).toStrictEqual([{ type: 'text', text: 'fetch_page done' }])
    expect(read.card?.kind).toBe(kind === 'wrap over stdio' ? 'info' : undefined)
  })

  test('what only reads runs: by its name, and by what the call says', async () => {
    await reach.call('it', 'read', 'list_repos', { owner: 'ada' })
    const read = await reach.call('it', 'read', 'kubectl_context', { operation: 'get' })
    expect(read.isError).toBe(false)
    expect(ledgerOf(ledger).slice(-2)).toEqual(['list_repos {"owner":"ada"}', 'kubectl_context {"operation":"get"}'])
  })

  test('what a schema requires and has a default for is filled, shown, confirmed and sent', async () => {
    const before = ledgerOf(ledger).length
    const preview = await reach.call('it', 'destructive', 'browser_take_screenshot', { clip: { width: 5 } })
    expect(preview.status).toBe('previewed')
    expect(JSON.stringify(preview.card)).toContain('png')
    expect(JSON.stringify(applyCall(preview).args)).toMatch(/unit.*px.*type.*png|type.*png.*unit.*px/)
    const applied = await confirm(reach.agent('it'), preview)
    expect(applied.status).toBe('applied')
    const sent = JSON.parse(ledgerOf(ledger)[before]?.replace('browser_take_screenshot ', '') ?? '{}') as unknown
    expect(sent).toEqual({ type: 'png', clip: { unit: 'px', width: 5 } })
  })
})

describe.each(casesOf<ReachKind>(kinds, String, ['wrap over stdio']))('%s, with a rule that forbids', (kind) => {
  const ledger = join(place(), 'ledger')
  let reach: Reach

  beforeAll(async () => {
    const rules = [{ if: { query: { equals: 'secret' } }, risk: 'forbidden' }]
    reach = await openReach(kind, {
      it: actingServer(ledger, { tools: { search_items: { when: rules }, list_repos: { operation: 'write' } } }),
    })
  })

  test.each([
    ['search_items', { query: 'secret' }],
    ['search_items', { query: 'x', sql: 'DELETE FROM orders' }],
    ['search_items', { query: 'x', sql: 'DELETE FROM orders', preview: false }],
    ['list_repos', { owner: 'ada', sql: 'DELETE FROM orders' }],
    ['list_repos', { owner: 'ada', sql: 'DELETE FROM orders', preview: false }],
  ] as const)('%s %j does not run', async (tool, args) => {
    const answer = await reach.call('it', 'read', tool, args)
    expect(answer.status === 'previewed' || answer.isError).toBe(true)
    expect(ledgerOf(ledger)).toEqual([])
  })

  test('what it does not forbid still reads', async () => {
    expect((await reach.call('it', 'read', 'search_items', { query: 'x' })).isError).toBe(false)
    expect(ledgerOf(ledger)).toEqual(['search_items {"query":"x"}'])
  })
})

/** An Apply message without the ticket that only the card has. */
const ours = (kind: ReachKind, planId: string): Record<string, unknown> =>
  kind === 'wrap over stdio' ? { preview: false, ticket: planId } : {}
