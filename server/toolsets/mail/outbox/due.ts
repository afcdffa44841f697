// Mails whose time has come are taken by one process each, and where the quota has no room for one of them, that waits.
import type { MailSettings } from '../options.ts'
import { takeTurn } from '../policy.ts'
import { findEmail } from '../queries.ts'
import { roomFor } from '../quota.ts'
import type { EmailRow, MailDatabase } from '../schema.ts'
import { openOf } from './outgoing.ts'

interface Taker {
  readonly db: MailDatabase
  readonly settings: Pick<MailSettings, 'policy'>
  readonly now: () => number
  /** Columns of a mail that this process sends. */
  readonly held: () => Pick<EmailRow, 'owner' | 'lease_until' | 'begun'>
}

/** Ids of mails that are due and that no other process has taken, so many at most; with each comes the right to send it. */
export async function takeDue(taker: Taker, room: number): Promise<readonly string[]> {
  const taken: string[] = []
  // Others look at the same mails at the same moment: who comes late looks again.
  while (taken.length < room) {
    const due = await taker.db
      .selectFrom('mail_emails')
      .select('id')
      .where('state', '=', 'scheduled')
      .where('due_at', '<=', new Date(taker.now()).toISOString())
      .orderBy('due_at')
      .limit(room - taken.length)
      .execute()
    if (due.length === 0) break
    for (const { id } of due) if (await takeOne(taker, id)) taken.push(id)
  }
  return taken
}

/** Takes a mail if there is room for it now; else its time is when there is. */
const takeOne = ({ db, settings, now, held }: Taker, id: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const email = await findEmail(transaction, id)
    if (email === undefined) return false
    const { tenant } = email
    await takeTurn(transaction, tenant)
    const at = now()
    const recipients = openOf(email).length
    const { from } = await roomFor(transaction, settings, { tenant, now: at, at, recipients, except: id })
    const { numUpdatedRows } = await transaction
      .updateTable('mail_emails')
      .set((eb) => ({
        ...(from === undefined ? { ...held(), state: 'sending' as const } : { due_at: new Date(from).toISOString() }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('state', '=', 'scheduled')
      .where('due_at', '<=', new Date(at).toISOString())
      .executeTakeFirst()
    return numUpdatedRows === 1n && from === undefined
  })
