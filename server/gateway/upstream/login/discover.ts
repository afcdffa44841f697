// Who says where a person agrees, and where tokens come from: the server behind, which may mean harm. So what it says is
// held to its own specifications before anything is opened or registered.
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { fail, ok, type Result } from '../../../errors/result.ts'
import { isProtected } from '../../../ip-address.ts'
import type { RemoteServer } from '../settings/upstream-config.schema.ts'
import { isSameIssuer } from './secret-goes-to.ts'

/** Why nobody can log in there, and what to do. */
export interface LoginTrouble {
  readonly message: string
  readonly next: string
}

export type Discovered = Awaited<ReturnType<typeof discoverOAuthServerInfo>> & {
  readonly authorizationServerMetadata: NonNullable<
    Awaited<ReturnType<typeof discoverOAuthServerInfo>>['authorizationServerMetadata']
  >
  /** What the server asked for when it refused us, scopes divided by blanks. */
  readonly wanted: string | undefined
}

const timeoutMs = 20_000

/**
 * Asks the server without a token, and then its authorization server what it is (RFC 9728, RFC 8414, OpenID Connect
 * Discovery).
 * @param issuer what the operator lets it call itself instead of its address.
 */
export async function discover(
  name: string,
  server: RemoteServer,
  ask: FetchLike,
  issuer: string | undefined,
): Promise<Result<Discovered, LoginTrouble>> {
  const refused: string[] = []
  const noted: FetchLike = (url, init) =>
    ask(url, init).catch((error: unknown) => {
      refused.push(error instanceof Error ? error.message : String(error))
      throw error
    })
  const probed = await probe(server)
  if (!probed.ok)
    return fail({
      message: `${name} cannot be reached (${probed.failure}).`,
      next: 'Check its address and the network.',
    })
  const { status, resourceMetadataUrl, scope } = probed.value
  const found = await discoverOAuthServerInfo(server.url, {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    fetchFn: noted,
  }).catch((error: unknown) => {
    refused.push(plainText(error))
    return undefined
  })
  const metadata = found?.authorizationServerMetadata
  if (found === undefined || metadata === undefined) {
    if (refused.length > 0)
      return fail({
        message: `The authorization server of ${name} cannot be asked: ${[...new Set(refused)].slice(0, 3).join('; ')}.`,
        next: 'Try again later, or ask who runs that server.',
      })
    const named = found?.resourceMetadata === undefined ? undefined : found.authorizationServerUrl
    const open = status === 401 ? '' : `, and answers without a login (HTTP ${status})`
    return fail({
      message:
        named === undefined
          ? `${name} names no authorization server${open}.`
          : `${named}, where ${name} has its logins, does not say how.`,
      next: 'If it takes a key, write it into `headers` of its entry in the settings, as a "${VARIABLE}".',
    })
  }
  const wrong = whyNotUsable(found.authorizationServerUrl, metadata, issuer)
  if (wrong !== undefined) return fail({ ...wrong, message: `Nobody can log in at ${name}: ${wrong.message}` })
  if (issuer !== undefined && !isSameIssuer(issuer, found.authorizationServerUrl)) {
    const other = await otherEndpoint(issuer, metadata, noted)
    if (other !== undefined)
      return fail({
        message: `Nobody can log in at ${name}: ${other}`,
        next: 'Ask who runs that server; another one may pretend to be this issuer.',
      })
  }
  const resource = found.resourceMetadata?.resource
  if (resource !== undefined && !checkResourceAllowed({ requestedResource: server.url, configuredResource: resource }))
    return fail({
      message: `Nobody can log in at ${name}: its metadata is that of another resource, ${resource}.`,
      next: 'Check its address; the server must say the same (RFC 9728, section 3.3).',
    })
  return ok({ ...found, authorizationServerMetadata: metadata, wanted: scope })
}

/** What the server says to a request without a token. */
async function probe(
  server: RemoteServer,
): Promise<Result<ReturnType<typeof extractWWWAuthenticateParams> & { readonly status: number }, string>> {
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'countersign', version: '0' },
  }
  try {
    const response = await fetch(server.url, {
      method: server.type === 'sse' ? 'GET' : 'POST',
      headers: { ...server.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(server.type === 'sse'
        ? {}
        : { body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return ok({ ...extractWWWAuthenticateParams(response), status: response.status })
  } catch (error) {
    return fail(plainText(error))
  }
}

type Metadata = Discovered['authorizationServerMetadata']

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

function endpointOf(metadata: Metadata, endpoint: (typeof endpoints)[number]): string | undefined {
  const at = (metadata as Readonly<Record<string, unknown>>)[endpoint]
  return typeof at === 'string' ? at : undefined
}

/**
 * What differs from what the issuer says of itself. Whoever is let use its name could send the person there to agree, and
 * have the code sent to itself (mix-up, RFC 9207).
 */
async function otherEndpoint(issuer: string, metadata: Metadata, fetchFn: FetchLike): Promise<string | undefined> {
  const own = await discoverAuthorizationServerMetadata(issuer, { fetchFn }).catch(() => undefined)
  if (own === undefined) return `${issuer}, the issuer in its settings, does not say where its endpoints are.`
  const other = endpoints.find((endpoint) => endpointOf(own, endpoint) !== endpointOf(metadata, endpoint))
  if (other === undefined) return undefined
  const [says, is] = [metadata, own].map((each) => endpointOf(each, other) ?? 'none')
  return `its authorization server names ${says} as ${other}, and ${issuer}, which it says it is, names ${is}.`
}

/** What speaks against an authorization server. */
function whyNotUsable(address: string, metadata: Metadata, issuer: string | undefined): LoginTrouble | undefined {
  // Who may call itself another's name gets codes that are meant for that one (RFC 8414, section 3.3; RFC 9207).
  const allowed = issuer ?? address
  if (!isSameIssuer(metadata.issuer, allowed))
    return {
      message: `its authorization server is ${allowed} and calls itself ${metadata.issuer}.`,
      next: 'If you know that both are one, write `"oauth": {"issuer": …}` with that name into its entry in the settings.',
    }
  for (const endpoint of endpoints) {
    const at = endpointOf(metadata, endpoint)
    // `https://bank.example@evil.example/` is read as the first by people.
    if (at !== undefined && /^https?:\/\/[^/?#]*@/i.test(at))
      return { message: `its ${endpoint} has a user in it (${at}).`, next: 'Tell who runs that server.' }
    if (at !== undefined && !isProtected(at))
      return { message: `its ${endpoint} is not https (${at}).`, next: 'Tell who runs that server.' }
  }
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    return {
      message: 'its authorization server does not say that it checks PKCE (S256), without which a code can be stolen.',
      next: 'Tell who runs that server: MCP asks for it.',
    }
  return undefined
}

/** An error without its stack, with the reason that "fetch failed" hides. */
const plainText = (error: unknown): string => {
  const { message, cause } = error as { message?: unknown; cause?: unknown }
  const why = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : undefined
  return String(why ?? message)
    .replace(/\s+/g, ' ')
    .slice(0, 200)
}
