// `strict_server_validation: false`: what contradicts the server's annotations is warned of and let through. Nothing runs
// unasked by that: hosts permit the read door without a prompt, so what changes something there waits for an approval.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { casesOf } from '../../full.ts'
import { overHttp, rationale, waitsForApproval, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, realPlace, misbehavingServer, type Entry } from './reach.ts'
import { agentHere, webHere } from '../in-process.ts'
import { recordsIn } from '../records-in.ts'
import { atTerminal, runCommand } from '../terminal.ts'

const lenient = { intent_declaration: { strict_server_validation: false } }
const read = { operation_type: 'read' }

const gatewayOf = (folder: string, more: Entry = {}, files: Entry = {}) =>
  gatewayFile(
    { files: officialServer('filesystem', [folder], files), rude: misbehavingServer() },
    { ...lenient, ...more },
  )

/** An agent, and what its gateway has written on standard error. */
async function open(door: 'stdio' | 'HTTP', line: readonly string[]): Promise<{ agent: Agent; log: () => string }> {
  if (door === 'HTTP') {
    const web = await webHere([...line, '--http', '0'])
    return { agent: await overHttp(web.mcp), log: () => web.stderr() }
  }
  const agent = await agentHere(line)
  return { agent, log: () => agent.stderr() }
}

/** The lines of the log about contradictions. */
const warningsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('strict_server_validation'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

describe.each(casesOf(['stdio', 'HTTP'] as const, String, ['HTTP']))('over %s', (door) => {
  const [folder, db] = [realPlace(), freshDatabase()]
  const path = join(folder, 'a.txt')
  const write = { name: 'files:write_file', args_json: JSON.stringify({ path, content: 'new' }), intent: read }

  test('a change through the read door is logged in one line, waits for an approval, and runs once it has it', async () => {
    const { agent, log } = await open(door, ['gateway', '--config', gatewayOf(folder), '--db', db])
    await agent.call('call_tool_read', { name: 'files:list_allowed_directories', intent: read })
    expect(warningsIn(log())).toStrictEqual([])

    const asked = await agent.call('call_tool_read', write)
    expect(asked.data).toStrictEqual(waitsForApproval)
    expect(asked.text).toContain("Warning: Tool 'files:write_file' is marked destructive by server")
    expect(existsSync(path)).toBe(false)
    expect(warningsIn(log())).toMatchObject([
      {
        level: 'warn',
        msg: expect.stringContaining("Tool 'files:write_file' is marked destructive by server and was called with"),
        tool: 'files:write_file',
        variant: 'call_tool_read',
      },
    ])
    expect(await recordsIn(db, { filter: {}, limit: 1 })).toMatchObject([
      {
        variant: 'call_tool_read',
        operation: 'read',
        operationSource: 'declared',
        status: 'awaiting_approval',
        verdict: 'approve:no-card',
      },
    ])

    const again = (ticket: string, more = {}) =>
      agent.call('call_tool_read', { ...write, ticket, preview: false, ...more })
    const preview = await agent.call('call_tool_read', { ...write, preview: true })
    expect(preview).toMatchObject({ status: 'previewed', card: undefined })
    expect((await again(preview.planId)).data).toStrictEqual(waitsForApproval)
    expect(existsSync(path)).toBe(false)

    const { approval_id: id } = (await agent.call('call_tool_read', write)).data
    expect((await again(String(id))).data).toStrictEqual(waitsForApproval)
    const approved = await atTerminal(
      ['approvals', 'approve', String(id), '--db', db, '--by', 'Eve'],
      [['Type ', (shown) => /Type (\S+) to let it happen/.exec(shown)?.[1] ?? '']],
    )
    expect(approved.code).toBe(0)
    // Its server may be running it by then.
    await eventually(async () => expect((await again(String(id))).status).toMatch(/^(applied|replayed)$/))
    expect(readFileSync(path, 'utf8')).toBe('new')
    // Who approved ran it, and its row says what the agent had declared.
    const rows = await recordsIn(db, { filter: {}, limit: 50 })
    expect(rows.filter(({ source }) => source === 'approval')).toMatchObject([
      { variant: 'call_tool_read', operation: 'read', operationSource: 'declared', intent: read, status: 'applied' },
    ])
  })

  test('who calls beyond the limit of writes fills no log', async () => {
    const config = gatewayOf(realPlace(), { limits: { writes_per_minute: 2 } })
    const { agent, log } = await open(door, ['gateway', '--config', config, '--db', freshDatabase()])
    for (let call = 0; call < 6; call++) await agent.call('call_tool_read', write)
    expect(warningsIn(log())).toHaveLength(2)
  })
})

type Waiver = readonly [where: string, gateway: Entry, files: Entry]
/** Settings by which a change needs nobody, at its own door. The first two are asked of the command as well. */
const waivers: readonly Waiver[] = [
  ['high risk is approved by a setting', { policy: { auto_approve_high_risk: true } }, {}],
  ['the tool may run alone', {}, { tools: { write_file: { risk: 'medium', autonomous: true } } }],
  ['the host’s own prompts are the confirmation', { confirmation: 'host' }, {}],
  ['a plan’s id is proof enough', { policy: { proof: { high: 'plan', critical: 'plan' } } }, {}],
]
const asked = casesOf(waivers, ([where]) => where, ['the host’s own prompts are the confirmation'])

test.each(asked)('nothing runs unasked through the read door where %s', async (_, more, files) => {
  const folder = realPlace()
  const path = join(folder, 'a.txt')
  const line = ['gateway', '--config', gatewayOf(folder, more, files), '--db', freshDatabase()]
  const agent = await agentHere(line)
  const args = { name: 'files:write_file', args_json: JSON.stringify({ path, content: 'new' }), intent: read }
  for (const preview of [undefined, false]) {
    const asked = await agent.call('call_tool_read', { ...args, ...(preview === undefined ? {} : { preview }) })
    expect(asked.data).toStrictEqual(waitsForApproval)
  }
  const shown = await agent.call('call_tool_read', { ...args, preview: true })
  expect((await agent.call('call_tool_read', { ...args, ticket: shown.planId, preview: false })).data).toStrictEqual(
    waitsForApproval,
  )
  expect(existsSync(path)).toBe(false)
})

test('what the read door takes is said where the call tools are listed', async () => {
  const agent = await agentHere(['gateway', '--config', gatewayOf(realPlace()), '--db', freshDatabase()])
  const door = agent.tools.find(({ name }) => name === 'call_tool_read')
  expect(door?.inputSchema.properties).toMatchObject({ preview: { type: 'boolean' }, ticket: { type: 'string' } })
  expect(door?.description).toContain('what changes something still waits for a person')
  // A tool whose server says nothing is no contradiction, and asks as well.
  const silent = await agent.call('call_tool_read', { name: 'rude:rename', intent: read, rationale })
  expect(silent.data).toStrictEqual(waitsForApproval)
})

test('a person at a terminal is warned, asked, and may say yes', async () => {
  const [folder, db] = [realPlace(), freshDatabase()]
  const path = join(folder, 'a.txt')
  const line = ['call', 'tool-read', '--tool-name=files:write_file', '--config', gatewayOf(folder), '--db', db]
  const args = `--json_args=${JSON.stringify({ path, content: 'new' })}`
  const unasked = await runCommand([...line, args])
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing has happened.') })
  expect(unasked.stderr).toContain('was called with call_tool_read; allowed')
  expect(existsSync(path)).toBe(false)
  const asked = await atTerminal([...line, args], [['Write file? [y/N] ', 'yes']])
  expect(asked.code).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe('new')
})

test.each(casesOf(['tool-read', 'tool-destructive'], String, ['tool-read']))(
  'the command asks before %s changes anything, also where hosts’ prompts are the confirmation',
  async (variant) => {
    const [folder, db] = [realPlace(), freshDatabase()]
    const path = join(folder, 'a.txt')
    const config = gatewayOf(folder, { confirmation: 'host' })
    const line = (tool: string, args: object) => [
      'call',
      variant,
      `--tool-name=files:${tool}`,
      `--json_args=${JSON.stringify(args)}`,
      '--config',
      config,
      '--db',
      db,
    ]
    const write = line('write_file', { path, content: 'new' })
    expect(await runCommand(write)).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing has happened.') })
    expect(existsSync(path)).toBe(false)
    expect(await atTerminal(write, [['Write file? [y/N] ', 'yes']])).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe('new')
    // A read asks nobody.
    expect(await runCommand(line('read_text_file', { path }))).toMatchObject({ code: 0, stdout: 'new\n' })
  },
)

test.each(casesOf(waivers.slice(0, 2), ([where]) => where, ['the tool may run alone']))(
  'tool-read of a change asks at the terminal, too, where %s',
  async (_, more, files) => {
    const folder = realPlace()
    const path = join(folder, 'a.txt')
    const args = `--json_args=${JSON.stringify({ path, content: 'new' })}`
    const line = ['call', 'tool-read', '--tool-name=files:write_file', args, '--config', gatewayOf(folder, more, files)]
    expect(await runCommand([...line, '--db', freshDatabase()])).toMatchObject({ code: 2 })
    expect(existsSync(path)).toBe(false)
  },
)
