// A grace period that begins anew at each restart never ends, and one that nobody can see the users of cannot be ended.
// So its end date is fixed in the database when it is first asked for, and who still needs it is counted.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { fromRow } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { Principal } from '../../model/principal.ts'
import type { StoreParts } from '../tables.ts'

/** A name may be long, and a key only has to be the same for the same caller. */
const callerKey = ({ tenant, subject }: Principal, client: string): string =>
  createHash('sha256')
    .update(JSON.stringify([tenant, subject, client]))
    .digest('hex')
    .slice(0, 24)

const UNTIL = 'rationale_grace_until'

/** Who called which tool without a rationale while that was still allowed. */
const callerRow = z.object({
  tenant: z.string(),
  subject: z.string(),
  client: z.string(),
  tool: z.string(),
  calls: epoch,
  first_at: epoch,
  last_at: epoch,
})

export type GraceCallerTable = z.infer<typeof callerRow>

export type GracePeriod = ReturnType<typeof createGracePeriod>

/** The grace period for calls without a rationale, on one database. */
export const createGracePeriod = ({ db, now }: Pick<StoreParts, 'db' | 'now'>) => {
  /** The end of the period: what was fixed first, or `lengthMs` from now. Epoch milliseconds. */
  const until = async (lengthMs: number): Promise<number> => {
    await db
      .insertInto('countersign_meta')
      .values({ name: UNTIL, value: String(now() + lengthMs) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await db
      .selectFrom('countersign_meta')
      .select('value')
      .where('name', '=', UNTIL)
      .executeTakeFirstOrThrow()
    return epoch.parse(row.value)
  }

  /** Counts a call that needed it. Answers whether it is its caller's first of the day (UTC) on this database. */
  const note = async ({
    principal,
    client,
    tool,
  }: Readonly<{ principal: Principal; client: string; tool: string }>): Promise<boolean> => {
    const at = now()
    await db
      .insertInto('countersign_grace_callers')
      .values({ ...principal, client, tool, calls: 1, first_at: at, last_at: at })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant', 'subject', 'client', 'tool'])
          .doUpdateSet((is) => ({ calls: is('countersign_grace_callers.calls', '+', 1), last_at: at })),
      )
      .execute()
    const first = await db
      .insertInto('countersign_turns')
      .values({
        name: `without a rationale ${callerKey(principal, client)} ${new Date(at).toISOString().slice(0, 10)}`,
        at,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    return first !== undefined
  }

  /** Who needed it, the last one first. */
  const callers = async () => {
    const rows = await db.selectFrom('countersign_grace_callers').selectAll().orderBy('last_at', 'desc').execute()
    return rows.map((raw) => {
      const { tenant, subject, ...same } = fromRow(callerRow.parse(raw))
      return { ...same, principal: { tenant, subject } }
    })
  }

  return { until, note, callers }
}
