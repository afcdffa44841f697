// An authorization server of the tests' own making: it publishes its metadata and its keys, signs whatever it is asked
// to, and can hang, fail or answer nonsense when a test wants it to.
import { createServer } from 'node:http'
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type GenerateKeyPairResult,
  type JWK,
  type JWTPayload,
} from 'jose'
import { onTestFinished } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'

type Mood = 'well' | 'hangs' | 'fails' | 'nonsense' | 'redirects'

interface Signing {
  readonly alg?: 'RS256' | 'ES256'
  readonly kid?: string | undefined
  /** Seconds from now; an hour when absent. */
  readonly expiresIn?: number
  /** A key that is not published. */
  readonly foreign?: true
}

export interface Issuer {
  readonly url: string
  readonly jwksUri: string
  /** The published RSA key as PEM, for who would misuse it as a secret. */
  readonly publicPem: string
  /** How its keys are served from now on. */
  keys: Mood
  /** How its metadata are served from now on. */
  metadata: Mood
  /** How often its keys were asked for. */
  asked: number
  sign(claims: JWTPayload, how?: Signing): Promise<string>
}

/** Made once: two RSA keys take a quarter of a second, and no test is about two servers with keys of their own. */
let keyPairs: Promise<[GenerateKeyPairResult, GenerateKeyPairResult, GenerateKeyPairResult]> | undefined

/** Starts one; it ends with its test. `path`: it is one of several below the same host. */
export async function startIssuer({ path = '', named }: { path?: string; named?: string } = {}): Promise<Issuer> {
  const [rsa, ec, foreign] = await (keyPairs ??= Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('RS256'),
  ]))
  const published: JWK[] = [
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
  ]
  const answer = (asked: string): readonly [status: number, body: string] => {
    const isKeys = asked === `${path}/keys`
    if (isKeys) issuer.asked += 1
    const mood = isKeys ? issuer.keys : issuer.metadata
    if (mood === 'hangs') return [0, '']
    if (mood === 'redirects') return [302, '']
    if (mood === 'fails') return [500, '']
    if (mood === 'nonsense') return [200, '{"keys": 5, "issuer"']
    if (isKeys) return [200, JSON.stringify({ keys: published })]
    const known = asked === `/.well-known/oauth-authorization-server${path}`
    return known ? [200, JSON.stringify({ issuer: named ?? issuer.url, jwks_uri: issuer.jwksUri })] : [404, '']
  }
  const server = createServer((request, response) => {
    const [status, body] = answer(request.url ?? '')
    const headers = { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' }
    if (status > 0) response.writeHead(status, headers).end(body)
  })
  const base = `${await listeningUntil(onTestFinished, server)}${path}`
  const issuer: Issuer = {
    url: base,
    jwksUri: `${base}/keys`,
    publicPem: await exportSPKI(rsa.publicKey),
    keys: 'well',
    metadata: 'well',
    asked: 0,
    sign: (claims, { alg = 'RS256', kid = alg === 'RS256' ? 'rsa' : 'ec', expiresIn = 3600, ...how } = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const jwt = new SignJWT({ iss: base, sub: 'bot', iat: now, exp: now + expiresIn, ...claims })
      const header = kid === '' ? { alg } : { alg, kid }
      return jwt
        .setProtectedHeader(header)
        .sign(how.foreign === true ? foreign.privateKey : alg === 'RS256' ? rsa.privateKey : ec.privateKey)
    },
  }
  return issuer
}
