// What an agent calls without being asked about, through a real client: tools whose names and annotations say too little
// run only once a person has agreed, whichever door the agent takes and whatever it declares. The server behind counts.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { place } from './at-end.ts'
import { ledgerOf } from './gateway-ledger.ts'
import { openReach, type Reach, type ReachKind } from './gateway-reach.ts'

const acting = fileURLToPath(new URL('fixtures/acting-server.ts', import.meta.url))

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
] as const

describe.each<ReachKind>(['gateway over stdio', 'wrap over stdio'])('%s', (kind) => {
  const ledger = join(place(), 'ledger')
  let reach: Reach

  beforeAll(async () => {
    const server = { command: process.execPath, args: ['--no-warnings', acting, ledger] }
    reach = await openReach(kind, { it: server })
  })

  test.each(dangerous)('%s %j does not run by the agent’s word, with nor without preview=false', async (tool, args) => {
    const before = ledgerOf(ledger)
    for (const operation of ['read', 'write', 'destructive'] as const) {
      const answer = await reach.call('it', operation, tool, args)
      expect(answer.status === 'previewed' || answer.isError).toBe(true)
      // Where the door refuses, it says so; where a plan was made, its id alone does not apply it.
      if (answer.status === 'previewed' && answer.planId !== '')
        await reach.call('it', operation, tool, { ...args, ...ours(kind, answer.planId) })
    }
    expect(ledgerOf(ledger)).toEqual(before)
  })

  test('what only reads runs: by its name, and by what the call says', async () => {
    await reach.call('it', 'read', 'list_repos', { owner: 'ada' })
    const read = await reach.call('it', 'read', 'kubectl_context', { operation: 'get' })
    expect(read.isError).toBe(false)
    expect(ledgerOf(ledger).slice(-2)).toEqual(['list_repos {"owner":"ada"}', 'kubectl_context {"operation":"get"}'])
  })
})

/** An Apply message without the ticket that only the card has. */
const ours = (kind: ReachKind, planId: string): Record<string, unknown> =>
  kind === 'wrap over stdio' ? { preview: false, ticket: planId } : {}
