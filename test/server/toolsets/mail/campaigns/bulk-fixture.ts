// What a campaign goes to and says, as tests of `emails.bulk_send` need it.
import type { Preview } from '../../../../../server/tools/contract.ts'
import type { Condition } from '../../../../../server/toolsets/mail/segments/condition.ts'
import type { ContactRow } from '../../../../../server/toolsets/mail/schema.ts'
import type { TemplateText } from '../../../../../server/toolsets/mail/templates/template.ts'
import type { BulkOut } from '../../../../../server/toolsets/mail/campaigns/bulk-input.ts'
import type { MailOptions } from '../../../../../server/toolsets/mail/options.ts'
import { openDesk, type MailDesk } from '../mail-fixture.ts'

export const bulk = 'emails.bulk_send'

/** Quotas that no test meets by chance. */
export const generous = { maxCampaignRecipients: 1_000_000, recipientsPerHour: 1e9, recipientsPerDay: 1e9 }

export const newsletter: TemplateText = {
  subject: '{{ first_name }}, the news',
  body: 'Dear {{ first_name }},\n\n[read on](https://acme.example/news?for={{ email | url_encode }}).',
  variables: [],
  fallbacks: { first_name: 'Hello' },
}

export type PartialContact = Partial<ContactRow> & Pick<ContactRow, 'address'>

/** Writes contacts of ada's tenant as they are given. */
export async function putContacts({ db }: Pick<MailDesk, 'db'>, contacts: readonly PartialContact[]): Promise<void> {
  const rows = contacts.map(({ address, ...contact }): ContactRow => ({
    id: `ct_${address}`,
    tenant: 'default',
    name: null,
    first_name: null,
    last_name: null,
    address,
    address_key: address.toLowerCase(),
    domain: address.slice(address.lastIndexOf('@') + 1),
    company: null,
    note: null,
    created_at: '2026-01-01T12:00:00.000Z',
    undeliverable: null,
    version: 1,
    ...contact,
  }))
  if (rows.length > 0) await db.insertInto('mail_contacts').values(rows).execute()
}

/** Writes a template and a segment as they are given, unchecked, and answers the call that joins them. */
export async function putCampaign(
  { db }: Pick<MailDesk, 'db'>,
  { conditions = [], ...text }: Partial<TemplateText> & { readonly conditions?: readonly Condition[] } = {},
) {
  const { subject, body, variables, fallbacks } = { ...newsletter, ...text }
  const common = { tenant: 'default', description: null, created_at: '2026-01-01T12:00:00.000Z', version: 1 }
  await db
    .insertInto('mail_templates')
    .values({
      ...common,
      id: 'tp_1',
      name: 'Newsletter',
      subject,
      body,
      variables: JSON.stringify(variables),
      fallbacks: JSON.stringify(fallbacks),
      updated_at: common.created_at,
    })
    .execute()
  await db
    .insertInto('mail_segments')
    .values({ ...common, id: 'sg_1', name: 'Readers', conditions: JSON.stringify(conditions) })
    .execute()
  return { templateId: 'tp_1', segmentId: 'sg_1' }
}

/** A mail server that nothing reaches. */
export const nowhere = { url: 'smtp://127.0.0.1:1' }
export const people = [
  { address: 'ann@one.example', first_name: 'Ann', last_name: 'Lee' },
  { address: 'bea@two.example' },
  { address: 'cy@two.example', first_name: 'Cy', undeliverable: '550 No such user' },
]

/** A desk with three contacts, a newsletter and a segment of everybody, and the call that joins them. */
export async function desk(options: Partial<MailOptions> = {}) {
  const opened = await openDesk({ ...nowhere, policy: generous, ...options })
  await putContacts(opened, people)
  return { ...opened, input: await putCampaign(opened) }
}

/** What the call answers once it has taken effect. */
export function started(answer: unknown): BulkOut {
  if (typeof answer === 'object' && answer !== null && 'campaignId' in answer) return answer as BulkOut
  throw new Error(`expected a campaign, got ${JSON.stringify(answer)}`)
}

export const warningsIn = ({ warnings = [] }: Preview): readonly string[] => warnings.map(({ title }) => title)
