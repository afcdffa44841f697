// A remote MCP server that asks for a login, and the authorization server (oidc-provider) at which a person gives it: both
// real, on this machine, in the process of the test, so that it can end tokens and count what was done.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import Provider, { type Configuration } from 'oidc-provider'
import { z } from 'zod'
import { listening } from './listening.ts'

export interface ProtectedServer {
  readonly url: string
  readonly issuer: string
  /** What its tools did, in order. */
  readonly ran: readonly string[]
  /** Every `Authorization` that reached it. */
  readonly seen: readonly string[]
  /** The headers of every request that reached its authorization server. */
  readonly asked: readonly IncomingHttpHeaders[]
  /** How often its authorization server was asked for a refresh, and what it said. */
  readonly refreshes: readonly ('given' | 'refused')[]
  /** The refresh tokens that were given. */
  readonly refreshTokens: readonly string[]
  /** Ends every access token that was given so far. */
  expire(): Promise<void>
  /** Ends every login: access tokens and refresh tokens. */
  revoke(): Promise<void>
  close(): void
}

interface Options {
  /** Seconds that an access token lasts. */
  readonly lasts?: number
  readonly clients?: Configuration['clients']
  /** False: clients must be registered beforehand. */
  readonly registers?: boolean
  /** False: it gives no refresh tokens, and says so. */
  readonly renews?: boolean
  /** What its own metadata say besides or instead. */
  readonly resource?: Readonly<Record<string, unknown>>
  /** The scope that every request needs, and that a refusal names. */
  readonly asksFor?: string
}

/** Starts both. Who starts them closes them. */
export async function startProtectedServer(options: Options = {}): Promise<ProtectedServer> {
  const { lasts = 3600, registers = true, renews = true, clients = [], resource = {}, asksFor = [] } = options
  const scopes = ['issues:read', 'issues:admin', ...(renews ? ['offline_access'] : [])]
  const authorization = createServer()
  const issuer = await listening(authorization)
  // It warns that it is not for production, which nobody doubts here.
  const { warn, info } = console
  Object.assign(console, { warn: () => undefined, info: () => undefined })
  const provider = new Provider(issuer, {
    clients: [...clients],
    cookies: { keys: ['a key of this test'] },
    scopes,
    ttl: { AccessToken: lasts, Grant: 3600, Interaction: 600, Session: 600, RefreshToken: 3600 },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      registration: { enabled: registers },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, audience) => ({
          scope: scopes.join(' '),
          audience,
          accessTokenFormat: 'opaque',
          accessTokenTTL: lasts,
        }),
      },
    },
  })
  Object.assign(console, { warn, info })
  const handle = provider.callback()
  const asked: IncomingHttpHeaders[] = []
  authorization.on('request', (request, response) => {
    asked.push(request.headers)
    void handle(request, response)
  })

  const grants = new Set<string>()
  const access = new Set<string>()
  const refreshTokens: string[] = []
  const refreshes: ('given' | 'refused')[] = []
  provider.on('access_token.saved', (token) => void grants.add(token.grantId ?? ''))
  provider.on('refresh_token.saved', (token) => void refreshTokens.push(token.jti))
  const isRefresh = (ctx: { readonly oidc: { readonly params?: Record<string, unknown> | undefined } }): boolean =>
    ctx.oidc.params?.['grant_type'] === 'refresh_token'
  provider.on('grant.success', (ctx) => void (isRefresh(ctx) && refreshes.push('given')))
  provider.on('grant.error', (ctx) => void (isRefresh(ctx) && refreshes.push('refused')))

  const ran: string[] = []
  const seen: string[] = []
  const app = createMcpExpressApp()
  const server = createServer(app)
  const origin = await listening(server)
  const url = `${origin}/mcp`
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
  app.get('/.well-known/oauth-protected-resource/mcp', (_, response) => {
    response.json({ resource: url, authorization_servers: [issuer], scopes_supported: ['issues:read'], ...resource })
  })
  const verifier = {
    verifyAccessToken: async (token: string) => {
      const found = await provider.AccessToken.find(token)
      if (found === undefined) throw new InvalidTokenError('unknown')
      access.add(token)
      return {
        token,
        clientId: found.clientId ?? '',
        scopes: (found.scope ?? '').split(' '),
        expiresAt: found.exp ?? 0,
        resource: new URL(String(found.aud)),
      }
    },
  }
  const guard = (requiredScopes: string[]) =>
    requireBearerAuth({ verifier, requiredScopes, resourceMetadataUrl: metadata, expectedResource: new URL(url) })
  app.use('/mcp', (request, response, next) => {
    seen.push(request.headers.authorization ?? '')
    const { params } = (request.body ?? {}) as { params?: { name?: unknown } }
    void guard(params?.name === 'read_archive' ? ['issues:admin'] : [asksFor].flat())(request, response, next)
  })
  app.get('/mcp', (_, response) => void response.status(405).end())
  app.post('/mcp', (request, response) => {
    const mcp = tools(ran, () => request.headers.authorization ?? '')
    const transport = new StreamableHTTPServerTransport({})
    response.on('close', () => void mcp.close())
    void mcp
      .connect(transport as Parameters<typeof mcp.connect>[0])
      .then(() => transport.handleRequest(request, response, request.body))
  })
  const expire = async (): Promise<void> => {
    for (const token of access) await (await provider.AccessToken.find(token))?.destroy()
    access.clear()
  }
  return {
    url,
    issuer,
    ran,
    seen,
    asked,
    refreshes,
    refreshTokens,
    expire,
    revoke: async () => {
      for (const grant of grants) await provider.RefreshToken.revokeByGrantId(grant)
      await expire()
    },
    close: () => {
      for (const each of [authorization, server]) {
        each.closeAllConnections()
        each.close()
      }
    },
  }
}

function tools(ran: string[], authorization: () => string): McpServer {
  const mcp = new McpServer({ name: 'tracker', version: '1.0.0' })
  const inputSchema = { id: z.string() }
  const done = (deed: string, id: string) => {
    ran.push(`${deed} ${id}`)
    return { content: [{ type: 'text' as const, text: `${deed} ${id}` }] }
  }
  const reads = { readOnlyHint: true }
  mcp.registerTool('read_issue', { inputSchema, annotations: reads }, ({ id }) => done('read', id))
  mcp.registerTool('whoami', { inputSchema, annotations: reads }, ({ id }) => done(`${id}: ${authorization()}`, ''))
  mcp.registerTool('write_issue', { inputSchema, annotations: { readOnlyHint: false } }, ({ id }) => done('wrote', id))
  mcp.registerTool('read_archive', { inputSchema, annotations: reads }, ({ id }) => done('archive', id))
  return mcp
}
