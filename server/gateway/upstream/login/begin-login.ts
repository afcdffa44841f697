// A person logs in at a server behind, in a browser: the authorization code flow with PKCE (RFC 6749, 7636, 8252), by the
// SDK's client. What is ours here is what the flow is held to, and what is kept of it.
import { timingSafeEqual } from 'node:crypto'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { fail, ok, type Result } from '../../../errors/result.ts'
import type { Login, LoginKey } from '../../../model/logins.ts'
import type { RemoteServer } from '../settings/upstream-config.schema.ts'
import { discover, type Discovered, type LoginTrouble } from './discover.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { isMeantFor } from './secret-goes-to.ts'
import { errorCodeOf, toTokens } from './refresh.ts'

export interface LoginWish extends LoginKey {
  readonly config: RemoteServer
  /** Where the browser comes back to, on this machine. */
  readonly redirectUrl: string
  /** Made up for this login alone. */
  readonly state: string
  /** The login that there is. */
  readonly before?: Login | undefined
  /** Scopes to ask for besides. */
  readonly more?: readonly string[] | undefined
  /** The issuer that the command names; that of the settings when absent. */
  readonly issuer?: string | undefined
  /** A client that is registered there; we register one when absent. */
  readonly client?: { readonly id: string; readonly secret?: string | undefined } | undefined
  readonly privateNetwork: boolean
  /** Epoch milliseconds, by the store's clock. */
  readonly now: () => number
}

export interface BegunLogin {
  /** What the person opens. */
  readonly address: URL
  readonly issuer: string
  /** What is asked for, divided by blanks; absent where that is left to the authorization server. */
  readonly scope: string | undefined
  /** Whether these parameters answer this very login. */
  readonly isOurs: (answer: URLSearchParams) => boolean
  /** Exchanges the code of the answer. */
  readonly finish: (answer: URLSearchParams) => Promise<Result<Login, LoginTrouble>>
}

/** Finds the authorization server and makes the address that the person opens; registers us where nobody has. */
export async function beginLogin(wish: LoginWish): Promise<Result<BegunLogin, LoginTrouble>> {
  const { server: name, config, redirectUrl, state } = wish
  const fetchFn = guardedFetch(wish.privateNetwork)
  const named = wish.issuer ?? config.oauth?.issuer
  const discovered = await discover(name, config, fetchFn, named)
  if (!discovered.ok) return discovered
  const found = discovered.value
  const metadata = found.authorizationServerMetadata
  if (wish.client === undefined && metadata.registration_endpoint === undefined)
    return fail({
      message: `The authorization server of ${name} registers no clients by itself.`,
      next: `Register one there that may be sent back to ${redirectUrl} (--port keeps the port the same), and name it with --client-id or in \`oauth.client_id\` of its entry in the settings.`,
    })
  if (wish.client?.secret !== undefined && !isMeantFor(metadata.issuer, wish.client, named, wish.before))
    return fail({
      message: `Nobody is logged in at ${name}: its authorization server is ${metadata.issuer}, and nothing says that the secret of the client ${wish.client.id} is meant for that one. It was sent to nobody.`,
      next: `If it is where this client is registered, write \`"oauth": {"issuer": ${JSON.stringify(metadata.issuer)}}\` into its entry in the settings, or give --issuer, and run the command again. If not, do not trust that server.`,
    })
  const scope = scopeOf(wish, found)
  let client: OAuthClientInformationMixed | undefined =
    wish.client === undefined
      ? undefined
      : {
          client_id: wish.client.id,
          ...(wish.client.secret === undefined ? {} : { client_secret: wish.client.secret }),
          issuer: found.authorizationServerUrl,
        }
  const clientMetadata: OAuthClientMetadata & { readonly application_type: 'native' } = {
    client_name: 'Countersign',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', ...(mayRefresh(metadata) ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }
  let address: URL | undefined
  let verifier = ''
  let given: OAuthTokens | undefined
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    state: () => state,
    clientInformation: () => client,
    ...(wish.client === undefined ? { saveClientInformation: (made) => void (client = made) } : {}),
    tokens: () => undefined,
    saveTokens: (tokens) => void (given = tokens),
    redirectToAuthorization: (to) => void (address = to),
    saveCodeVerifier: (made) => void (verifier = made),
    codeVerifier: () => verifier,
    discoveryState: () => found,
  }
  const ask = { serverUrl: config.url, ...(scope === undefined ? {} : { scope }), fetchFn }

  async function finish(answer: URLSearchParams): Promise<Result<Login, LoginTrouble>> {
    const refused = whyRefused(name, answer, metadata)
    if (refused !== undefined) return fail(refused)
    const asked = wish.now()
    try {
      await auth(provider, { ...ask, authorizationCode: answer.get('code') ?? '' })
    } catch (error) {
      return fail(notGiven(name, error))
    }
    const tokens = given === undefined ? undefined : toTokens(given, asked)
    if (tokens === undefined || client === undefined)
      return fail({
        message: `The authorization server of ${name} gave a token of a kind that we cannot send.`,
        next: 'Tell who runs that server: MCP takes bearer tokens.',
      })
    return ok(toLogin(wish, found, client, { tokens, scope: given?.scope ?? scope }))
  }

  try {
    await auth(provider, ask)
  } catch (error) {
    return fail(notGiven(name, error))
  }
  if (address === undefined) return fail(notGiven(name, new Error('it asks for no browser')))
  return ok({ address, issuer: metadata.issuer, scope, isOurs: isAnswerTo(state), finish })
}

/** A registration may be refused for a grant that is not among those of its server (RFC 7591); many name none and give this one. */
const mayRefresh = ({ grant_types_supported: grants }: Discovered['authorizationServerMetadata']): boolean =>
  grants?.includes('refresh_token') !== false

/**
 * What is asked for: what the settings say; else what the server wanted or names now, and `offline_access` where the
 * authorization server gives refresh tokens for it. `more` comes besides, and with it what the login had, which it is to
 * add to; a login anew asks for nothing that nobody names any more.
 */
function scopeOf({ before, more = [], config }: LoginWish, { wanted, ...found }: Discovered): string | undefined {
  const words = (text = ''): readonly string[] => text.split(' ').filter((word) => word !== '')
  const had = more.length === 0 ? undefined : before?.scope
  const named = wanted ?? found.resourceMetadata?.scopes_supported?.join(' ')
  const offline = found.authorizationServerMetadata.scopes_supported?.includes('offline_access') === true
  const usual = [...words(named), ...words(had), ...(offline ? ['offline_access'] : [])]
  const all = [...new Set([...(config.oauth?.scopes ?? usual), ...more])]
  return all.length === 0 ? undefined : all.join(' ')
}

const isAnswerTo =
  (state: string) =>
  (answer: URLSearchParams): boolean => {
    const [ours, theirs] = [Buffer.from(state), Buffer.from(answer.get('state') ?? '')]
    return ours.length === theirs.length && timingSafeEqual(ours, theirs)
  }

/** Why the answer is no agreement, or not that of the authorization server which was asked (RFC 9207). */
function whyRefused(
  name: string,
  answer: URLSearchParams,
  metadata: Discovered['authorizationServerMetadata'],
): LoginTrouble | undefined {
  const from = answer.get('iss')
  const always =
    (metadata as Readonly<Record<string, unknown>>)['authorization_response_iss_parameter_supported'] === true
  if (from === null ? always : from !== metadata.issuer)
    return {
      message: `The answer does not come from ${metadata.issuer}, where the login at ${name} began. Its code was sent to nobody.`,
      next: 'Do not trust that server before you know why.',
    }
  const error = answer.get('error')
  if (error !== null)
    return {
      message:
        error === 'access_denied'
          ? `Nobody is logged in at ${name}: it was declined in the browser.`
          : `Nobody is logged in at ${name}: its authorization server says ${wordOf(error)}${saidOf(answer)}.`,
      next:
        error === 'invalid_scope'
          ? 'Take out of --scope what it does not know, or write into `oauth.scopes` of its entry in the settings what to ask for. With --scope a login asks for what the one before had, too; to ask for less, log out first.'
          : 'Run the command again to try once more.',
    }
  return answer.get('code') === null
    ? { message: `The authorization server of ${name} answered without a code.`, next: 'Run the command again.' }
    : undefined
}

/** A code of an error is one word; whatever else stands there is not repeated. */
const wordOf = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'something that is no error code')

const saidOf = (answer: URLSearchParams): string => {
  const said = answer.get('error_description')
  return said === null ? '' : ` ("${said.slice(0, 200)}")`
}

function notGiven(name: string, error: unknown): LoginTrouble {
  return {
    message: `Nobody is logged in at ${name}: ${reasonOf(error)}.`,
    next: 'Run the command again; if it stays so, ask who runs that server.',
  }
}

/** What an answer with tokens says instead of an error is not repeated: it may be the tokens. */
function reasonOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'SyntaxError' || name === 'ZodError')
    return 'its authorization server answers something that is not OAuth'
  const code = errorCodeOf(error)
  if (code === undefined) return message.slice(0, 300)
  const said = message.replace(/ Raw body:[^]*/, '').slice(0, 200)
  return `its authorization server says ${wordOf(code)} ("${said}")`
}

/** What is kept of the metadata: where tokens come from, how, and where they end. */
const keptMetadata = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'response_types_supported',
  'token_endpoint_auth_methods_supported',
  'revocation_endpoint',
]

function toLogin(
  { server, address, now, privateNetwork }: LoginWish,
  { authorizationServerMetadata: metadata, resourceMetadata }: Discovered,
  client: OAuthClientInformationMixed,
  { tokens, scope }: { readonly tokens: NonNullable<Login['tokens']>; readonly scope: string | undefined },
): Login {
  const method = 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined
  const { client_id: id, client_secret: secret } = client
  return {
    server,
    address,
    at: now(),
    issuer: metadata.issuer,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => keptMetadata.includes(key))),
    client: { id, ...(secret === undefined ? {} : { secret }), ...(method === undefined ? {} : { method }) },
    privateNetwork,
    ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }),
    ...(scope === undefined ? {} : { scope }),
    tokens,
  }
}
