// Servers hang, crash, write rubbish, flood and restart without end. Behind one gateway that is nobody else's trouble:
// it stays up, the others answer, and of a write that got lost both the agent and the log say that it may have happened.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../server/store/store.ts'
import { confirm, overStdio, type Agent, type Arguments, type Reply } from './agent.ts'
import { freshDatabase, place } from './at-end.ts'
import { ledgerOf } from './gateway-ledger.ts'
import { gatewayFile, officialServer, rudeServer } from './gateway-reach.ts'
import { binary } from './processes.ts'

describe('one gateway in front of servers that misbehave', () => {
  const ledger = join(place(), 'ledger')
  const db = freshDatabase()
  let agent: Agent

  beforeAll(async () => {
    const file = gatewayFile({
      good: officialServer('everything'),
      rude: rudeServer('polite', ledger, { timeout_ms: 1000 }),
      dying: rudeServer('die-at-once'),
      looping: rudeServer('short-lived'),
      babbling: rudeServer('garbage-only'),
      chatty: rudeServer('garbage'),
    })
    agent = await overStdio([...binary, 'gateway', '--config', file, '--db', db])
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
    expect((await call('read', 'rude:garbage')).text).toBe('after the garbage')
    await goodAnswers()
  })

  test('a flood of notifications is survived', async () => {
    expect((await call('read', 'rude:flood')).text).toBe('after the flood')
    await goodAnswers()
  })

  test('a server that is not there is named where an agent looks for its tools', async () => {
    const found = await agent.call('retrieve_tools', { query: 'echo' })
    expect(found.data['hint']).toContain('dying is')
    expect(found.data['hint']).toContain('no API key was given')
  })

  test('a read that hangs ends, says that the server did not answer, and may be repeated', async () => {
    const hung = await call('read', 'rude:hang')
    expect(hung).toMatchObject({ isError: true, guidance: { error_type: 'upstream_lost', retryable: 'after_wait' } })
    expect(hung.text).toContain('did not answer in time')
    await goodAnswers()
  })

  test.each(['hang', 'crash'])(
    'a write that ends in a %s may have happened: the agent and the log say so',
    async (tool) => {
      const lost = await confirm(agent, await call('write', `rude:${tool}`))
      expect(lost).toMatchObject({ status: 'outcome_unknown', isError: true })
      expect(lost.text).toContain('It may have taken effect all the same.')
      await goodAnswers()
      const opened = await openStore({ file: db })
      if (!opened.ok) throw new Error(opened.failure.message)
      const { calls } = await opened.value.activity.pageRecords({ filter: { tools: [`rude:${tool}`] }, limit: 1 })
      await opened.value.close()
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
  const names = ['a', 'b', 'c', 'd', 'e']
  const servers = Object.fromEntries(names.map((name) => [name, rudeServer('polite', '', { concurrency: 8 })]))
  const line = [...binary, 'gateway', '--config', gatewayFile(servers), '--db', freshDatabase()]
  const agent = await overStdio(line)
  const residentKb = (): number => Number(/VmRSS:\s+(\d+)/.exec(readProc(agent.pid))?.[1] ?? Number.NaN)

  let answered = 0
  const wrong: string[] = []
  const caller = async (id: number, until: number): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn++) {
      const [name, args] = [names[(id + turn) % names.length] ?? 'a', { id, turn }]
      const reply = await agent.call('call_tool_read', {
        name: `${name}:echo`,
        args_json: JSON.stringify(args),
        intent: { operation_type: 'read' },
      })
      answered++
      if (reply.text !== JSON.stringify(args)) wrong.push(`${JSON.stringify(args)}: ${reply.text}`)
    }
  }
  const run = (ms: number) => Promise.all(Array.from({ length: 64 }, (_, id) => caller(id, performance.now() + ms)))
  await run(3000)
  const warm = residentKb()
  await run(5000)
  expect(wrong).toEqual([])
  expect(answered).toBeGreaterThan(64 * 5)
  // A leak of one answer's size would be many times this by now.
  expect(residentKb()).toBeLessThan(warm * 1.5)
})

const readProc = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8')
