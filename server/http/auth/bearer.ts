// What a caller shows of itself stands in one header (RFC 6750), and what is wrong with it is answered in one header.
// Which of a hundred things was wrong helps an attacker more than a caller, so tokens of ours are known or unknown.
import { createHash, timingSafeEqual } from 'node:crypto'
import { ok, fail, type Result } from '../../errors/result.ts'
import type { AccessRefusal, Identify, Identity } from '../../mcp/identity.ts'
import type { Access } from '../../store/store.ts'

/**
 * Everything after `Bearer`; `undefined` where there is no such header, '' where it is malformed. Operators write tokens
 * of their own, so what stands there may be anything without a blank, not only what RFC 6750 (section 2.1) names.
 */
export function bearerOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const header = headers.get('authorization')
  if (header === null) return undefined
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether somebody brought what we expect. It takes the same time whatever was brought, and however long it is. */
export const sameSecret = (given: string | undefined, expected: string): boolean =>
  timingSafeEqual(digest(given ?? ''), digest(expected)) && given !== undefined

/** Attributes of a `WWW-Authenticate: Bearer` challenge, in the order in which they are written. */
export function challenge(attributes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    // RFC 6750, section 3: no quotation marks and no backslashes in these values.
    value === undefined ? [] : [`${name}="${value.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')}"`],
  )
  return { 'www-authenticate': ['Bearer', written.join(', ')].join(' ').trim(), 'cache-control': 'no-store' }
}

/** The credentials of callers cannot be checked at the moment: nobody gets in, and nobody is told that theirs are bad. */
export const cannotTell = (code: string, message: string): AccessRefusal => ({
  status: 503,
  code,
  message,
  next: 'Try again in a few seconds; if it stays so, tell the operators of this server.',
  headers: { 'retry-after': '5', 'cache-control': 'no-store' },
})

interface TokenAccessOptions {
  readonly tokens: Access['tokens']
  readonly report: (error: unknown, where: string) => unknown
}

/** Callers with tokens of `countersign token create`. */
export function createTokenAccess({ tokens, report }: TokenAccessOptions): Identify {
  const refused = (given: boolean): Result<Identity, AccessRefusal> =>
    fail({
      status: 401,
      code: given ? 'invalid-token' : 'token-missing',
      message: given ? 'This token is not valid here: unknown, expired or revoked.' : 'This server needs a token.',
      next: 'Send `Authorization: Bearer cst_…`; the operators make one with `countersign token create`.',
      headers: challenge({ realm: 'countersign', error: given ? 'invalid_token' : undefined }),
    })
  return async function identifyByToken(request) {
    const token = bearerOf(request)
    if (token === undefined) return refused(false)
    try {
      const record = await tokens.check(token)
      if (record === undefined) return refused(true)
      const { tenant, subject, permissions } = record
      return ok({ principal: { tenant, subject }, permissions })
    } catch (error) {
      report(error, 'checking a token')
      return fail(cannotTell('tokens-unavailable', 'Tokens cannot be checked at the moment.'))
    }
  }
}
