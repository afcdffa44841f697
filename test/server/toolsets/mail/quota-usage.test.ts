// How SQLite finds what counts for a quota: it is asked for every few mails of a campaign.
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { inFlight } from '../../../../server/toolsets/mail/quota-usage.ts'
import { openDesk } from './mail-fixture.ts'

test('of campaigns only the mails that somebody has in hand are read, and not all that the tenant ever had', async () => {
  const { db } = await openDesk({ url: 'smtp://127.0.0.1:1' })
  const window = { tenant: 'default', now: 0, at: 0, span: 1, largest: 1e9 }
  const query = inFlight(db, window).compile()
  const plan = await db.executeQuery<{ readonly detail: string }>(
    CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
  )
  expect(plan.rows.map(({ detail }) => detail)).toStrictEqual([
    'SCAN mail_campaign_mails USING INDEX mail_campaign_mails_by_lease',
  ])
})
