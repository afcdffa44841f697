// Without the package that reads a program, nobody knows what a call does: it is critical then, which nothing lets run unasked.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { overStdio } from '../agent.ts'
import { installed, linked } from './installed.ts'

const tool = (name: string, description: string, argument: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
})
const tools = [
  tool('bash', 'Run a bash command', 'command'),
  // Nobody says what runs its line, so it only may be one of a shell.
  tool('create_job', 'Creates a job', 'command'),
  tool('run_query', 'Runs a SQL query on the PostgreSQL database', 'sql'),
]

/** Notes in a file that something was sent to it. */
const server = `
  import { appendFileSync } from 'node:fs'
  import { Server } from '@modelcontextprotocol/sdk/server/index.js'
  import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
  import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
  const server = new Server({ name: 'jobs', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: ${JSON.stringify(tools)} }))
  server.setRequestHandler(CallToolRequestSchema, () => {
    appendFileSync(process.env.RAN, 'x')
    return { content: [{ type: 'text', text: 'done' }] }
  })
  await server.connect(new StdioServerTransport())
`

const worst = [
  ['bash', { command: 'rm -rf /home/ada' }],
  ['create_job', { command: 'rm -rf /home/ada' }],
  ['run_query', { sql: 'DROP TABLE users' }],
] as const

test.each<{ readonly without: readonly string[] }>([{ without: [] }, { without: ['unbash', 'libpg-query'] }])(
  'who lets what is high run unasked is asked before the worst, without $without',
  async ({ without }) => {
    const folder = installed('newest', without)
    const ran = join(folder, 'ran')
    const config = join(folder, 'settings.json')
    writeFileSync(join(folder, 'server.mjs'), server)
    const jobs = { command: process.execPath, args: [join(folder, 'server.mjs')], env: { RAN: ran } }
    writeFileSync(config, JSON.stringify({ policy: { auto_approve_high_risk: true }, mcpServers: { jobs } }))
    const program = join(folder, 'node_modules', 'countersign', 'dist', 'library', 'countersign.js')
    const agent = await overStdio([...linked, program, 'gateway', '--config', config, '--db', ':memory:'])
    for (const [name, args] of worst) {
      const answer = await agent.call('call_tool_destructive', {
        name: `jobs:${name}`,
        args_json: JSON.stringify(args),
        intent: { operation_type: 'destructive', data_sensitivity: 'internal', reason: 'The person asked for it.' },
        preview: false,
      })
      expect([name, answer.status, existsSync(ran)]).toEqual([name, 'previewed', false])
      if (without.length > 0) expect(answer.text).toMatch(/cannot be read as .* is not loaded\), so it is critical/)
    }
  },
)
