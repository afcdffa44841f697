// What a confirmed campaign is made of.
import { expect, test } from 'vitest'
import { openDesk } from '../mail-fixture.ts'
import { addContacts, start } from './campaign-fixture.ts'

test('a campaign has each contact of its segment once, in the order of their addresses, as they were then', async () => {
  const desk = await openDesk({ url: 'smtp://127.0.0.1:1' })
  await addContacts(desk.db, 5, (at) => ({
    company: at === 4 ? 'Other' : 'Acme',
    ...(at === 1 ? { undeliverable: '550 No such user' } : {}),
    ...(at === 2 ? { first_name: null } : {}),
  }))
  const { campaignId, counts } = await start(desk, {
    segment: { id: 'sg_1', name: 'Acme', conditions: [{ field: 'company', operator: 'is', value: 'acme' }] },
    skips: [{ position: 3, reason: 'There is no first_name.' }],
  })
  expect(counts).toStrictEqual({ pending: 2, skipped: 2 })
  await desk.db.updateTable('mail_contacts').set({ first_name: 'Somebody else' }).execute()
  const mails = await desk.db
    .selectFrom('mail_campaign_mails')
    .select(['campaign_id', 'position', 'contact_id', 'first_name', 'state', 'response'])
    .orderBy('position')
    .execute()
  const mail = (position: number, state: string, response: string | null, first_name: string | null) => ({
    campaign_id: campaignId,
    position,
    contact_id: `ct_p00000${position}`,
    first_name,
    state,
    response,
  })
  expect(mails).toEqual([
    mail(1, 'pending', null, 'First1'),
    mail(2, 'skipped', 'The address is marked as undeliverable: 550 No such user', 'First2'),
    mail(3, 'skipped', 'There is no first_name.', null),
    mail(4, 'pending', null, 'First4'),
  ])
})
