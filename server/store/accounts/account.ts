// Operators as the store keeps them. `server/http/operators/operator.ts` is how a request's handler meets one.
import type { Role } from '../../model/operators.ts'

export interface Account {
  readonly id: string
  readonly name: string
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
  /** Principals that are the same person, with the provider's `sub`; `*` stands for any part of one. */
  readonly subjects: readonly string[]
  readonly state: 'active' | 'disabled'
  readonly signIn: 'password' | 'oidc'
  readonly createdAt: number
  readonly changedAt: number
  readonly seenAt: number | undefined
}

export interface AccountDraft {
  readonly name: string
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
  readonly subjects: readonly string[]
  readonly password: string
}

/** A person whom an OpenID provider vouches for. */
export interface ProviderPerson {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
}

export type ProviderSignIn =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'disabled' }
  /** Another account has this name; whoever could choose their name at the provider must not become that one. */
  | { readonly kind: 'name-taken'; readonly name: string }

export interface AccountChange {
  readonly tenant?: string | null
  readonly roles?: readonly Role[]
  readonly subjects?: readonly string[]
  readonly state?: Account['state']
}
