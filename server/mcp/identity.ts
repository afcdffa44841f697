// The identity of whoever sends a request, found out once at the web door for MCP and REST alike. What cannot be found out is a
// refusal, which each of the two formats.
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { z } from 'zod'
import type { Permissions } from '../rail/engine.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { withoutClaims, type Claims, type Principal } from '../model/principal.ts'

/** Who sends a request, and what they may do. */
export interface Identity {
  /** Who calls. */
  readonly principal: Principal
  /** What they may do. */
  readonly permissions: Permissions
  /** What is known of them beside that. */
  readonly claims?: Claims
}

/** Why a request is refused: 401 the sender is not known, 403 may not do this, 503 cannot be identified at the moment. */
export interface AccessRefusal {
  readonly status: 401 | 403 | 503
  readonly code: string
  readonly message: string
  readonly next: string
  readonly headers: Readonly<Record<string, string>>
}

export type Identify = (request: Request) => Promise<Result<Identity, AccessRefusal>> | Result<Identity, AccessRefusal>

/** Takes everybody who reaches the door for this principal. */
export const identifyAllAs = (principal: Principal): Identify => {
  const identity = ok({ ...withoutClaims(principal), permissions: 'all' as const })
  return () => identity
}

/** What a transport of the SDK knows about a request beside its URL and headers. */
export interface RequestFacts {
  /** What the program's own middleware found out from the credential (`request.auth` of the SDK's transports). */
  readonly authInfo?: AuthInfo
  /** The id of the MCP session, where there is one. */
  readonly sessionId?: string
}

/** A program's own function that identifies the sender of a request, and may say more in `claims`; `undefined` or null: not known. */
export type PrincipalOf = (
  request: Request,
  facts: RequestFacts,
) => Promise<Principal | undefined | null> | Principal | undefined | null

/** A role that is not set is undefined, which JSON says by leaving it out. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withoutUndefined(each))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const said = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(said.map(([name, each]) => [name, withoutUndefined(each)]))
}

const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

/** Only these are taken, because a program may answer its whole user record. */
const principalSchema = z.object({
  tenant: z.string().min(1),
  subject: z.string().min(1),
  claims: z.preprocess(withoutUndefined, z.record(z.string(), z.json()).optional()),
})

/** Asks the program who sends a request. An answer that is no principal is an error. */
export async function askPrincipal(
  principalOf: PrincipalOf,
  request: Request,
  facts: RequestFacts,
  report: (error: unknown, where: string) => string,
): Promise<Result<Principal, AccessRefusal>> {
  try {
    const answer = await principalOf(request, facts)
    // A lookup in a database answers null where there is nothing.
    if (answer === undefined || answer === null) return fail(unknownCaller)
    const read = principalSchema.safeParse(answer)
    if (read.success) {
      const { claims, ...principal } = read.data
      return ok({ ...principal, ...(claims === undefined ? {} : { claims }) })
    }
    throw new TypeError(
      `principalOf answered no principal: ${z.prettifyError(read.error)}. Answer { tenant, subject }, both strings that are not empty, with claims of JSON if there are any, or undefined.`,
    )
  } catch (error) {
    return fail({ ...notFoundOut, message: `${notFoundOut.message} (${report(error, 'principalOf')}).` })
  }
}

/** Identifies each request at the web door by the program's own function. */
export const identifyBy =
  (principalOf: PrincipalOf, report: (error: unknown, where: string) => string): Identify =>
  async (request) => {
    const asked = await askPrincipal((given, facts) => principalOf(withoutBody(given), facts), request, {}, report)
    return asked.ok ? ok({ ...withoutClaims(asked.value), permissions: 'all' }) : asked
  }

/** What the program reads of the body would be missing when the message is read. */
const withoutBody = ({ url, method, headers }: Request): Request =>
  new Request(url, { method, headers: new Headers(headers) })

const notFoundOut: AccessRefusal = {
  status: 503,
  code: 'unavailable',
  message: 'This server could not find out who is asking',
  next: 'Try again later; the server’s log has the reason.',
  headers: {},
}

const unknownCaller: AccessRefusal = {
  status: 401,
  code: 'unauthenticated',
  message: 'This server does not know who is asking.',
  next: 'Send the credentials that its operator gave you.',
  headers: {},
}
