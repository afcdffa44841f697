// Sums over a log of millions of rows, for people who look at a page while agents wait for their calls. Whole hours and
// days that were summed up already are not read again; what else there is, is read a day at a time, because SQLite answers
// in this process and while it does nothing else runs.
import { setImmediate as turn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import { fromRow } from '../../from-row.ts'
import { inOneRead } from '../../in-one-read.ts'
import { epoch } from '../../plan-row.ts'
import type { Tables } from '../../tables.ts'
import { addedUp, callsIn, DAY, HOUR, type Slice } from './call-kinds.ts'
import { summedHours, sumsIn } from './sums.ts'
import { toNumber } from '../to-number.ts'

/** Calls that were alike. */
export interface CallCount {
  /** `undefined` for names that no tool has. */
  readonly tool: string | undefined
  /** What the gate said, without its rule: `allow`. */
  readonly verdict: string | undefined
  /** The grant under which it ran. */
  readonly grant: string | undefined
  /** An outcome, or `open`. */
  readonly outcome: string
  readonly errorCode: string | undefined
  /** What the error is called to whom it is explained; of a program, the error that it ended with. */
  readonly errorType: string | undefined
  /** The gateway's call tool, if any. */
  readonly variant: string | undefined
  /** How work ended that is a result whatever came of it. */
  readonly ended: string | undefined
  readonly calls: number
  /** Of these, how many an agent made itself and had to say why; an approved call runs on the words of the one before. */
  readonly asked: number
  /** Of these, how many said why. */
  readonly said: number
  /** Of these, how many lost their texts to an erasure. */
  readonly erased: number
}

const countRow = z.object({
  tool: z.string().nullable(),
  verdict: z.string().nullable(),
  outcome: z.string(),
  error_code: z.string().nullable(),
  error_type: z.string().nullable(),
  variant: z.string().nullable(),
  ended: z.string().nullable(),
  calls: epoch,
  asked: epoch,
  said: epoch,
  erased: epoch,
})

/** Sums of one slice, of calls that are alike in one line or more. Everybody else has turns meanwhile. */
export const countCalls = async (db: Kysely<Tables>, slice: Slice): Promise<readonly CallCount[]> => {
  const counted: CallCount[] = []
  for (let { since } = slice; since < slice.until;) {
    const part = await inOneRead(db, (trx) => countPart(trx, { ...slice, since }))
    counted.push(...part.counted)
    since = part.until
    await turn()
  }
  return counted
}

/** The beginning of a slice: all of it that was summed up, or the calls up to there, or up to a day of them. */
async function countPart(
  trx: Transaction<Tables>,
  { tenant, since, until }: Slice,
): Promise<{ readonly counted: readonly CallCount[]; readonly until: number }> {
  const known = await summedHours(trx, tenant)
  const first = Math.max(since + ((HOUR - (since % HOUR)) % HOUR), known.since)
  const last = Math.min(until - (until % HOUR), known.until)
  if (first === since && first < last)
    return { counted: await counted(sumsIn(trx, { tenant, since, until: last })), until: last }
  const end = first < last ? first : until
  const start = await firstCallAt(trx, { tenant, since, until: end })
  if (start === undefined) return { counted: [], until: end }
  const stretch = { tenant, since: start, until: Math.min(start + DAY, end) }
  return { counted: await counted(addedUp(trx, callsIn(trx, stretch).as('sums'))), until: stretch.until }
}

const counted = async (query: { execute(): Promise<readonly object[]> }): Promise<readonly CallCount[]> =>
  (await query.execute()).map((raw) => {
    const row = fromRow(countRow.parse(raw))
    const [verdict, rule, grant] = row.verdict?.split(':') ?? []
    return { ...row, verdict, grant: rule === 'grant' ? grant : undefined }
  })

/** When this tenant's first recorded call was, ever or of a time; `undefined` where there is none. */
export const firstCallAt = async (
  db: Kysely<Tables>,
  { tenant, since, until }: Pick<Slice, 'tenant'> & Partial<Slice>,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('countersign_activity')
    .select((is) => is.fn.min('at').as('at'))
    .where('tenant', '=', tenant)
    .$if(since !== undefined, (q) => q.where('at', '>=', since ?? 0))
    .$if(until !== undefined, (q) => q.where('at', '<', until ?? 0))
    .executeTakeFirst()
  return row?.at === null || row === undefined ? undefined : toNumber(row.at)
}

/** Names of the tenants that the log has calls of, in the order of the alphabet; at most `most`. */
export const tenantsWithCalls = async (db: Kysely<Tables>, most: number): Promise<readonly string[]> => {
  const names: string[] = []
  while (names.length < most) {
    const last = names.at(-1)
    // One step for each tenant on the index, where `distinct` would read every row.
    const row = await db
      .selectFrom('countersign_activity')
      .select((is) => is.fn.min('tenant').as('tenant'))
      .$if(last !== undefined, (q) => q.where('tenant', '>', last ?? ''))
      .executeTakeFirst()
    if (row === undefined || row.tenant === null) break
    names.push(row.tenant)
  }
  return names
}
