// Servers hang, crash, write rubbish, flood and restart without end. Behind one gateway that is nobody else's trouble:
// it stays up, the others answer, and of a write that got lost both the agent and the log say that it may have happened.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { runLoad } from '../../bench/load.ts'
import { casesOf, isFull } from '../../full.ts'
import { confirm, type Agent, type Arguments, type Reply } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { gatewayFile, officialServer, misbehavingServer } from './reach.ts'
import { agentHere, stdioHere } from '../in-process.ts'
import { recordsIn } from '../records-in.ts'
import { readsOnly } from '../../server/gateway/rating/reads-only.ts'

describe.each(casesOf(['gateway', 'wrap'] as const, String, ['wrap']))(
  'a server behind a %s that starts slowly',
  (way) => {
    test('is waited for by a call that names its tool', async () => {
      const goAhead = join(place(), 'go-ahead')
      const { command, args } = officialServer('everything')
      const [module] = args as readonly string[]
      const slowly = `while (!require('node:fs').existsSync(${JSON.stringify(goAhead)}))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      import(${JSON.stringify(module)})`
      const slow = { command, args: ['-e', slowly] }
      const line =
        way === 'gateway'
          ? ['gateway', '--config', gatewayFile({ slow }), '--db', freshDatabase()]
          : ['wrap', '--db', freshDatabase(), '--', String(command), ...slow.args]
      // An agent that knows the tool from yesterday does not list what there is first.
      const client = new Client({ name: 'journey', version: '1.0.0' })
      atEnd(() => client.close())
      await client.connect(stdioHere(line).transport)
      const call = client.callTool(
        way === 'gateway'
          ? {
              name: 'call_tool_read',
              arguments: {
                name: 'slow:echo',
                args_json: '{"message":"here"}',
                intent: { operation_type: 'read', reason: 'To see whether it answers.' },
              },
            }
          : { name: 'echo', arguments: { message: 'here', rationale: 'To see whether it answers.' } },
      )
      writeFileSync(goAhead, '')
      expect((await call).content).toMatchObject([{ type: 'text', text: 'Echo: here' }])
    })
  },
)

describe('one gateway in front of servers that misbehave', () => {
  const ledger = join(place(), 'ledger')
  const db = freshDatabase()
  let agent: Agent

  beforeAll(async () => {
    const file = gatewayFile({
      good: officialServer('everything'),
      rude: misbehavingServer('polite', ledger, { timeout_ms: 3000 }),
      // The same tools, of which the operator says that they read.
      reader: misbehavingServer('polite', ledger, { timeout_ms: 3000, ...readsOnly('hang', 'garbage') }),
      flooding: misbehavingServer('polite', '', readsOnly('flood')),
      dying: misbehavingServer('die-at-once'),
      looping: misbehavingServer('short-lived'),
      babbling: misbehavingServer('garbage-only'),
      chatty: misbehavingServer('garbage'),
    })
    agent = await agentHere(['gateway', '--config', file, '--db', db])
  })

  const call = (operation: string, name: string, args: Arguments = {}): Promise<Reply> =>
    agent.call(`call_tool_${operation}`, {
      name,
      args_json: JSON.stringify(args),
      intent: { operation_type: operation },
    })
  const goodAnswers = async (): Promise<void> => {
    expect((await call('read', 'good:echo', { message: 'still here' })).text).toContain('still here')
  }

  test('what a server writes beside the protocol changes nothing', async () => {
    expect((await call('read', 'chatty:echo', { n: 1 })).text).toBe('{"n":1}')
    expect((await call('read', 'reader:garbage')).text).toBe('after the garbage')
    await goodAnswers()
  })

  test('a flood of notifications is survived', async () => {
    expect((await call('read', 'flooding:flood')).text).toBe('after the flood')
    await goodAnswers()
  })

  test('a server that is not there is named where an agent looks for its tools', async () => {
    const found = await agent.call('retrieve_tools', { query: 'echo' })
    expect(found.data['hint']).toContain('dying is')
    expect(found.data['hint']).toContain('it ended at once')
    expect(JSON.stringify(found)).not.toContain('no API key was given')
  })

  test('a read that hangs ends, says that the server did not answer, and may be repeated', async () => {
    const hung = await call('read', 'reader:hang')
    expect(hung).toMatchObject({ isError: true, guidance: { error_type: 'upstream_lost', retryable: 'after_wait' } })
    expect(hung.text).toContain('did not answer in time')
    expect(hung.text).not.toContain('taken effect')
    await goodAnswers()
  })

  test.each(['hang', 'crash'])(
    'a write that ends in a %s may have happened: the agent and the log say so',
    async (tool) => {
      const lost = await confirm(agent, await call('write', `rude:${tool}`))
      expect(lost).toMatchObject({ status: 'outcome_unknown', isError: true })
      expect(lost.text).toContain('It may have taken effect all the same.')
      await goodAnswers()
      const calls = await recordsIn(db, { filter: { tools: [`rude:${tool}`] }, limit: 1 })
      expect(calls).toMatchObject([
        { status: 'outcome_unknown', errorMessage: expect.stringContaining('It may have taken effect all the same.') },
      ])
      expect(ledgerOf(ledger).filter((deed) => deed === tool)).toHaveLength(tool === 'hang' ? 2 : 1)
    },
  )

  test('a server that crashed is back by itself, and a server that never stays is no loss to the others', async () => {
    let again = await call('read', 'rude:echo', { n: 2 })
    while (again.isError) again = await call('read', 'rude:echo', { n: 2 })
    expect(again.text).toBe('{"n":2}')
    await goodAnswers()
  })
})

test('64 callers over five servers for a while: every answer is its own, and memory does not grow', async () => {
  // `npm run bench -- load` is the same for a minute.
  const time = isFull() ? { warmMs: 4000, loadMs: 8000, sampleMs: 1000 } : { warmMs: 0, loadMs: 1000, sampleMs: 250 }
  const report = await runLoad({ callers: 64, servers: 5, ...time })
  expect(report.wrong).toBe(0)
  // After a collection each time: what is kept for each answer would be many megabytes by now.
  const [first = 0] = report.heap
  expect(Math.max(...report.heap)).toBeLessThan(first * 1.25)
})
