// What the tools have in common by which mail leaves.
import type { ToolContext } from '../../tools/contract.ts'
import { takeTurn } from './policy.ts'
import type { MailDatabase } from './schema.ts'

/** Nobody can take a mail back: each is signed, and never sent by an agent alone. */
export const sendDefaults = {
  category: 'communication',
  operation: 'write',
  risk: 'critical',
  autonomous: false,
  dryRunRequired: true,
  external: true,
} as const

/** Foresees when nobody else adds a mail: two who do at once would both count recipients before the other's. */
export const foreseeInTurn =
  <I, P, C extends ToolContext<never>>(foresee: (db: MailDatabase, input: I, ctx: C) => Promise<P>) =>
  async (db: MailDatabase, input: I, ctx: C): Promise<P> => {
    if ('idempotencyKey' in ctx) await takeTurn(db, ctx.principal.tenant)
    return foresee(db, input, ctx)
  }
