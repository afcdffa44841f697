// Campaigns as `emails.bulk_send` writes them, with contacts that have just been made.
import { startCampaign, type NewCampaign } from '../../../../../server/toolsets/mail/campaigns/start.ts'
import type { ContactRow, MailDatabase } from '../../../../../server/toolsets/mail/schema.ts'
import type { MailDesk } from '../mail-fixture.ts'

/** Contacts `p1@other.example`, `p2@…`, with numbers that sort as their addresses do. */
export async function addContacts(
  db: MailDatabase,
  many: number,
  change: (at: number) => Partial<ContactRow> = () => ({}),
) {
  const rows = Array.from({ length: many }, (_, at): ContactRow => {
    const name = `p${String(at + 1).padStart(6, '0')}`
    const address = `${name}@other.example`
    return {
      id: `ct_${name}`,
      tenant: 'default',
      name: null,
      first_name: `First${at + 1}`,
      last_name: null,
      address,
      address_key: address,
      domain: 'other.example',
      company: null,
      note: null,
      created_at: '2026-01-01T12:00:00.000Z',
      undeliverable: null,
      version: 1,
      ...change(at),
    }
  })
  for (let at = 0; at < rows.length; at += 1000)
    await db
      .insertInto('mail_contacts')
      .values(rows.slice(at, at + 1000))
      .execute()
}

let runs = 0

/** A campaign to all contacts. */
export const start = (
  { db, clock }: Pick<MailDesk, 'db' | 'clock'>,
  {
    template,
    ...change
  }: Partial<Omit<NewCampaign, 'template'>> & { template?: Partial<NewCampaign['template']> } = {},
) =>
  db.transaction().execute((transaction) =>
    startCampaign(transaction, {
      tenant: 'default',
      createdBy: 'ada',
      run: `pl_campaign_${(runs += 1)}`,
      template: {
        id: 'tp_1',
        name: 'Newsletter',
        subject: 'News for {{ first_name }}',
        body: 'Dear {{ first_name }},\n\nhere are **the news**.',
        variables: [],
        fallbacks: { first_name: 'reader' },
        ...template,
      },
      segment: { id: 'sg_1', name: 'Everybody', conditions: [] },
      sender: { name: 'Acme', address: 'hello@acme.example' },
      replyTo: null,
      given: {},
      now: clock.now(),
      ...change,
    }),
  )

/** How many mails of all campaigns are in each state. */
export async function counts(db: MailDatabase): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .selectFrom('mail_campaign_mails')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}
