// How fast mails go out is asked before a campaign, and known from those before it.
import type { MailDatabase } from '../schema.ts'

/** Mails a second before any campaign was sent: what a mail server of a provider takes over a few connections. */
export const firstRate = 10

/** Sends that are told at once; fewer would say how long connections take to open. */
const fewest = 20
const id = 'campaigns'

/** Mails a second that this database's campaigns have lately gone out with. */
export async function measuredRate(db: MailDatabase): Promise<number> {
  const row = await db.selectFrom('mail_rates').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined || row.busy_ms === 0 ? firstRate : (row.mails * 1000) / row.busy_ms
}

/** Milliseconds that so many mails would take. */
export const durationOf = async (db: MailDatabase, mails: number): Promise<number> =>
  Math.round((mails / (await measuredRate(db))) * 1000)

/** Takes what has been measured; what was before weighs half. */
export async function recordRate(db: MailDatabase, mails: number, busyMs: number): Promise<void> {
  if (mails < fewest) return
  const busy_ms = Math.max(1, Math.round(busyMs))
  await db
    .insertInto('mail_rates')
    .values({ id, mails, busy_ms })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        mails: eb(eb('mail_rates.mails', '/', 2), '+', mails),
        busy_ms: eb(eb('mail_rates.busy_ms', '/', 2), '+', busy_ms),
      })),
    )
    .execute()
}
