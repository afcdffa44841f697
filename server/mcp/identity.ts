// Who sends a request is found out once, at the web door, and both doors behind it (MCP and REST) have to agree about
// it. What cannot be found out is a refusal that each of them puts into its own form.
import type { Permissions } from '../call/request.ts'
import { ok, type Result } from '../errors/result.ts'
import type { Principal } from '../tools/contract.ts'

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

/** A server's own way to know who calls; what its answer lacks is refused. */
export const identifyBy =
  (principalOf: (request: Request) => Promise<Principal | undefined> | Principal | undefined): Identify =>
  async (request) => {
    const principal = await principalOf(request)
    return principal === undefined ? { ok: false, failure: unknownCaller } : ok({ principal, permissions: 'all' })
  }

const unknownCaller: AccessRefusal = {
  status: 401,
  code: 'unauthenticated',
  message: 'This server does not know who is asking.',
  next: 'Send the credentials that its operator gave you.',
  headers: {},
}
