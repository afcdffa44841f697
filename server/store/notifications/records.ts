// How it goes with each receiver, for the person who has to find out why a channel stays silent.
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../tables.ts'
import type { WebhookRecord } from './notification.ts'
import { outboxRow } from './outbox-row.ts'

const lastRow = outboxRow.pick({
  event: true,
  state: true,
  status: true,
  trouble: true,
  attempts: true,
  changed_at: true,
})

/** Records of these webhooks, in their order. */
export const readRecords = (db: Kysely<Tables>, webhooks: readonly string[]): Promise<WebhookRecord[]> =>
  Promise.all(webhooks.map((webhook) => readRecord(db, webhook)))

async function readRecord(db: Kysely<Tables>, webhook: string): Promise<WebhookRecord> {
  const counts = await db
    .selectFrom('countersign_outbox')
    .select(['state', (is) => is.fn.countAll<string | number>().as('count')])
    .where('webhook', '=', webhook)
    .groupBy('state')
    .execute()
  const many = (state: string): number => Number(counts.find((row) => row.state === state)?.count ?? 0)
  const last = async (failed: boolean): Promise<z.infer<typeof lastRow> | undefined> => {
    const row = await db
      .selectFrom('countersign_outbox')
      .select(['event', 'state', 'status', 'trouble', 'attempts', 'changed_at'])
      .where('webhook', '=', webhook)
      .$if(failed, (query) => query.where('trouble', 'is not', null))
      .$if(!failed, (query) => query.where('state', '=', 'delivered'))
      .orderBy('changed_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? undefined : lastRow.parse(row)
  }
  const [delivered, failed] = [await last(false), await last(true)]
  return {
    webhook,
    waiting: many('waiting'),
    delivered:
      delivered === undefined
        ? undefined
        : { at: delivered.changed_at, event: delivered.event, status: delivered.status ?? undefined },
    failed:
      failed === undefined
        ? undefined
        : {
            at: failed.changed_at,
            event: failed.event,
            status: failed.status ?? undefined,
            trouble: failed.trouble ?? '',
            attempts: failed.attempts,
            givenUp: failed.state === 'given-up',
          },
    givenUp: many('given-up'),
  }
}
