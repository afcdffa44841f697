// A remote server that asks for a login, as a person and an agent meet it: the agent reads which command helps, the person
// runs it and agrees in a browser, and the gateway that is running goes on with what it got.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, test, vi } from 'vitest'
import type { ProtectedServer } from '../../kit/protected-server.ts'
import { longest } from '../../longest.ts'
import { openWanderer } from '../../server/http/auth/openid-provider.ts'
import { toReply, type Reply } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { addressIn, isCallback, loginScene, logInHere } from './scene.ts'
import { stdioHere } from '../in-process.ts'
import { binary, start, type Ended, type Running } from '../processes.ts'
import { recordsIn } from '../records-in.ts'
import { runCommand } from '../terminal.ts'

const addressOf = (running: Running): Promise<string> =>
  vi.waitUntil(() => addressIn(running.stderr()), { timeout: longest, interval: 10 })

/** Runs `countersign login` and agrees in its browser. Answers how it ended, and what the browser showed. */
async function logIn(args: readonly string[]): Promise<Ended & { readonly page: Response }> {
  const running = start([...binary, 'login', ...args])
  const back = await Promise.race([
    addressOf(running).then((address) => openWanderer().passProvider(address, 'ada', isCallback)),
    running.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  const page = await fetch(back)
  return { ...(await running.ended), page }
}

async function agentOf(
  args: readonly string[],
): Promise<(name: string, args: Record<string, unknown>) => Promise<Reply>> {
  const client = new Client({ name: 'journey', version: '1.0.0' })
  atEnd(() => client.close())
  await client.connect(stdioHere(args).transport)
  return async (name, given) => toReply((await client.callTool({ name, arguments: given })) as CallToolResult)
}

const rationale = 'The user wants to know what the issue says.'
const reading = (name: string, id: string) => ({
  name: `tracker:${name}`,
  args_json: JSON.stringify({ id }),
  intent: { operation_type: 'read' },
  rationale,
})

const tokensOf = ({ seen, refreshTokens }: ProtectedServer): readonly string[] => [
  ...new Set([...seen.map((each) => each.replace('Bearer ', '')).filter(Boolean), ...refreshTokens]),
]

test('an agent reads which command helps, and the gateway that is running goes on once the person has run it', async () => {
  const { server, db, config } = await loginScene()
  const call = await agentOf(['gateway', '--config', config])
  const before = await call('call_tool_read', reading('read_issue', '7'))
  expect(before.guidance).toMatchObject({ error_type: 'upstream_login_required', retryable: 'after_wait' })
  expect(before.text).toContain(`countersign login tracker --config ${config}`)
  expect(server.ran).toEqual([])

  const login = await logIn(['tracker', '--config', config])
  expect(login).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('It permits: issues:read offline_access.'),
  })
  expect(await login.page.text()).toContain('You can close this window')
  expect(login.page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await call('call_tool_read', reading('read_issue', '7'))).text).toContain('read 7')

  // A token that the server does not take any more is replaced by a newer one, and nobody hears of it.
  await server.expire()
  expect((await call('call_tool_read', reading('read_issue', '8'))).text).toContain('read 8')
  expect(server.refreshes).toEqual(['given'])

  // What permits too little says which scope is missing, and the next login has it besides.
  const closed = await call('call_tool_read', reading('read_archive', '8'))
  expect(closed.guidance).toMatchObject({ error_type: 'upstream_login_required' })
  expect(closed.text).toContain(`countersign login tracker --scope issues:admin --config ${config}`)
  const more = await logInHere(['tracker', '--scope', 'issues:admin', '--config', config])
  expect(more.stderr).toContain('It permits: issues:read offline_access issues:admin.')
  expect((await call('call_tool_read', reading('read_archive', '8'))).text).toContain('archive 8')

  // What the server repeats of its token reaches nobody.
  const own = await call('call_tool_read', reading('whoami', 'me'))
  expect(own.text).toContain('me: Bearer [redacted]')

  // The authorization server ends the login: the agent is told, and a login puts it right.
  await server.revoke()
  const ended = await call('call_tool_read', reading('read_issue', '9'))
  expect(ended.guidance).toMatchObject({ error_type: 'upstream_login_required' })
  expect(ended.text).toContain('The login at tracker is over')
  expect((await runCommand(['login', '--list', '--config', config])).stdout).toMatch(/^tracker .* over: log in again/m)
  expect((await logInHere(['tracker', '--config', config])).code).toBe(0)
  expect((await call('call_tool_read', reading('read_issue', '9'))).text).toContain('read 9')
  expect(server.ran.filter((deed) => !deed.startsWith('me:'))).toEqual(['read 7', 'read 8', 'archive 8', 'read 9'])

  // Nothing of it is readable on the disk, and nothing of it was ever printed.
  const secrets = tokensOf(server)
  expect(secrets.length).toBeGreaterThan(5)
  const folder = dirname(db)
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const printed = [login, more].flatMap(({ stdout, stderr }) => [stdout, stderr])
  const told = [before, closed, own, ended].map((reply) => JSON.stringify(reply))
  for (const text of [...files, ...printed, ...told])
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  const records = await recordsIn(db, { filter: { tools: ['server.login'] }, limit: 9 })
  expect(records.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
})

/** The page behind an address of the authorization server, when the person declines there. */
async function decline(address: string): Promise<URL> {
  const { follow } = openWanderer()
  const [at, page] = await follow(address, isCallback)
  const cancel = /href="([^"]+\/abort)"/.exec(await page.text())?.[1] ?? ''
  const [back] = await follow(new URL(cancel, at).href, isCallback)
  return back
}

test('an answer with another state changes nothing, and who declines is told so', async () => {
  const { config } = await loginScene()
  const running = start([...binary, 'login', 'tracker', '--config', config])
  const back = await decline(await addressOf(running))
  const { origin } = back
  const wrong = await fetch(`${origin}/callback?code=stolen&state=<script>alert(1)</script>`)
  const text = await wrong.text()
  expect([wrong.status, text.includes('This answers no login'), text.includes('alert')]).toEqual([400, true, false])
  expect((await fetch(`${origin}/`)).status).toBe(404)
  expect((await fetch(`${origin}/callback?state=x`, { method: 'POST' })).status).toBe(404)
  const { status } = await fetch(back)
  const ended = await running.ended
  expect([status, ended.code]).toEqual([200, 1])
  expect(ended.stderr).toContain('Nobody is logged in at tracker: it was declined in the browser.')
  expect((await runCommand(['login', '--list', '--config', config])).stderr).toContain('There are no logins')
})

test('a login that nobody answers ends, and one that cannot be is refused with what to do', async () => {
  const { server, db, config } = await loginScene()
  const late = await runCommand(['login', 'tracker', '--timeout', '1', '--config', config])
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('no answer came within 1 seconds') })
  const refused = async (args: readonly string[]) => {
    const { code, stderr } = await runCommand(['login', ...args, '--config', config])
    expect(code).toBe(2)
    return stderr
  }
  expect(await refused(['traker'])).toContain('Did you mean tracker?')
  expect(await refused(['tracker', '--scope', '$(id)'])).toContain('--scope cannot be used')
  expect(await refused(['tracker', '--client-id', 'a', '--client-secret', 'NOT_SET'])).toContain('NOT_SET is not set')
  expect(await refused([])).toContain('takes the name of one server')
  const secret = 'ZmE3NjM4ZTktMWQ4Zi00'
  const away = await runCommand(['login', `http://127.0.0.1:9/s/${secret}/mcp`, '--db', db])
  expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') })
  const records = await recordsIn(db, { filter: { tools: ['server.login'] }, limit: 9 })
  expect(records).toHaveLength(2)
  expect(JSON.stringify(records)).toContain('/s/…/mcp')
  expect(JSON.stringify(records)).not.toContain(secret)
  expect(server.ran).toEqual([])
})

test('a server that is wrapped by its address is logged in at by its address; doctor, list and logout know it', async () => {
  const { server, db, config } = await loginScene()
  const login = await logInHere([server.url, '--private-network', '--db', db])
  expect(login.code).toBe(0)
  const call = await agentOf(['wrap', server.url, '--db', db])
  expect((await call('read_issue', { id: '7', rationale })).text).toContain('read 7')
  const list = JSON.parse((await runCommand(['login', '--list', '--json', '--db', db])).stdout) as { server: string }[]
  expect(list).toMatchObject([{ address: server.url, issuer: server.issuer, state: 'refreshed by itself' }])

  // Another entry is another login, and doctor says how to get it.
  const before = await runCommand(['doctor', '--config', config])
  expect([before.code, before.stdout]).toEqual([
    1,
    expect.stringContaining(`countersign login tracker --config ${config}`),
  ])
  await logInHere(['tracker', '--config', config])
  await server.expire()
  const after = await runCommand(['doctor', '--config', config])
  const words = `logged in at ${server.issuer} as its client \\S+ since .* UTC, refreshed by itself, its token until .* UTC; scopes: issues:read offline_access`
  expect([after.code, after.stdout]).toEqual([0, expect.stringMatching(new RegExp(words))])
  expect(tokensOf(server).filter((token) => after.stdout.includes(token))).toEqual([])
  expect((await runCommand(['tools', 'list', '--config', config])).stdout).toContain('tracker:read_issue')

  const both = await runCommand(['logout', server.url, '--db', db])
  expect([both.code, both.stderr]).toEqual([2, expect.stringMatching(/Name one: (?:tracker, \S+|\S+, tracker)\n/)])
  // A login that its authorization server has ended is shown with what to do.
  await server.revoke()
  const ended = await runCommand(['doctor', '--config', config])
  expect([ended.code, ended.stdout]).toEqual([
    1,
    expect.stringMatching(
      /does not answer: .*`countersign login tracker .*\n +logged in at .* over: log in again; scopes:/,
    ),
  ])
  await logInHere(['tracker', '--config', config])
  await logInHere([server.url, '--private-network', '--db', db])
  // Its entry may be gone by then.
  const without = join(place(), 'without.json')
  writeFileSync(without, JSON.stringify({ db, mcpServers: {} }))
  const out = await runCommand(['logout', 'tracker', '--config', without])
  expect([out.code, out.stderr]).toEqual([0, expect.stringContaining('its authorization server has ended the login')])
  expect(await runCommand(['logout', 'tracker', '--config', config])).toMatchObject({ code: 1 })
  const called = await runCommand([
    'call',
    'tool-read',
    '--tool-name=tracker:read_issue',
    '--json_args={"id":"1"}',
    '--config',
    config,
  ])
  expect([called.code, called.stderr]).toEqual([2, expect.stringContaining('countersign login tracker')])
  // The other one is still there.
  expect((await call('read_issue', { id: '8', rationale })).text).toContain('read 8')
})
