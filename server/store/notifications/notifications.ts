// A message to somebody else's server may take a day to arrive. So it is a row: written once however many processes see
// the same event, held by one of them at a time for one bounded attempt, and kept until it was delivered or given up.
import type { Kysely } from 'kysely'
import { epoch } from '../plan-row.ts'
import type { StoreParts, Tables } from '../tables.ts'
import type { HeldNotice, NoticeDraft, NoticeEnd, UndecidedApproval } from './notification.ts'
import { outboxRow, type OutboxTable } from './outbox-row.ts'
import { readRecords } from './records.ts'
import { undecided, waitingByRisk } from './waiting.ts'

export interface TurnTable {
  readonly name: string
  readonly at: number
}

/** A receiver that is away for long is told of so many things when it comes back, and of no more. */
export const mostWaiting = 1000

const heldRow = outboxRow.pick({
  id: true,
  webhook: true,
  subject: true,
  tenant: true,
  event: true,
  body: true,
  created_at: true,
  attempts: true,
})

export type Notifications = ReturnType<typeof createNotifications>

/** The outbox on one database. */
export const createNotifications = ({ db, sealer, now }: StoreParts) => {
  const read = (raw: OutboxTable): HeldNotice => {
    const { created_at: createdAt, body, ...row } = heldRow.parse(raw)
    return { ...row, createdAt, body: sealer.open(row.id, 'notification', body) }
  }

  const waitingFor = async (webhook: string): Promise<number> => {
    const { count } = await db
      .selectFrom('countersign_outbox')
      .select((is) => is.fn.countAll<string | number>().as('count'))
      .where('webhook', '=', webhook)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Stores what is new of these, by id and by webhook and subject; `full` counts what a webhook had no room for. */
  const add = async (drafts: readonly NoticeDraft[]) => {
    let [added, full] = [0, 0]
    for (const { id, body, ...draft } of drafts) {
      if ((await waitingFor(draft.webhook)) >= mostWaiting) {
        full += 1
        continue
      }
      const at = now()
      const stored = await db
        .insertInto('countersign_outbox')
        .values({
          id,
          ...draft,
          body: sealer.seal(id, 'notification', body),
          state: 'waiting',
          created_at: at,
          due_at: at,
          attempts: 0,
          held_until: 0,
          changed_at: at,
        })
        // Whichever key it is that is there already: with one of them named, PostgreSQL raises an error for the other
        // where two connections write the same message in one instant.
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      added += stored === undefined ? 0 : 1
    }
    return { added, full }
  }

  /** The webhooks that something is due for. */
  const due = async (): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('countersign_outbox')
      .select('webhook')
      .distinct()
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now())
      .where('held_until', '<=', now())
      .execute()
    return rows.map(({ webhook }) => webhook)
  }

  /** Holds the notification of this webhook that is due longest, for `ms`; nobody else can hold it meanwhile. */
  const hold = async (webhook: string, owner: string, ms: number): Promise<HeldNotice | undefined> => {
    const at = now()
    const row = await db
      .updateTable('countersign_outbox')
      .set({ held_by: owner, held_until: at + ms })
      .where('id', '=', (of) =>
        of
          .selectFrom('countersign_outbox as next')
          .select('next.id')
          .where('next.webhook', '=', webhook)
          .where('next.state', '=', 'waiting')
          .where('next.due_at', '<=', at)
          .where('next.held_until', '<=', at)
          .orderBy('next.due_at')
          .orderBy('next.id')
          .limit(1),
      )
      // Said again for PostgreSQL: of two that found the same row, the second one looks once more when its turn comes.
      .where('state', '=', 'waiting')
      .where('held_until', '<=', at)
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? undefined : read(row)
  }

  /** Ends an attempt. False when it was no longer this owner's. */
  const end = async (id: string, owner: string, ended: NoticeEnd): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('countersign_outbox')
      .set((is) => ({ ...columnsOf(ended), attempts: is('attempts', '+', 1), held_by: null, changed_at: now() }))
      .set(ended.kind === 'later' ? { due_at: ended.dueAt, held_until: 0 } : { held_until: 0 })
      .where('id', '=', id)
      .where('held_by', '=', owner)
      .executeTakeFirst()
    return Number(numUpdatedRows) > 0
  }

  /** How many wait to be delivered. */
  const backlog = async (): Promise<number> => {
    const { count } = await db
      .selectFrom('countersign_outbox')
      .select((is) => is.fn.countAll<string | number>().as('count'))
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Whether this process is the one that does this in this period. True once a name. */
  const takeTurn = async (name: string): Promise<boolean> => {
    const taken = await db
      .insertInto('countersign_turns')
      .values({ name, at: now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    return taken !== undefined
  }

  /** The turn of this kind that was taken last: its whole name, and when (epoch milliseconds). */
  const lastTurn = async (beginning: string) => {
    const row = await db
      .selectFrom('countersign_turns')
      .select(['name', 'at'])
      .where('name', 'like', `${beginning}%`)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? undefined : { name: row.name, at: epoch.parse(row.at) }
  }

  return {
    add,
    due,
    hold,
    end,
    /** How it goes with these webhooks. */
    records: (webhooks: readonly string[]) => readRecords(db, webhooks),
    backlog,
    /** Approvals that wait for a person, as `waiting.ts` reads them. */
    undecided: (after?: Pick<UndecidedApproval, 'id' | 'expiresAt'>) => undecided(db, now(), after),
    /** How many approvals wait for a person, by risk. */
    waiting: () => waitingByRisk(db, now()),
    takeTurn,
    lastTurn,
  }
}

function columnsOf(end: NoticeEnd): Pick<OutboxTable, 'state' | 'status' | 'trouble'> {
  switch (end.kind) {
    case 'delivered':
      return { state: 'delivered', status: end.status, trouble: null }
    case 'later':
      return { state: 'waiting', status: end.status ?? null, trouble: end.trouble.slice(0, 500) }
    case 'given-up':
      return { state: 'given-up', status: end.status ?? null, trouble: end.trouble.slice(0, 500) }
    default:
      return end satisfies never
  }
}

/** Longer than anybody tries: its webhook is not configured any more. */
const FORGOTTEN_MS = 25 * 60 * 60 * 1000
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** Removes what was over a month ago, at most `limit`: until then the same event is not told again. */
export const sweepNotifications = async (db: Kysely<Tables>, at: number, limit: number): Promise<number> => {
  await db
    .updateTable('countersign_outbox')
    .set({ state: 'given-up', changed_at: at, trouble: 'Nobody has delivered it in time.' })
    .where('state', '=', 'waiting')
    .where('created_at', '<=', at - FORGOTTEN_MS)
    .where('held_until', '<=', at)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('countersign_outbox')
    .where('id', 'in', (of) =>
      of
        .selectFrom('countersign_outbox')
        .select('id')
        .where('changed_at', '<=', at - KEEP_MS)
        .limit(limit),
    )
    .executeTakeFirst()
  await db
    .deleteFrom('countersign_turns')
    .where('at', '<=', at - KEEP_MS)
    .execute()
  return Number(numDeletedRows)
}
