// Which authorization server a login is at, is said by the server behind, which may mean harm; the secret of a client comes
// from the operator, and is worth as much as the client. So it goes where somebody on this side has said that it belongs.
import type { Login } from '../../../model/logins.ts'

/** Whether two names are one issuer's: people write them with a slash at the end, and without. */
export const isSameIssuer = (one: string, other: string): boolean => withoutSlash(one) === withoutSlash(other)

const withoutSlash = (address: string): string => address.replace(/\/$/, '')

/**
 * Whether this issuer may have the secret of this client: it is the one that an operator `named`, or the one to which this
 * client's secret went in the login `before`, to which a person agreed.
 */
export const isMeantFor = (
  issuer: string,
  { id }: Pick<Login['client'], 'id'>,
  named: string | undefined,
  before: Login | undefined,
): boolean =>
  named === undefined
    ? before?.client.secret !== undefined && before.client.id === id && isSameIssuer(before.issuer, issuer)
    : isSameIssuer(named, issuer)
