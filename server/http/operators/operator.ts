// Who decides is a person with a name, and what they may see and decide depends on it. Every handler for operators reads
// who it is from one place, however they came in: with the admin token, with a session of their own, or through the
// organisation's sign-in. Agents have none of these.
import { randomBytes } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { adminTokenPerson } from '../../operators/approval-factor.ts'
import type { Role } from '../../model/operators.ts'
import { approverHeader } from '../auth/admin-token.ts'
import { bearerOf, sameSecret } from '../auth/bearer.ts'
import { refuseApi, type ApiRefusal } from '../refusal.ts'

/** The person behind an operator's request. */
export interface Operator {
  /** The same for the same person at every door: an account's id, or `admin-token`. */
  readonly id: string
  readonly name: string
  readonly via: 'admin-token' | 'session' | 'oidc'
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
  /** Principals that are the same person: what these ask for, this operator may not approve alone. */
  readonly subjects: readonly string[]
}

/** What the guard leaves for the handlers behind it: `c.var.operator`. */
export interface OperatorEnv {
  Variables: { operator: Operator }
}

/** Finds who a session belongs to; answers the refusal where the request may not be made with it. */
export type SessionCheck = (c: Context) => Promise<Operator | ApiRefusal<403> | undefined>

export interface OperatorDoors {
  /** `undefined`: nobody gets in by it. */
  readonly adminToken: string | undefined
  readonly session?: SessionCheck | undefined
}

/** A name that a person may be recorded under: one line of 1 to 100 characters. */
export const isName = (text: string): boolean => /^[^\p{C}]{1,100}$/u.test(text) && text.trim() !== ''

/** Finds the operator behind a request, by `Authorization: Bearer <admin token>` or by their session. */
export async function findOperator(
  { adminToken, session }: OperatorDoors,
  c: Context,
): Promise<Operator | ApiRefusal<403> | undefined> {
  const given = bearerOf(c.req.raw)
  if (given === undefined) return session?.(c)
  if (adminToken === undefined) return undefined
  return sameSecret(given, adminToken) ? tokenOperator(c.req.header(approverHeader)) : undefined
}

/**
 * Lets operators through and nobody else. The refusal is the same for every path, so that it tells nothing of what is
 * there.
 */
export function requireOperator(doors: OperatorDoors): MiddlewareHandler<OperatorEnv> {
  return async function checkOperator(c, next) {
    const operator = await findOperator(doors, c)
    if (operator === undefined) return unauthorized()
    if (operator instanceof Response) return operator
    c.set('operator', operator)
    await next()
    c.res.headers.set('cache-control', 'no-store')
    return undefined
  }
}

/** Whoever holds the admin token is admin of every tenant, under the name that they say. */
export const tokenOperator = (said: string | undefined): Operator => ({
  id: adminTokenPerson,
  name: said !== undefined && isName(said.trim()) ? said.trim() : 'admin',
  via: 'admin-token',
  tenant: undefined,
  roles: [{ kind: 'admin' }],
  subjects: [],
})

const isAdmin = ({ roles }: Pick<Operator, 'roles'>): boolean => roles.some(({ kind }) => kind === 'admin')

/** Behind `requireOperator`: lets through who has this role. Admins have every role. */
export function requireRole(kind: Role['kind']): MiddlewareHandler<OperatorEnv> {
  return async function checkRole(c, next) {
    const { operator } = c.var
    if (isAdmin(operator) || operator.roles.some((role) => role.kind === kind)) return next()
    return forbidden(kind)
  }
}

/** The refusal of something that takes a role which this operator has not. */
const forbidden = (kind: Role['kind']) =>
  refuseApi(
    403,
    {
      code: 'forbidden',
      message: `This takes the role ${kind}, which you do not have.`,
      next: 'Ask an admin for it: `countersign account role` changes roles.',
    },
    {},
    { 'cache-control': 'no-store' },
  )

/**
 * The tenant that a list must be limited to; `undefined` is every tenant. An operator of one tenant who asks for another
 * one gets what a tenant without any data gets: the name answered then is one that no tenant can have.
 */
export function visibleTenant(c: Context<OperatorEnv>, asked?: string): string | undefined {
  const { tenant } = c.var.operator
  if (tenant === undefined || asked === undefined || asked === tenant) return tenant ?? asked
  return nobodysTenant
}

/** Made anew by each process, so that nobody can take it for a name. */
const nobodysTenant = `nobody ${randomBytes(16).toString('hex')}`

/** Whether an operator may see what belongs to this tenant. */
export const sees = ({ tenant }: Pick<Operator, 'tenant'>, of: string): boolean => tenant === undefined || tenant === of

const unauthorized = () =>
  refuseApi(
    401,
    {
      code: 'unauthorized',
      message: 'This needs an operator, and the request names none.',
      next: 'People sign in at /admin; programs send the admin token as `Authorization: Bearer …`.',
    },
    {},
    { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' },
  )
