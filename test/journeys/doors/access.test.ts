// Callers as they come in reality: a process that is started from a settings file, a client of the official SDK, an
// authorization server that is none of ours, and an operator at a terminal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { place } from '../at-end.ts'
import { agentClient, startAuthorizationServer } from '../login/authorization-server.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const rationale = 'The person asked for this.'
const order = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 1 }], rationale }

/** A server of the order desk with these settings, in a folder of its own. */
async function startDesk(settings: object) {
  const folder = place()
  const file = join(folder, 'countersign.json')
  writeFileSync(file, JSON.stringify({ db: 'desk.db', http: { port: 0 }, ...settings }))
  const web = await webHere(['demo', '--config', file])
  // Callers have credentials here: what a token is for is the bare address.
  return { file, db: join(folder, 'desk.db'), mcp: new URL('/mcp', web.mcp) }
}

async function connect(
  mcp: URL,
  options: ConstructorParameters<typeof StreamableHTTPClientTransport>[1],
): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(mcp, options))
  onTestFinished(() => client.close())
  return client
}

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

describe('with tokens', () => {
  test('an operator makes one at the terminal, an agent uses it, and its end is at once', async () => {
    const { file, mcp } = await startDesk({ access: { mode: 'tokens' } })
    await expect(connect(mcp, {})).rejects.toThrow(/token/)
    const asked = ['--subject', 'shop', '--permissions', 'orders:read', '--expires', '1d', '--label', 'the shop']
    const made = await runCommand(['token', 'create', '--config', file, ...asked])
    expect(made.code).toBe(0)
    const token = made.stdout.trim()
    expect(token).toMatch(/^cst_[\w-]{43}$/)
    expect(made.stderr).not.toContain(token)

    const client = await connect(mcp, bearer(token))
    const read = await client.callTool({ name: 'orders_list', arguments: { rationale } })
    expect(read.isError).not.toBe(true)
    const write = await client.callTool({ name: 'orders_create', arguments: order })
    expect(write).toMatchObject({ isError: true, structuredContent: { missing_permissions: ['orders:write'] } })

    const listed = await runCommand(['token', 'list', '--config', file])
    expect(listed.stdout).toMatch(
      /tk_\w+ +default +shop +active +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d \d\d:\d\d +orders:read +the shop/,
    )
    expect(listed.stdout).not.toContain(token)
    const [id = ''] = /tk_\w+/.exec(listed.stdout) ?? []
    expect(await runCommand(['token', 'revoke', id, '--config', file])).toMatchObject({ code: 0 })
    await expect(client.callTool({ name: 'orders_list', arguments: { rationale } })).rejects.toThrow(/401|not valid/)
    expect(await runCommand(['token', 'revoke', id, '--config', file])).toMatchObject({ code: 1 })
    const activity = await runCommand(['activity', 'list', '--config', file, '--output', 'json'])
    expect(activity.stdout).toContain('operator.token_created')
    expect(activity.stdout).toContain('operator.token_revoked')
    expect(activity.stdout).not.toContain(token)
  })
})

describe('with an authorization server', () => {
  test('a client finds it by itself, gets a token for this server, and may do what its scope says', async () => {
    const issuer = await startAuthorizationServer(['orders:read', 'orders:write'])
    const { mcp } = await startDesk({ access: { mode: 'jwt', jwt: { issuer, tenant_claim: 'org' } } })
    const { id: clientId, secret: clientSecret } = agentClient
    const authProvider = (scope: string) =>
      new ClientCredentialsProvider({ clientId, clientSecret, scope, expectedIssuer: issuer })
    const reader = await connect(mcp, { authProvider: authProvider('orders:read') })
    expect((await reader.callTool({ name: 'orders_list', arguments: { rationale } })).isError).not.toBe(true)
    expect(await reader.callTool({ name: 'orders_create', arguments: order })).toMatchObject({
      isError: true,
      structuredContent: { missing_permissions: ['orders:write'] },
    })
    const writer = await connect(mcp, { authProvider: authProvider('orders:read orders:write') })
    expect(await writer.callTool({ name: 'orders_create', arguments: order })).toMatchObject({
      structuredContent: { status: 'previewed' },
    })
  })

  test('a token for another server is not taken', async () => {
    const issuer = await startAuthorizationServer(['orders:read'])
    const { mcp } = await startDesk({ access: { mode: 'jwt', jwt: { issuer, tenant_claim: 'org' } } })
    const tokenFor = async (resource: string): Promise<string> => {
      const basic = Buffer.from(`${agentClient.id}:${encodeURIComponent(agentClient.secret)}`).toString('base64')
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'orders:read', resource }).toString(),
      })
      const { access_token: token } = (await response.json()) as { access_token: string }
      return token
    }
    const ping = async (token: string): Promise<Response> =>
      fetch(mcp, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    expect((await ping(await tokenFor(mcp.href))).status).toBe(200)
    const refused = await ping(await tokenFor('https://other.example/mcp'))
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('it is for another audience')
  })
})
