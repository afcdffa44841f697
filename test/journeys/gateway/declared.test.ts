// Operators look for what agents meant to do, above all where it was refused. So every row says what was declared, in each
// place where rows are read, and what was derived instead is marked.
import { parse } from 'yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import type { ActivityLine, ActivityRecord } from '../../../server/http/activity/activity-wire.ts'
import { eventually } from '../../eventually.ts'
import { overHttp, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, realPlace } from './reach.ts'
import { agentHere, webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const token = 'journey-admin-token-1234'
const secret = `ghp_${'a1B2'.repeat(9)}`
const reason = 'The user wants to see the notes.'
const none = { operation_type: null, data_sensitivity: null, reason: null }

/** Each call, and what its row says of it. */
const calls = [
  [
    'a read that the server’s annotations contradict',
    'call_tool_read',
    { name: 'files:write_file', intent: { operation_type: 'read', data_sensitivity: 'private', reason } },
    {
      intent: { operation_type: 'read', data_sensitivity: 'private', reason },
      intent_type: 'read',
      intent_source: 'declared',
      rationale: reason,
    },
  ],
  [
    'an intent that contradicts the call tool',
    'call_tool_read',
    {
      name: 'files:read_text_file',
      intent: { operation_type: 'write', reason: 'Why not?' },
      rationale: 'It was asked for.',
    },
    {
      intent: { operation_type: 'write', data_sensitivity: null, reason: 'Why not?' },
      intent_type: 'write',
      intent_source: 'declared',
      rationale: 'It was asked for.',
    },
  ],
  [
    'an intent of values that do not exist, with a secret in it',
    'call_tool_write',
    {
      name: 'files:create_directory',
      intent: {
        operation_type: 'modify',
        data_sensitivity: ['mine', { token: secret }],
        reason: `With ${secret} it works.`,
      },
    },
    {
      intent: {
        operation_type: 'modify',
        data_sensitivity: '["mine",{"token":"[redacted]"}]',
        reason: 'With [redacted] it works.',
      },
      intent_type: 'write',
      intent_source: 'derived',
      rationale: 'With [redacted] it works.',
    },
  ],
  [
    'a reason that is too long',
    'call_tool_read',
    { name: 'files:read_text_file', intent: { operation_type: 'read', reason: 'so '.repeat(2000) } },
    {
      intent: { operation_type: 'read', data_sensitivity: null, reason: 'so '.repeat(2000).slice(0, 1000) },
      intent_type: 'read',
      intent_source: 'declared',
      rationale: 'so '.repeat(2000).slice(0, 1000),
    },
  ],
  [
    'an intent that is no object',
    'call_tool_destructive',
    { name: 'files:move_file', intent: 'destructive' },
    {
      intent: { ...none, operation_type: 'destructive' },
      intent_type: 'destructive',
      intent_source: 'derived',
      rationale: null,
    },
  ],
  [
    'no intent at all',
    'call_tool_write',
    { name: 'files:create_directory' },
    { intent: { ...none, operation_type: 'write' }, intent_type: 'write', intent_source: 'derived', rationale: null },
  ],
  [
    'a reason that is too short for a rationale',
    'call_tool_read',
    { name: 'files:list_allowed_directories', intent: { operation_type: 'read', reason: 'Why not' } },
    {
      intent: { operation_type: 'read', data_sensitivity: null, reason: 'Why not' },
      intent_type: 'read',
      intent_source: 'declared',
      rationale: 'Why not',
    },
  ],
  [
    'a name that no tool has',
    'call_tool_destructive',
    { name: 'files:shred', intent: { operation_type: 'destructive', reason } },
    {
      intent: { operation_type: 'destructive', data_sensitivity: null, reason },
      intent_type: 'destructive',
      intent_source: 'declared',
      rationale: reason,
    },
  ],
  [
    'a read that runs, its intent as JSON text',
    'call_tool_read',
    { name: 'files:list_allowed_directories', intent: JSON.stringify({ operation_type: 'read', reason }) },
    {
      intent: { operation_type: 'read', data_sensitivity: null, reason },
      intent_type: 'read',
      intent_source: 'declared',
      rationale: reason,
    },
  ],
] as const

describe.each(casesOf(['stdio', 'HTTP'] as const, String, ['HTTP']))('over %s', (door) => {
  const db = freshDatabase()
  let web: URL | undefined
  let agent: Agent

  beforeAll(async () => {
    const file = gatewayFile({ files: officialServer('filesystem', [realPlace()]) })
    const line = ['gateway', '--config', file, '--db', db]
    if (door === 'stdio') agent = await agentHere(line)
    else {
      web = (await webHere([...line, '--http', '0'], { env: { COUNTERSIGN_ADMIN_TOKEN: token } })).mcp
      agent = await overHttp(web)
    }
    for (const [, name, args] of calls) await agent.client.callTool({ name, arguments: { ...args } })
    await agent.call('retrieve_tools', { query: 'read a file' })
    // How a call ended is written behind its answer.
    await eventually(async () => expect(await activity('list', '--status', 'open', '-o', 'json')).toBe('[]\n'))
  })

  const activity = async (...args: readonly string[]): Promise<string> =>
    (await runCommand(['activity', ...args, '--db', db])).stdout
  const rows = async (...args: readonly string[]) =>
    JSON.parse(await activity('list', '-o', 'json', ...args)) as readonly ActivityLine[]
  const expected = calls
    .map(([, tool_variant, { name: tool }, said]) => ({ tool, variant: tool_variant, tool_variant, ...said }))
    .toReversed()
  const own = {
    tool: 'retrieve_tools',
    tool_variant: null,
    intent: { ...none, operation_type: 'read' },
    intent_source: 'derived',
  }

  test('each row of the list says what was declared, and marks what was derived', async () => {
    const listed = await rows()
    expect(listed).toMatchObject([own, ...expected])
    expect(listed.slice(1, -1).map(({ status }) => status)).toContain('refused')
    expect(parse(await activity('list', '-o', 'yaml'))).toStrictEqual(listed)
    expect(await activity('list', '--no-icons')).toMatch(/retrieve_tools +read, derived +ok/)
    expect(await activity('list', '--no-icons')).toMatch(/files:write_file +read +refused/)
  })

  test('refused reads are found by what they declared', async () => {
    const reads = (await rows('--intent-type', 'read')).map(({ tool, status }) => `${tool} ${status}`)
    expect(reads).toStrictEqual([
      'retrieve_tools ok',
      'files:list_allowed_directories ok',
      'files:list_allowed_directories refused',
      'files:read_text_file refused',
      'files:write_file refused',
    ])
  })

  test('show and export say the same, and no secret is in them', async () => {
    const listed = await rows()
    const exported = JSON.parse(await activity('export')) as readonly ActivityRecord[]
    expect(exported.toReversed()).toMatchObject(listed)
    for (const row of listed) {
      expect(JSON.parse(await activity('show', row.id, '-o', 'json'))).toMatchObject([row])
      expect(parse(await activity('show', row.id, '-o', 'yaml'))).toMatchObject([row])
    }
    const [head = '', ...lines] = (await activity('export', '--format', 'csv', '--tool', 'files:write_file')).split(
      '\r\n',
    )
    expect(head.split(',')).toEqual(expect.arrayContaining(['intent', 'variant', 'tool_variant']))
    expect(lines[0]).toContain('""data_sensitivity"":""private""')
    expect(lines[0]).toMatch(/call_tool_read$/)
    expect(JSON.stringify(exported)).not.toContain(secret)
    const shown = await activity('show', listed.find(({ tool }) => tool === 'files:write_file')?.id ?? '', '--no-icons')
    expect(shown).toContain('files:write_file (through call_tool_read)')
    expect(shown).toMatch(/Intent +read, declared\n +Sensitivity +private\n +Reason +The user wants/)
    const odd = await activity('show', listed.find(({ intent }) => intent.operation_type === 'modify')?.id ?? '')
    expect(odd).toMatch(/Intent +✎ write, derived\n +Declared +modify\n/)
  })

  test('the API says the same', async () => {
    if (web === undefined) return
    const api = async (path: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(new URL(`/api/v1/activity${path}`, web), { headers })
      return answer.json() as Promise<Readonly<Record<string, unknown>>>
    }
    // The terminal has no tools to make sentences with.
    const ofTheApi = new Set(['sentence', 'decisions', 'error_message'])
    const said = async (path: string): Promise<readonly unknown[]> => {
      const { activity, next_cursor: next } = await api(path)
      expect(next).toBeNull()
      return (activity as readonly Readonly<Record<string, unknown>>[]).map((row) => {
        expect(row['sentence']).toMatch(/./)
        return Object.fromEntries(Object.entries(row).filter(([name]) => !ofTheApi.has(name)))
      })
    }
    const listed = await rows()
    expect(await said('')).toStrictEqual(listed)
    expect(await said('?intent_type=read')).toStrictEqual(await rows('--intent-type', 'read'))
    expect(await api(`/${listed.at(-1)?.id}`)).toMatchObject(listed.at(-1) ?? {})
  })

  test('the chain of the record is whole', async () => {
    expect(await runCommand(['activity', 'verify', '--db', db])).toMatchObject({ code: 0 })
  })
})
