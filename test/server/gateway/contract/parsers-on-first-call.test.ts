// The parsers of programs take megabytes, and of a thousand tools behind a gateway few are called: they are there for the
// calls that they decide, and not before.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ToolDefinition } from '../../../../server/gateway/upstream/definitions/definition.ts'
import { misbehavingServer, startOne } from '../servers.ts'

const taking = (name: string, description: string, argument: string): ToolDefinition => {
  const raw = { name, description, inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } } } }
  return { ...raw, raw }
}
const definitions = [
  taking('run_query', 'Run a SQL query on the PostgreSQL database', 'sql'),
  taking('bash', 'Run a command in a bash shell', 'command'),
  taking('zsh', 'Run a command in a zsh shell', 'command'),
]

/** As in a process that has just started: other tests of this one have loaded the parsers. */
async function anew() {
  vi.resetModules()
  const { upstreamTools } = await import('../../../../server/gateway/contract/upstream-contracts.ts')
  const { postgresParser } = await import('../../../../server/gateway/programs/sql/postgres-parser.ts')
  const { shellParser } = await import('../../../../server/gateway/programs/shell/parser.ts')
  const { createStage } = await import('../../rail/rail-fixture.ts')
  const loaded = () => ({ postgres: postgresParser() !== undefined, shell: shellParser() !== undefined })
  return { upstreamTools, createStage, loaded }
}

test('a parser is loaded by the first call that it decides, which is rated with it', async () => {
  const { upstreamTools, createStage, loaded } = await anew()
  const tools = upstreamTools(
    await startOne(misbehavingServer()),
    definitions.map((definition) => ({ definition, digest: definition.name })),
    { wireName: (tool) => tool },
  )
  const stage = await createStage(tools.map((tool) => tool.contract('call_tool_write')))
  expect(loaded()).toEqual({ postgres: false, shell: false })

  expect((await stage.ask('run_query', { sql: 'SELECT 1' })).contract?.operation).toBe('read')
  expect(loaded()).toEqual({ postgres: true, shell: false })
  expect((await stage.ask('bash', { command: 'ls -la' })).contract?.operation).toBe('read')
  expect(loaded()).toEqual({ postgres: true, shell: true })
})

test('that a parser does not load is told once, and each call with its language asks', async () => {
  vi.doMock('unbash', () => {
    throw new Error('not there')
  })
  onTestFinished(() => vi.doUnmock('unbash'))
  const { upstreamTools, createStage } = await anew()
  const warnings: string[] = []
  const tools = upstreamTools(
    await startOne(misbehavingServer()),
    definitions.map((definition) => ({ definition, digest: definition.name })),
    { wireName: (tool) => tool, warn: (message) => void warnings.push(message) },
  )
  const stage = await createStage(tools.map((tool) => tool.contract('call_tool_write')))
  for (const name of ['bash', 'zsh', 'bash'])
    expect((await stage.ask(name, { command: 'ls' })).contract?.operation).toBe('destructive')
  expect(warnings).toEqual([expect.stringMatching(/are critical, because their parser did not load/)])
})
