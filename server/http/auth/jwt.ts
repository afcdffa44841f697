// Callers who come with a token of an OAuth 2.1 authorization server. We are a resource server and nothing more: the
// signature, who issued it, whom it is for and when it ends are checked, and everything that is not certain is a refusal.
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { JwtConfig } from '../../config/config.schema.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { AccessRefusal, Identify, Identity } from '../../mcp/identity.ts'
import type { Claims } from '../../model/principal.ts'
import type { Access } from '../../store/store.ts'
import { bearerOf, cannotTell, challenge } from './bearer.ts'
import { createKeys, KeysUnavailable } from './jwt-keys.ts'
import { isTenantName } from './token-input.ts'

interface JwtAccessOptions {
  readonly jwt: JwtConfig
  /** Whom tokens must be for, where the settings do not say. Known once the door is open. */
  readonly audience: () => string
  /** Address of the protected-resource metadata (RFC 9728). */
  readonly metadata: () => string
  /** Keeps what a principal came with, for calls that run without them. */
  readonly note: Access['note']
  readonly report: (error: unknown, where: string) => unknown
  /** How long the authorization server may take, in milliseconds. */
  readonly patienceMs?: number
}

/** Signatures whose key can be published. A shared secret is none: whoever can check could also sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** How far two clocks may be apart, in seconds. */
const clockTolerance = 10

/** Callers with tokens of an authorization server. */
export function createJwtAccess(options: JwtAccessOptions): Identify {
  const { jwt, report } = options
  const getKey = createKeys({
    issuer: jwt.issuer,
    jwksUri: jwt.jwks_uri,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  })
  const remember = rememberer(options)

  const refused = (code: string, message: string, error?: string, description?: string) =>
    fail<AccessRefusal>({
      status: error === 'insufficient_scope' ? 403 : 401,
      code,
      message,
      next: `Get a token for ${jwt.audience ?? options.audience()} from ${jwt.issuer} and send it as \`Authorization: Bearer …\`.`,
      headers: challenge({ resource_metadata: options.metadata(), error, error_description: description }),
    })

  const judge = (error: unknown): Result<Identity, AccessRefusal> => {
    if (error instanceof KeysUnavailable) {
      // Once for each try, not for each caller who comes in between.
      if (error.cause !== undefined) report(error.cause, 'keys of the authorization server')
      return fail(cannotTell('keys-unavailable', 'Tokens cannot be checked: the authorization server does not answer.'))
    }
    if (error instanceof errors.JOSEError) {
      const why = whyInvalid(error)
      return refused('invalid-token', `This token is not valid here: ${why}.`, 'invalid_token', why)
    }
    report(error, 'checking a token')
    return fail(cannotTell('tokens-unavailable', 'Tokens cannot be checked at the moment.'))
  }

  return async function identifyByJwt(request) {
    const token = bearerOf(request)
    if (token === undefined) return refused('token-missing', 'This server needs an access token.')
    try {
      const payload = await verify(token, getKey, jwt.issuer, jwt.audience ?? options.audience())
      const { sub: subject, exp } = payload
      const tenant = jwt.tenant ?? tenantIn(payload, jwt.tenant_claim ?? '')
      if (subject === undefined || subject === '' || subject.length > 255 || exp === undefined)
        return refused('invalid-token', 'This token names nobody.', 'invalid_token', 'sub is missing')
      if (tenant === undefined)
        return refused(
          'no-tenant',
          `This token belongs to no tenant: its claim ${jwt.tenant_claim ?? ''} is missing or no name.`,
          'insufficient_scope',
          'the token names no tenant',
        )
      const permissions = permissionsIn(payload[jwt.permissions_claim])
      await remember({ tenant, subject }, permissions, exp)
      return ok({ principal: { tenant, subject }, permissions, claims: payload as Claims })
    } catch (error) {
      return judge(error)
    }
  }
}

async function verify(token: string, getKey: JWTVerifyGetKey, issuer: string, audience: string): Promise<JWTPayload> {
  const options = { issuer, audience, algorithms, clockTolerance, requiredClaims: ['sub', 'exp'] }
  try {
    return (await jwtVerify(token, getKey, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // Without a key id each key of that kind may be the one.
    for await (const key of error)
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (other) {
        if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other
      }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function whyInvalid(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    const claims: Readonly<Record<string, string>> = {
      aud: 'it is for another audience',
      iss: 'it is of another issuer',
      nbf: 'it is not valid yet',
    }
    return claims[error.claim] ?? `its claim ${error.claim} is missing or wrong`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'it is not signed with an asymmetric algorithm'
  if (error instanceof errors.JWKSNoMatchingKey) return 'it is signed with a key that the issuer does not publish'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not fit'
  return 'it is no signed token'
}

function tenantIn(payload: JWTPayload, claim: string): string | undefined {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined
  return typeof value === 'string' && isTenantName(value) ? value : undefined
}

/** `scope` is a text with blanks (RFC 8693, section 4.2); others write lists. Anything else permits nothing. */
function permissionsIn(claim: unknown): readonly string[] {
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return names.filter((name): name is string => typeof name === 'string' && name !== '')
}

/** Writes down what a principal came with, once for each new token: a call must not wait for the same row each time. */
function rememberer({ jwt, note, report }: JwtAccessOptions) {
  const noted = new Map<string, string>()
  return async (
    principal: Identity['principal'],
    permissions: readonly string[],
    /** Seconds since the epoch. */
    exp: number,
  ): Promise<void> => {
    const who = JSON.stringify([principal.tenant, principal.subject])
    const what = JSON.stringify([permissions, exp])
    if (noted.get(who) === what) return
    // Whoever is not in memory is written once more, nothing else.
    if (noted.size >= 10_000) noted.clear()
    noted.set(who, what)
    try {
      await note(principal, permissions, exp * 1000 + jwt.remember_minutes * 60_000)
    } catch (error) {
      noted.delete(who)
      report(error, 'remembering permissions')
    }
  }
}
