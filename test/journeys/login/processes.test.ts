// Two processes on one database share a login. A refresh token that comes a second time ends the login at this authorization
// server, so a race between them would be seen at once.
import { expect, test } from 'vitest'
import { overStdio } from '../agent.ts'
import { logInHere, loginScene } from './scene.ts'
import { binary } from '../processes.ts'

test('two gateways whose token ends at the same moment refresh it once, and both go on', async () => {
  const { server, config } = await loginScene()
  expect((await logInHere(['tracker', '--config', config])).code).toBe(0)
  const gateways = [0, 1].map(() => overStdio([...binary, 'gateway', '--config', config]))
  const agents = await Promise.all(gateways)
  expect(new Set(agents.map(({ pid }) => pid)).size).toBe(2)
  const read = async (round: number): Promise<readonly string[]> =>
    Promise.all(
      [...agents, ...agents, ...agents].map(async (agent, at) => {
        const given = { name: 'tracker:read_issue', args_json: JSON.stringify({ id: `${round}-${at}` }) }
        return (await agent.call('call_tool_read', { ...given, intent: { operation_type: 'read' } })).text
      }),
    )
  const expected = (round: number) =>
    [0, 1, 2, 3, 4, 5].map((at) => expect.stringContaining(`read ${round}-${at}`) as string)
  expect(await read(0)).toEqual(expected(0))
  for (const round of [1, 2, 3]) {
    await server.expire()
    expect(await read(round)).toEqual(expected(round))
  }
  expect(server.refreshes).toEqual(['given', 'given', 'given'])
  // Every one of them was brought once: the last one still works.
  await server.expire()
  expect(await read(4)).toEqual(expected(4))
  expect(new Set(server.refreshTokens).size).toBe(5)
})
