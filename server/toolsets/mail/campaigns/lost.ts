// Mails that a process had in its hands which is gone: nobody knows what became of them.
import { recordSent } from '../quota-usage.ts'
import type { MailDatabase, MailRecording } from '../schema.ts'
import { eventOf } from './commit-batch.ts'

/** What a mail says whose holder is gone. */
const lostWords = 'The process that sent it ended before it wrote down an answer.'

/** Their holder is gone, or was silent for longer than its lease. The holder itself may still say what became of one. */
export async function giveUpLost(db: MailDatabase, recording: MailRecording, now: string): Promise<void> {
  const lost = await db
    .selectFrom('mail_campaign_mails')
    .select('campaign_id')
    .distinct()
    .where('state', '=', 'sending')
    .where('lease_until', '<', now)
    .execute()
  // A statement that changes nothing would still wait for whoever writes.
  for (const { campaign_id: id } of lost)
    await recording(async (transaction, record) => {
      const campaign = await transaction
        .updateTable('mail_campaigns')
        .set((eb) => ({ next_at: eb.ref('next_at') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const mails = await transaction
        .updateTable('mail_campaign_mails')
        .set({ state: 'unknown', response: lostWords, ended_at: now })
        .where('campaign_id', '=', id)
        .where('state', '=', 'sending')
        .where('lease_until', '<', now)
        .returning(['position', 'address', 'state', 'response'])
        .execute()
      await recordSent(transaction, campaign.tenant, now, mails.length)
      for (const mail of mails) {
        const event = eventOf(campaign, mail)
        if (event !== undefined) record(event)
      }
    })
}
