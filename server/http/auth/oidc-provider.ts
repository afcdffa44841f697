// The organisation's own sign-in, as far as we need it: the authorization code flow with PKCE, state and nonce (OpenID
// Connect Core 1.0, section 3.1; RFC 7636; RFC 9700). The library does the protocol; here stands which claims make an
// operator, and that none of them is ever guessed.
import * as oidc from 'openid-client'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { Role } from '../../model/operators.ts'
import type { ProviderPerson } from '../../store/store.ts'
import { isName } from '../operators/operator.ts'

export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** What the button says. */
  readonly label: string
  readonly nameClaim: string
  readonly rolesClaim?: string | undefined
  /** Value of the claim → roles here. */
  readonly roles: ReadonlyMap<string, readonly Role[]>
  /** Without it, everybody whom the provider lets in is an operator of every tenant. */
  readonly tenantClaim?: string | undefined
}

/** What must come back unchanged from the browser. */
interface SignInUnderWay {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Why somebody does not get in; for the person, and for the record. */
export interface OidcRefusal {
  readonly status: 400 | 403 | 502
  readonly code: string
  readonly message: string
  readonly next: string
}

interface OidcProvider {
  /** Where to send the browser. */
  start(callback: string): Promise<Result<{ readonly url: URL; readonly underWay: SignInUnderWay }, OidcRefusal>>
  /** Who came back. `url` is the address of the callback with what the provider has put into it. */
  finish(url: URL, underWay: SignInUnderWay): Promise<Result<ProviderPerson, OidcRefusal>>
}

const seconds = 10
const freshMs = 60 * 60 * 1000

/** A provider by its address; it is asked for its metadata when somebody first signs in. */
export function createOidcProvider(
  options: OidcOptions,
  report: (error: unknown, where: string) => string,
): OidcProvider {
  let known: { readonly at: number; readonly configuration: Promise<oidc.Configuration> } | undefined

  const configuration = (): Promise<oidc.Configuration> => {
    if (known !== undefined && performance.now() - known.at < freshMs) return known.configuration
    const asked = discover(options)
    const mine = { at: performance.now(), configuration: asked }
    known = mine
    // A provider that was down is asked again, not remembered.
    asked.catch(() => {
      if (known === mine) known = undefined
    })
    return asked
  }

  const unreachable = (error: unknown): OidcRefusal => {
    report(error, 'the sign-in provider')
    return {
      status: 502,
      code: 'provider-unreachable',
      message: `The sign-in at ${new URL(options.issuer).host} does not answer as it should.`,
      next: 'Try again in a while, or sign in with a password.',
    }
  }

  const mismatched = (error: unknown): OidcRefusal => {
    report(error, 'a sign-in that does not fit')
    return {
      status: 400,
      code: 'sign-in-failed',
      message: 'What came back from the provider does not belong to this sign-in.',
      next: 'Begin again.',
    }
  }

  const start: OidcProvider['start'] = async (callback) => {
    try {
      const config = await configuration()
      const underWay = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'openid profile',
        state: underWay.state,
        nonce: underWay.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(underWay.verifier),
        code_challenge_method: 'S256',
      })
      return ok({ url, underWay })
    } catch (error) {
      return fail(unreachable(error))
    }
  }

  const finish: OidcProvider['finish'] = async (url, { state, nonce, verifier }) => {
    let claims: Claims
    try {
      const config = await configuration()
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const inToken: Claims = { ...tokens.claims() }
      claims = lacksSome(inToken, options) ? { ...(await moreClaims(config, tokens, inToken)), ...inToken } : inToken
    } catch (error) {
      if (error instanceof oidc.AuthorizationResponseError) return fail(declined(error))
      return fail(isMismatch(error) ? mismatched(error) : unreachable(error))
    }
    return personOf(claims, options)
  }

  return { start, finish }
}

/** It answered, and the answer is of another sign-in, of no sign-in, or not by it. */
const isMismatch = (error: unknown): boolean =>
  error instanceof oidc.ResponseBodyError ||
  (error instanceof oidc.ClientError && error.code !== 'OAUTH_TIMEOUT' && error.code !== 'OAUTH_ABORT')

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<oidc.Configuration> {
  const server = new URL(issuer)
  const config = await oidc.discovery(
    server,
    clientId,
    { [oidc.clockTolerance]: 30 },
    clientSecret === undefined ? oidc.None() : secretAuth(clientSecret),
    // The settings let plain http through on this machine only.
    { timeout: seconds, execute: server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [] },
  )
  config.timeout = seconds
  // Also look at the signature of what came over a connection that vouches for itself.
  oidc.enableNonRepudiationChecks(config)
  return config
}

/** Basic is what every provider knows unless it says otherwise (RFC 8414, section 2). */
function secretAuth(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const auth = methods === undefined || methods.includes('client_secret_basic') ? basic : post
    return auth(server, client, body, headers)
  }
}

type Claims = Readonly<Record<string, unknown>>

const wanted = ({ nameClaim, rolesClaim, tenantClaim }: OidcOptions): readonly string[] =>
  [nameClaim, rolesClaim, tenantClaim].filter((claim) => claim !== undefined)

const lacksSome = (claims: Claims, options: OidcOptions): boolean =>
  wanted(options).some((claim) => claimOf(claims, claim) === undefined)

async function moreClaims(
  config: oidc.Configuration,
  tokens: { readonly access_token: string },
  { sub }: Claims,
): Promise<Claims> {
  if (config.serverMetadata().userinfo_endpoint === undefined || typeof sub !== 'string') return {}
  return { ...(await oidc.fetchUserInfo(config, tokens.access_token, sub)) }
}

/** A claim by its name, else by its path: `realm_access.roles`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let at: unknown = claims
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Claims)[part]
  }
  return at
}

const declined = (error: oidc.AuthorizationResponseError): OidcRefusal => ({
  status: 403,
  code: 'declined',
  message: `The provider has not signed you in (${error.error.slice(0, 100)}).`,
  next: 'Go back and try again, or ask who runs it.',
})

const refuse = (code: string, message: string): Result<never, OidcRefusal> =>
  fail({ status: 403, code, message, next: 'Ask an admin of this server to let you in.' })

/** The operator that these claims make, or why they make none. */
export function personOf(claims: Claims, options: OidcOptions): Result<ProviderPerson, OidcRefusal> {
  const { nameClaim, rolesClaim, tenantClaim, roles, issuer } = options
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '') return refuse('no-subject', 'The provider did not say who you are.')
  const name = claimOf(claims, nameClaim)
  // `admin` is how the record calls whoever has the admin token.
  if (typeof name !== 'string' || !isName(name.trim()) || name.trim().toLowerCase() === 'admin')
    return refuse('no-name', `The provider did not say your name: there is no usable claim ${nameClaim}.`)
  const said = rolesClaim === undefined ? undefined : claimOf(claims, rolesClaim)
  const values = (Array.isArray(said) ? said : [said]).filter((value) => typeof value === 'string')
  const given = values.flatMap((value) => roles.get(value) ?? [])
  if (given.length === 0) return refuse('no-role', `${name.trim()} is signed in, but has no role on this server.`)
  const tenant = tenantClaim === undefined ? undefined : claimOf(claims, tenantClaim)
  if (tenantClaim !== undefined && (typeof tenant !== 'string' || tenant === ''))
    return refuse('no-tenant', `The provider did not say whose operator you are: there is no claim ${tenantClaim}.`)
  return ok({
    issuer,
    subject: sub,
    name: name.trim(),
    tenant: typeof tenant === 'string' ? tenant : undefined,
    roles: given,
  })
}
