// Why a call is made is asked of every call to somebody else's server, unless the operator relaxes it for that server:
// then for its low-risk reads, through the doors and under their own names, and the operator can see where.
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { rationale, toReply, type Agent, type Arguments } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { gatewayFile, officialServer, realPlace, misbehavingServer } from './reach.ts'
import { readsOnly } from '../../server/gateway/rating/reads-only.ts'
import { agentHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

/** A call with these arguments and no others. */
const bare = async (agent: Agent, name: string, args: Arguments = {}) =>
  toReply((await agent.client.callTool({ name, arguments: args })) as CallToolResult)

/** Such a call of a server's tool through a door. */
const through = (agent: Agent, operation: 'read' | 'write', name: string, more: Arguments = {}) =>
  bare(agent, `call_tool_${operation}`, { name, args_json: '{"n":1}', intent: { operation_type: operation }, ...more })

const echo = '{"n":1}'
const missing = { error_type: 'validation_error', field_errors: [{ pointer: '/rationale' }] }

test('every call through a gateway brings a rationale, except low-risk reads of a server that the operator relaxes', async () => {
  const ledgers = { strict: join(place(), 'ledger'), relaxed: join(place(), 'ledger') }
  const file = gatewayFile({
    strict: misbehavingServer('polite', ledgers.strict, readsOnly('echo')),
    relaxed: misbehavingServer('polite', ledgers.relaxed, {
      rationale: 'optional',
      start: 'lazy',
      ...readsOnly('echo'),
    }),
  })
  const agent = await agentHere(['gateway', '--config', file, '--db', freshDatabase()])
  expect((await bare(agent, 'retrieve_tools', { query: 'echo' })).guidance).toMatchObject(missing)
  expect((await through(agent, 'read', 'strict:echo')).guidance).toMatchObject(missing)
  // Also where the server has yet to start for it.
  expect((await through(agent, 'read', 'relaxed:echo')).text).toBe(echo)
  const short = await through(agent, 'read', 'relaxed:echo', { rationale: 'Because.' })
  expect(short.guidance).toMatchObject({ ...missing, field_errors: [{ pointer: '/rationale', received: 'Because.' }] })
  expect((await through(agent, 'write', 'relaxed:rename')).guidance).toMatchObject(missing)
  expect(ledgerOf(ledgers.strict)).not.toContain('echo')

  const doctor = await runCommand(['doctor', '--config', file, '--db', freshDatabase()])
  expect(doctor.stdout).toMatch(/relaxed +[^\n]+\n +calls of its low-risk reads need no rationale/)
  expect(doctor.stdout.match(/need no rationale/g)).toHaveLength(1)
})

test('wrap asks every call of a wrapped server why it is made, and --rationale optional relaxes its low-risk reads', async () => {
  const { command, args } = officialServer('filesystem', [realPlace()])
  const behind = ['--', String(command), ...(args as readonly string[])]
  const opened = (...more: readonly string[]) => agentHere(['wrap', '--db', freshDatabase(), ...more, ...behind])
  const [strict, relaxed] = [await opened(), await opened('--rationale', 'optional')]
  const required = (agent: Agent, name: string) =>
    agent.tools.find((tool) => tool.name === name)?.inputSchema.required ?? []
  for (const { name, inputSchema } of strict.tools.filter((tool) => !tool.name.startsWith('countersign_')))
    if (name !== 'apply_plan')
      expect([name, inputSchema.required]).toEqual([name, expect.arrayContaining(['rationale'])])
  expect((await bare(strict, 'list_allowed_directories')).guidance).toMatchObject(missing)
  expect((await bare(strict, 'list_allowed_directories', { rationale })).isError).toBe(false)
  expect(required(relaxed, 'list_allowed_directories')).not.toContain('rationale')
  expect((await bare(relaxed, 'list_allowed_directories')).isError).toBe(false)
  expect(required(relaxed, 'create_directory')).toContain('rationale')
  expect((await bare(relaxed, 'create_directory', { path: 'x' })).guidance).toMatchObject(missing)
})
