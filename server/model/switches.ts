// The one switch that an operator reaches for when something goes wrong: it stops every apply of every agent.
// `server/store/switches` implements it.
import type { Principal } from './principal.ts'

export interface Freeze {
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly reason: string
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Who has frozen a server whose database is in doubt: nobody, it did so itself. */
export const frozenByItself = 'countersign'

/** Whether a server has frozen every tenant by itself. */
export const isFrozenByItself = ({ tenant, by }: Freeze): boolean => tenant === undefined && by === frozenByItself

export interface Switches {
  /** The freeze that holds for a tenant, if any. */
  frozen(tenant: string): Promise<Freeze | undefined>
  list(): Promise<readonly Freeze[]>
  /** Sets the freeze and revokes every open plan that it covers, in one step; answers how many it revoked. */
  freeze(freeze: Omit<Freeze, 'at'>): Promise<{ readonly revoked: number }>
  /** The freeze, lifted or not, that revoked this cancelled plan; `undefined` where somebody cancelled it by hand. */
  revoker(plan: { readonly principal: Principal; readonly changedAt: number }): Promise<Freeze | undefined>
  /** Lifts it; false where there was none. */
  unfreeze(tenant: string | undefined): Promise<boolean>
}
