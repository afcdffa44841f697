// Freezes: an operator stops every apply of one tenant or all when something goes wrong. Implemented by
// `server/store/switches`.
import type { Principal } from './principal.ts'

export interface Freeze {
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly reason: string
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** `by` of a freeze that the server set itself, because its database is in doubt. */
export const frozenByItself = 'countersign'

/** Whether the server set this freeze of every tenant itself. */
export const isFrozenByItself = ({ tenant, by }: Freeze): boolean => tenant === undefined && by === frozenByItself

export interface Switches {
  /** The freeze that applies to a tenant, if any. */
  frozen(tenant: string): Promise<Freeze | undefined>
  list(): Promise<readonly Freeze[]>
  /** Sets the freeze and revokes every open plan that it covers, in one step; answers how many it revoked. */
  freeze(freeze: Omit<Freeze, 'at'>): Promise<{ readonly revoked: number }>
  /** The freeze, lifted or not, that revoked this cancelled plan; `undefined` where a person cancelled it. */
  revoker(plan: { readonly principal: Principal; readonly changedAt: number }): Promise<Freeze | undefined>
  /** Lifts it; false where there was none. */
  unfreeze(tenant: string | undefined): Promise<boolean>
}
