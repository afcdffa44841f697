// Two servers that differ in one thing: on the first, a tenant has everything that a tenant can have; on the second it
// has never existed. Whoever belongs to another tenant must not be able to tell the two apart.
import { expect, onTestFinished } from 'vitest'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { readResponse, type ReadResponse } from '../../kit/read-response.ts'
import { openDesk, type Desk } from '../../server/http/auth/serve-protected.ts'

/** Stands in everything that the other tenant has. */
export const canary = 'canary'
const password = 'a long password for tests only'

/** A person of one tenant, signed in. */
export interface Person {
  readonly headers: Readonly<Record<string, string>>
  send(method: string, path: string, body?: unknown): Promise<ReadResponse>
}

export interface World {
  readonly desk: Desk
  /** Of tenant `bolt`: its agent's token and its admin. */
  readonly agent: string
  readonly admin: Person
}

/** What belongs to the tenant `canary`. */
export type Belongings = Readonly<
  Record<
    | 'plan'
    | 'ticket'
    | 'approval'
    | 'decided'
    | 'call'
    | 'feedback'
    | 'grant'
    | 'token'
    | 'webhook'
    | 'account'
    | 'delegation'
    | 'session',
    string
  >
>

const webhook = (name: string) => ({ url: `https://${name}.example/hook`, events: ['record.tampered'] })
const rationale = 'grace'
/** Within the year that a right can be lent for. */
export const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

/** A server with the tenant `bolt`, and with `canary` where it is asked for. */
export async function openWorld(withCanary: boolean): Promise<World> {
  const desk = await openDesk({
    access: { mode: 'tokens' },
    rationale,
    metrics: { token: 'a token for figures' },
    tenants: {
      bolt: { webhooks: [webhook('bolt')] },
      ...(withCanary ? { [canary]: { risk: { things_look: 'medium' }, webhooks: [webhook(canary)] } } : {}),
    },
  })
  const agent = await tokenOf(desk, 'bolt', 'bob')
  await addAccount(desk, 'bolt', 'Bea')
  const admin = await signIn(desk, 'Bea')
  await desk.call('things_change', { id: 'of bolt' }, agent)
  return { desk, agent, admin }
}

async function tokenOf(desk: Desk, tenant: string, subject: string): Promise<string> {
  const { access } = desk.records
  const { token } = await access.tokens.create({
    tenant,
    subject,
    permissions: 'all',
    label: `of ${tenant}`,
    by: 'test',
  })
  return `Bearer ${token}`
}

const addAccount = (desk: Desk, tenant: string, name: string) =>
  desk.records.operators.accounts.add({ name, tenant, roles: [{ kind: 'admin' }], subjects: [], password })

/** A person's session, without the hashing of a password that signing in costs. */
async function signIn({ web, records }: Desk, name: string): Promise<Person> {
  const account = await records.operators.accounts.find(name)
  const { value } = await records.operators.sessions.open(account?.id ?? '', 'session', 3_600_000)
  const cookie = `countersign_session_${new URL(web.url).port}=${value}`
  const response = await fetch(`${web.url}/api/v1/session`, { headers: { cookie } })
  expect(response.status).toBe(200)
  const { csrf } = (await response.json()) as { csrf: string }
  const headers = { cookie, 'x-countersign-csrf': csrf }
  return {
    headers,
    send: async (method, path, body) =>
      readResponse(
        await fetch(`${web.url}${path}`, {
          method,
          headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
  }
}

/** A client over MCP with this token, of a host that shows cards; ends with its test. */
export async function connect({ web }: Desk, authorization: string): Promise<Client> {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { extensions } })
  const requestInit = { headers: { authorization } }
  await client.connect(new StreamableHTTPClientTransport(new URL(web.mcpUrl), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

/** Gives the tenant `canary` everything that a tenant can have. */
export async function furnish(
  desk: Desk,
): Promise<{ readonly has: Belongings; readonly owner: Person; readonly agent: string }> {
  const agent = await tokenOf(desk, canary, `${canary} ada`)
  const accounts = [await addAccount(desk, canary, `${canary} Ann`), await addAccount(desk, canary, `${canary} Al`)]
  const owner = await signIn(desk, `${canary} Ann`)
  const id = `${canary} thing`
  const previewed = await desk.call('things_change', { id }, agent)
  await desk.call('things_change', { id: `${id} 2`, ticket: 'pl_0000000000000000', preview: false }, agent)
  // Without a rationale: it is a caller in its time of grace.
  await desk.send('POST', '/api/v1/tools/things_look', { body: { id }, headers: { authorization: agent } })
  const client = await connect(desk, agent)
  const shown = await client.callTool({
    name: 'things_change',
    arguments: { id: `${id} 3`, rationale: 'To see the card.' },
  })
  const card = shown._meta?.['countersign/card'] as { plan: { ticket: string } }
  const asked = await desk.call('things_drop', { id }, agent)
  const decided = await desk.call('things_drop', { id: `${id} 4` }, agent)
  const approve = `/api/v1/approvals/${String(decided.body['approval_id'])}/approve`
  expect((await owner.send('POST', approve, {})).status).toBe(200)
  const told = {
    attempted_action: `${canary} tried`,
    expected_outcome: `${canary} hoped`,
    actual_outcome: `${canary} failed`,
    severity: 'high',
  }
  expect((await desk.call('submit_feedback', told, agent)).status).toBe(200)
  const grant = await owner.send('POST', '/api/v1/grants', {
    tool: 'things_change',
    condition: 'true',
    times: 3,
    until: '7d',
    note: canary,
  })
  expect(grant.status).toBe(201)
  const lent = await owner.send('POST', '/api/v1/delegations', { to: `${canary} Al`, until: soon })
  expect(lent.status).toBe(201)
  const first = async (path: string, list: string): Promise<string> => {
    const items = (await owner.send('GET', path)).body[list] as readonly { readonly id: string }[]
    return String(items[0]?.id)
  }
  const initialize = await fetch(desk.web.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: agent,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: canary, version: '1' } },
    }),
  })
  await initialize.text()
  return {
    owner,
    agent,
    has: {
      plan: String(previewed.body['plan_id']),
      ticket: card.plan.ticket,
      approval: String(asked.body['approval_id']),
      decided: String(decided.body['approval_id']),
      call: await first('/api/v1/activity?status=previewed', 'activity'),
      feedback: await first('/api/v1/feedback', 'feedback'),
      grant: await first('/api/v1/grants', 'grants'),
      token: await first('/api/v1/tokens', 'tokens'),
      webhook: await first('/api/v1/webhooks', 'webhooks'),
      account: String(accounts[1]?.id),
      delegation: await first('/api/v1/delegations', 'delegations'),
      session: initialize.headers.get('mcp-session-id') ?? '',
    },
  }
}

/** What may differ between two servers for every caller alike: when something happened, and ids that are random. */
export const plain = (text: string, url: string): string =>
  text
    .replaceAll(url, 'http://server')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, '<time>')
    .replaceAll(/\b(pl|ap|ac|fb|gr|tk|op|dl|wh|in|cs1|cst|rq)_[0-9A-Za-z_-]+/g, '<$1>')
    .replaceAll(
      /"(duration_ms|expires_in_ms|ttl_seconds|position|change|ms|p50_ms|p95_ms|retry_after_seconds)":\s*\d+(?:\.\d+)?/g,
      '"$1":0',
    )
    // The column of a CSV that says how long a call took.
    .replaceAll(/(,(?:<pl>)?,(?:<ap>)?),\d+,/g, '$1,0,')
    .replaceAll(/"(csrf|digest|entry_hash|next_cursor)":\s*"[^"]*"/g, '"$1":"-"')

/** An answer as it can be compared with that of another server. */
export const comparable = ({ status, headers, text }: ReadResponse, url: string) => ({
  status,
  type: headers.get('content-type'),
  challenge: headers.get('www-authenticate'),
  text: plain(text, url),
})
