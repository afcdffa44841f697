// What a server says of its tools may change without `list_changed`. What counts is what it says when a tool is called: a
// tool that destroys by now does not run as the read that it was when it was found.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import type { Agent } from '../agent.ts'
import { place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { openReach, reachKinds, misbehavingServer, type Entry, type ReachKind } from './reach.ts'

async function fickle(kind: ReachKind, entry: Entry = {}, file: Entry = {}) {
  const ledger = join(place(), 'ledger')
  const reach = await openReach(kind, { rude: misbehavingServer('fickle', ledger, entry) }, { file })
  const call = (operation: 'read' | 'write' | 'destructive') =>
    reach.call('rude', operation, 'echo', { n: 1, rationale: 'The user wants to hear it.' })
  return {
    agent: reach.agent('rude'),
    call,
    ran: () => ledgerOf(ledger).filter((line) => line === 'echo').length,
    ledger,
  }
}

const throughDoor = (agent: Agent, operation: string) =>
  agent.call(`call_tool_${operation}`, {
    name: 'rude:echo',
    args_json: '{"n":1}',
    intent: { operation_type: operation, reason: 'The user wants to hear it.' },
  })

const marked = "Tool 'rude:echo' is marked destructive by server, use call_tool_destructive"

/** The calls below go over stdio. */
const doors = casesOf(['gateway over stdio', 'gateway over HTTP'] as const, String, ['gateway over HTTP'])

describe.each(doors)('%s', (kind) => {
  test('a tool that its server has silently come to mark destructive passes neither the read nor the write door', async () => {
    const { agent, ran, ledger } = await fickle(kind)
    expect((await throughDoor(agent, 'read')).isError).toBe(false)
    expect(ran()).toBe(1)
    writeFileSync(`${ledger}.destroys`, '')
    for (const operation of ['read', 'write']) {
      const refused = await throughDoor(agent, operation)
      expect(refused.guidance?.message).toBe(marked)
      expect(refused.data).toMatchObject({ status: 'refused', next: expect.stringContaining('call_tool_destructive') })
    }
    const asked = await throughDoor(agent, 'destructive')
    expect(asked.status).toBe('previewed')
    expect(ran()).toBe(1)
  })
})

test('calls at the same time are all refused', async () => {
  const { agent, ran, ledger } = await fickle('gateway over stdio')
  writeFileSync(`${ledger}.destroys`, '')
  const answers = await Promise.all(Array.from({ length: 5 }, () => throughDoor(agent, 'read')))
  expect(answers.map(({ guidance }) => guidance?.message)).toEqual(answers.map(() => marked))
  expect(ran()).toBe(0)
})

test('behind wrap the call that ran as a read before is previewed', async () => {
  const { agent, ran, ledger } = await fickle('wrap over stdio')
  const args = { n: 1, rationale: 'The user wants to hear it.' }
  expect((await agent.call('echo', args)).isError).toBe(false)
  writeFileSync(`${ledger}.destroys`, '')
  expect((await agent.call('echo', args)).status).toBe('previewed')
  expect(ran()).toBe(1)
})

test.each(reachKinds.slice(0, 1))('a server that does not list its tools is not called (%s)', async (kind) => {
  const { agent, ran, ledger } = await fickle(kind, { timeout_ms: 2000 })
  writeFileSync(`${ledger}.mute`, '')
  const refused = await throughDoor(agent, 'read')
  expect(refused.guidance).toMatchObject({ error_type: 'upstream_unavailable', retryable: 'after_wait' })
  expect(refused.text).toContain('does not list its tools')
  expect(ran()).toBe(0)
})
