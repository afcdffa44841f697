// Quotas may be lowered while a mail waits. One for more recipients than any span may have would wait for ever; it ends when
// its time has come, as one whose domain was blocked meanwhile does.
import { findEmail } from '../queries.ts'
import { largestMail, neverHeld } from '../quota.ts'
import type { MailSettings } from '../options.ts'
import type { MailDatabase, MailRecording } from '../schema.ts'
import { openOf } from './outgoing.ts'
import { sentLater } from './sent-later.ts'
import { withheld } from './withheld.ts'

interface Ending {
  readonly db: MailDatabase
  readonly recording: MailRecording
  readonly settings: Pick<MailSettings, 'policy'>
  readonly now: () => number
}

/** Ends mails that are due and that no quota will ever hold. Safe for several processes at once. */
export async function endTooLarge({ db, recording, settings, now }: Ending): Promise<void> {
  const at = new Date(now()).toISOString()
  const found = await db
    .selectFrom('mail_emails as email')
    .innerJoin('mail_recipients as recipient', 'recipient.email_id', 'email.id')
    .select('email.id')
    .where('email.state', '=', 'scheduled')
    .where('email.due_at', '<=', at)
    .where('recipient.state', 'in', ['pending', 'deferred'])
    .groupBy('email.id')
    .having((eb) => eb(eb.fn.countAll(), '>', largestMail(settings)))
    .execute()
  for (const { id } of found)
    await recording(async (transaction, record) => {
      const email = await findEmail(transaction, id)
      const rule = email === undefined ? undefined : neverHeld(settings, openOf(email).length)
      if (email === undefined || rule === undefined) return
      const { columns, recipients } = withheld(email, rule.code, `${rule.title} ${rule.text}`)
      const { numUpdatedRows } = await transaction
        .updateTable('mail_emails')
        .set({ ...columns, ended_at: at, version: email.version + 1 })
        .where('id', '=', id)
        .where('version', '=', email.version)
        .where('state', '=', 'scheduled')
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return
      for (const { position, state, response } of recipients)
        await transaction
          .updateTable('mail_recipients')
          .set({ state, response })
          .where('email_id', '=', id)
          .where('position', '=', position)
          .execute()
      record(sentLater({ ...email, ...columns, recipients }))
    })
}
