// Who sends a request is found out once, at the web door, and both doors behind it (MCP and REST) have to agree about
// it. What cannot be found out is a refusal that each of them puts into its own form.
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { z } from 'zod'
import type { Permissions } from '../rail/engine.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'

/** Who sends a request, and what they may do. */
export interface Identity {
  readonly principal: Principal
  readonly permissions: Permissions
}

/** Why a request is not let in: 401 nobody we know, 403 somebody without enough, 503 we cannot tell at the moment. */
export interface AccessRefusal {
  readonly status: 401 | 403 | 503
  readonly code: string
  readonly message: string
  readonly next: string
  readonly headers: Readonly<Record<string, string>>
}

export type Identify = (request: Request) => Promise<Result<Identity, AccessRefusal>> | Result<Identity, AccessRefusal>

/** Everybody who reaches the door is this one person. */
export const everybody = (principal: Principal): Identify => {
  const identity = ok({ principal, permissions: 'all' as const })
  return () => identity
}

/** What a transport of the SDK knows of a request beside its address and headers. */
export interface RequestFacts {
  /** What a middleware of the program's own found out from the credential (`request.auth` of the SDK's transports). */
  readonly authInfo?: AuthInfo
  readonly sessionId?: string
}

/** A program's own way to know who sends a request; `undefined` for nobody it knows. */
export type PrincipalOf = (
  request: Request,
  facts: RequestFacts,
) => Promise<Principal | undefined> | Principal | undefined

/** A program may answer its whole user record: what is not named here stays there. */
const principalSchema = z.object({ tenant: z.string().min(1), subject: z.string().min(1) })

/** Who sends a request, by the program's own word. An answer that names nobody lets nobody in. */
export async function askPrincipal(
  principalOf: PrincipalOf,
  request: Request,
  facts: RequestFacts,
  report: (error: unknown, where: string) => string,
): Promise<Result<Principal, AccessRefusal>> {
  try {
    const answer = await principalOf(request, facts)
    if (answer === undefined) return fail(unknownCaller)
    const read = principalSchema.safeParse(answer)
    if (read.success) return ok(read.data)
    throw new TypeError(
      `principalOf answered no principal: ${z.prettifyError(read.error)}. Answer { tenant, subject }, both texts that are not empty, or undefined.`,
    )
  } catch (error) {
    return fail({ ...notFoundOut, message: `${notFoundOut.message} (${report(error, 'principalOf')}).` })
  }
}

/** The web door asks the program at each request. */
export const identifyBy =
  (principalOf: PrincipalOf, report: (error: unknown, where: string) => string): Identify =>
  async (request) => {
    const asked = await askPrincipal(principalOf, request, {}, report)
    return asked.ok ? ok({ principal: asked.value, permissions: 'all' }) : asked
  }

const notFoundOut: AccessRefusal = {
  status: 503,
  code: 'unavailable',
  message: 'This server could not find out who is asking',
  next: 'Try again later; the reason is in the log of the server.',
  headers: {},
}

const unknownCaller: AccessRefusal = {
  status: 401,
  code: 'unauthenticated',
  message: 'This server does not know who is asking.',
  next: 'Send the credentials that its operator gave you.',
  headers: {},
}
