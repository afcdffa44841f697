// The keys of an authorization server lie at an address that its metadata names, and both are somebody else's machines:
// they hang, move and answer nonsense. None of that may let anybody in, and none of it is the caller's fault.
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { isLoopbackHost } from '../../ip-address.ts'

/** The keys cannot be had at the moment. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

interface KeysOptions {
  readonly issuer: string
  /** Where the keys are; found in the issuer's metadata when absent. */
  readonly jwksUri?: string | undefined
  /** How long one answer may take, in milliseconds. */
  readonly patienceMs?: number
}

/**
 * After a failure, so long nobody asks again: a caller must not wait for what has just timed out. Only the asking pauses:
 * anybody can make us ask, with a key id of their own making, and must not keep out whose key is known.
 */
const pauseMs = 2000

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url() })

/** Finds the key of a token. @throws {KeysUnavailable} where the keys cannot be had. */
export function createKeys({ issuer, jwksUri, patienceMs = 5000 }: KeysOptions): JWTVerifyGetKey {
  let pausedUntil = 0
  const paused = (): boolean => Date.now() < pausedUntil
  const goOn = (): void => {
    if (paused()) throw new KeysUnavailable(`The keys of ${issuer} could not be read a moment ago.`)
  }
  const fetchKeys: FetchImplementation = async (address, init) => {
    goOn()
    return fetch(address, init)
  }
  const remote = (uri: string) =>
    createRemoteJWKSet(new URL(uri), { timeoutDuration: patienceMs, [customFetch]: fetchKeys })
  let keys = jwksUri === undefined ? undefined : remote(jwksUri)
  let finding: Promise<string> | undefined

  const get: JWTVerifyGetKey = async (header, token) => {
    try {
      if (keys === undefined) {
        goOn()
        finding ??= discover(issuer, patienceMs).finally(() => (finding = undefined))
        keys = remote(await finding)
      }
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      if (error instanceof errors.JOSENotSupported || error instanceof KeysUnavailable) throw error
      // Several may have waited for one answer; the first of them tells why there is none.
      const reason = paused() ? {} : { cause: error }
      if (!paused()) pausedUntil = Date.now() + pauseMs
      throw new KeysUnavailable(`The keys of ${issuer} cannot be read.`, reason)
    }
  }
  return get
}

/** RFC 8414 (section 3) and OpenID Connect Discovery, in the order of the MCP specification ("Authorization"). */
export function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ]
}

async function discover(issuer: string, patienceMs: number): Promise<string> {
  const signal = AbortSignal.timeout(patienceMs)
  const addresses = metadataAddresses(issuer)
  let last: unknown
  for (const address of addresses)
    try {
      const response = await fetch(address, { signal, redirect: 'error', headers: { accept: 'application/json' } })
      const { issuer: named, jwks_uri: uri } = metadataSchema.parse(await response.json())
      const keys = new URL(uri)
      // Metadata of another issuer would hand us another issuer's keys (RFC 8414, section 3.3).
      if (named === issuer && (keys.protocol === 'https:' || isLoopbackHost(keys.hostname))) return keys.href
    } catch (error) {
      // Who does not know one of the addresses answers it with whatever it has: a page, a redirect to a sign-in.
      last = error
    }
  throw new Error(`None of ${addresses.join(', ')} names the keys of ${issuer}.`, { cause: last })
}
