// What an authorization server is asked about a login without a person: for new tokens, and to forget the old ones. It goes
// where the metadata of the login said when a person agreed, and nowhere that anybody names later.
import { refreshAuthorization, selectClientAuthMethod } from '@modelcontextprotocol/sdk/client/auth.js'
import { OAuthMetadataSchema, type OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { withPackages } from '../../../errors/optional-package.ts'
import type { Login, LoginTokens } from '../../../model/logins.ts'
import { guardedFetch } from './guarded-fetch.ts'

export type Refreshed =
  | { readonly kind: 'refreshed'; readonly login: Login; readonly tokens: LoginTokens }
  /** The authorization server says that the login is over, or that the login cannot be refreshed. */
  | { readonly kind: 'over' }
  /** It does not take us for the client; of the login that says nothing. `code` is its word (RFC 6749, section 5.2). */
  | { readonly kind: 'client'; readonly code: string }
  /** It may work later. */
  | { readonly kind: 'failed' }

/** Asks for new tokens. @param now epoch milliseconds */
export async function refreshLogin(login: Login, now: () => number): Promise<Refreshed> {
  const { client, resource, tokens } = login
  if (tokens?.refresh === undefined) return { kind: 'over' }
  const asked = now()
  try {
    const given = await refreshAuthorization(login.issuer, {
      metadata: OAuthMetadataSchema.parse(login.metadata),
      clientInformation: clientInformation(client),
      refreshToken: tokens.refresh,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: guardedFetch(login.privateNetwork),
    })
    const scope = given.scope ?? login.scope
    const kept = toTokens(given, asked)
    return kept === undefined
      ? { kind: 'failed' }
      : {
          kind: 'refreshed',
          login: { ...login, ...(scope === undefined ? {} : { scope }), tokens: kept },
          tokens: kept,
        }
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'invalid_grant') return { kind: 'over' }
    return code === 'invalid_client' || code === 'unauthorized_client' ? { kind: 'client', code } : { kind: 'failed' }
  }
}

/** The authorization server's word for an error of the SDK's client, where it is one of those (RFC 6749, section 5.2). */
export function errorCodeOf(error: unknown): string | undefined {
  const { errorCode } = error as { errorCode?: unknown }
  return typeof errorCode === 'string' ? errorCode : undefined
}

/** What the SDK calls a client. */
export const clientInformation = ({ id, secret, method }: Login['client']) => ({
  client_id: id,
  ...(secret === undefined ? {} : { client_secret: secret }),
  ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
})

/** The tokens of an answer; `undefined` where they are none that we can send. @param asked when, in epoch milliseconds */
export function toTokens(given: OAuthTokens, asked: number): LoginTokens | undefined {
  const { access_token: access, token_type: type, expires_in: seconds, refresh_token: refresh } = given
  // What no header can carry is no token. RFC 6750 (section 2.1) allows fewer characters; some servers take more.
  if (type.toLowerCase() !== 'bearer' || !/^[!-~]+$/.test(access)) return undefined
  return {
    access,
    since: asked,
    ...(seconds === undefined || !(seconds > 0 && seconds < 1e9) ? {} : { expiresAt: asked + seconds * 1000 }),
    ...(refresh === undefined ? {} : { refresh }),
  }
}

/**
 * Asks the authorization server to forget a login (RFC 7009). False where it names no place for that, or did not do it.
 */
export async function revokeLogin({ issuer, metadata, client, tokens, privateNetwork }: Login): Promise<boolean> {
  if (tokens === undefined) return true
  if (typeof metadata['revocation_endpoint'] !== 'string') return false
  const oidc = await withPackages(['openid-client'], () => import('openid-client'))
  const { id, secret = '' } = client
  const { token_endpoint_auth_methods_supported: methods = [] } = OAuthMetadataSchema.parse(metadata)
  // As it is asked for tokens.
  const how = {
    none: () => oidc.None(),
    client_secret_post: () => oidc.ClientSecretPost(secret),
    client_secret_basic: () => oidc.ClientSecretBasic(secret),
  }[selectClientAuthMethod(clientInformation(client), methods)]()
  const config = new oidc.Configuration({ ...metadata, issuer }, id, {}, how)
  config[oidc.customFetch] = (url, init) => guardedFetch(privateNetwork)(url, init as RequestInit)
  // The guarded fetch lets plain http through to this machine only.
  oidc.allowInsecureRequests(config)
  try {
    // Whoever revokes the refresh token should revoke the access token with it; not all do.
    for (const [token, hint] of [
      [tokens.refresh, 'refresh_token'],
      [tokens.access, 'access_token'],
    ] as const)
      if (token !== undefined) await oidc.tokenRevocation(config, token, { token_type_hint: hint })
    return true
  } catch {
    return false
  }
}
