// A command line that runs beside others in one process: what it is given is its own, and it leaves nothing behind.
import { expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { freshDatabase, place } from '../at-end.ts'
import { gatewayFile, officialServer } from '../gateway/reach.ts'
import { agentHere, startHere, webHere } from '../in-process.ts'

test('has variables, streams and an end of its own, and leaves neither a listener nor another console behind', async () => {
  const handlers = () => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal))
  const before = handlers()
  const open = async (token: string) => {
    const web = await webHere(['demo', '--port', '0', '--db', ':memory:'], { env: { COUNTERSIGN_ADMIN_TOKEN: token } })
    const ask = async (given: string) => {
      const headers = { authorization: `Bearer ${given}` }
      return (await fetch(new URL('/api/v1/webhooks', web.mcp), { headers })).status
    }
    return { ...web, ask, token }
  }
  const [one, two] = await Promise.all([open('the-token-of-the-first-server'), open('the-token-of-the-second-server')])
  expect([await one.ask(one.token), await one.ask(two.token)]).toEqual([200, 401])
  expect([await two.ask(two.token), await two.ask(one.token)]).toEqual([200, 401])
  expect(one.stderr()).not.toContain(new URL('/', two.mcp).host)

  expect(await one.end()).toMatchObject({ code: 0 })
  await expect(one.ask(one.token)).rejects.toThrow('fetch failed')
  expect(await two.ask(two.token)).toBe(200)

  const home = place()
  const config = gatewayFile({ everything: officialServer('everything') })
  const agent = await agentHere(['gateway', '--config', config, '--db', freshDatabase()], { env: { HOME: home } })
  // A server behind has it from the run that started it.
  const call = { name: 'everything:get-env', intent: { operation_type: 'read' } }
  expect(JSON.parse((await agent.call('call_tool_read', call)).text)).toMatchObject({ HOME: home })
  await agent.close()
  expect(await agent.ended).toMatchObject({ code: 0 })
  await two.end()
  expect(handlers()).toEqual(before)
  expect(console.log === console.error).toBe(false)
})

test('Ctrl+C at a question ends the run that asks, and not the process of others', async () => {
  let signals = 0
  const count = (): void => void (signals += 1)
  process.on('SIGINT', count)
  const running = startHere(['secrets', 'set', 'mode'], { isTTY: true })
  await eventually(() => expect(running.stderr()).toContain('Value of mode: '))
  running.stdin.write('\u0003')
  expect((await running.ended).code).not.toBe(0)
  // A signal is handled in a turn of its own.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('SIGINT', count)
  expect(signals).toBe(0)
})
