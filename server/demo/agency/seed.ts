// A small agency: whom it writes to, and what it has to send. Addresses end in names that are kept for examples (RFC 2606).
import type { FilesToolset } from '../../toolsets/files/open-files.ts'
import { withFolded } from '../../toolsets/mail/contacts/folded.ts'
import type { MailDatabase } from '../../toolsets/mail/schema.ts'
import { manyContacts } from './readers.ts'

/** Whose the desk is. */
export const tenant = 'default'

const contacts = [
  ['ct_000000000000000000000001', 'Mara Lindqvist', 'mara@northwind.example', 'Northwind'],
  ['ct_000000000000000000000002', 'Jonas Weber', 'jonas@northwind.example', 'Northwind'],
  ['ct_000000000000000000000003', 'Priya Raman', 'priya@contoso.example', 'Contoso'],
  ['ct_000000000000000000000004', null, 'press@fabrikam.example', 'Fabrikam'],
  ['ct_000000000000000000000005', 'Tom Okafor', 'tom@agency.example', 'Agency'],
] as const

const text = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\n')}\n`)

/** A page with a heading and lines on it, as a PDF. */
function pdf(heading: string, lines: readonly string[]): Uint8Array {
  const set = (line: string): string => `(${line.replace(/[()\\]/g, '\\$&')}) Tj`
  const content = `BT /F1 20 Tf 60 760 Td ${set(heading)} /F1 12 Tf 24 TL T* ${lines.map((line) => `T* ${set(line)}`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return new TextEncoder().encode(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

const files: readonly (readonly [id: string, name: string, bytes: () => Uint8Array])[] = [
  [
    'fl_0000000000000000000000a1',
    'Proposal Northwind.pdf',
    () =>
      pdf('Proposal for Northwind: spring campaign', [
        'Two cities, four weeks, from 2 April.',
        'Search and social media: 3,600 EUR',
        'Print, if both cities are wanted: 2,400 EUR',
        'To decide by Friday: the launch date, and print in one city or both.',
      ]),
  ],
  [
    'fl_0000000000000000000000a2',
    'Media plan.csv',
    () => text(['week,channel,budget_eur', '14,search,1800', '14,social,950', '15,search,1800', '15,print,2400']),
  ],
  ['fl_0000000000000000000000a3', 'Briefing.md', () => text(['# Briefing', '', '- Launch on 2 April', '- Two cities'])],
]

const invitation = {
  id: 'tp_00000000000000000001',
  tenant,
  name: 'Invitation',
  description: 'To an evening at the agency',
  subject: '{{ first_name }}, an evening with us on {{ day }}',
  body: 'Dear {{ first_name }},\n\nwe would like to see {{ company }} on **{{ day }}** at seven.\n\n[Tell us whether you come](https://agency.example/rsvp?from={{ email | url_encode }})\n\nThe Agency',
  variables: JSON.stringify(['day']),
  fallbacks: JSON.stringify({ first_name: 'Hello', company: 'you' }),
  version: 1,
}

const newsletter = {
  id: 'tp_00000000000000000002',
  tenant,
  name: 'Newsletter',
  description: 'What has been going on, four times a year',
  subject: '{{ first_name }}, your Q3 update is here',
  body: '{{ first_name }},\n\nthree campaigns went live this quarter{% if company %}, and one of them may be for {{ company }}{% endif %}:\n\n- **Slow Mornings**, for people who read at breakfast\n- **Two Cities**, which ran in both at once\n- **Small Print**, which nobody skipped\n\n[Read the whole update](https://agency.example/q3?reader={{ email | url_encode }}) or [leave the list](https://agency.example/leave?reader={{ email | url_encode }}).\n\nThe Agency',
  variables: JSON.stringify([]),
  fallbacks: JSON.stringify({ first_name: 'Hello' }),
  version: 1,
}

const segment = (number: number, name: string, description: string, note: string) => ({
  id: `sg_${String(number).padStart(20, '0')}`,
  tenant,
  name,
  description,
  conditions: JSON.stringify([{ field: 'note', operator: 'is', value: note }]),
  version: 1,
})
const segments = [
  segment(1, 'Clients', 'For whom we work', 'Client'),
  segment(2, 'Newsletter readers', 'Everybody who asked for the newsletter', 'Newsletter'),
  segment(3, 'Spring evening', 'Who comes to the evening in spring', 'Spring evening'),
]

/** A statement of SQLite takes a bounded number of values. */
const rowsAtOnce = 1000

/** Fills a new desk. What is there stays as it is. */
export async function seed(db: MailDatabase, toolset: Pick<FilesToolset, 'keep'>, now: number): Promise<void> {
  await seedMail(db, now, 1)
  await seedFiles(toolset)
}

/** When what is there of the first filling was written; `undefined` where none of it is there. */
export async function seededAt(db: MailDatabase): Promise<string | undefined> {
  const ids = {
    mail_contacts: contacts.map(([id]) => id as string),
    mail_segments: segments.map(({ id }) => id),
    mail_templates: [invitation.id, newsletter.id],
  }
  const times: string[] = []
  for (const table of ['mail_contacts', 'mail_segments', 'mail_templates'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('created_at')
      .where('tenant', '=', tenant)
      .where('id', 'in', ids[table])
      .execute()
    times.push(...rows.map((row) => row.created_at))
  }
  return times.sort()[0]
}

/** Files are kept by their toolset, and not in a transaction of this one's. */
export async function seedFiles({ keep }: Pick<FilesToolset, 'keep'>): Promise<void> {
  for (const [id, name, bytes] of files) await keep({ tenant, subject: 'agency' }, { id, name, bytes: bytes() })
}

/** Ids and names of the files that a new desk has. */
export const seededFiles: readonly { readonly id: string; readonly name: string }[] = files.map(([id, name]) => ({
  id,
  name,
}))

/** Contacts, segments and templates. */
export async function seedMail(db: MailDatabase, now: number, version: number): Promise<void> {
  const at = new Date(now).toISOString()
  const rows = contacts.map(([id, name, address, company]) => ({
    id,
    tenant,
    name,
    first_name: name?.split(' ')[0] ?? null,
    last_name: name?.split(' ')[1] ?? null,
    address,
    address_key: address,
    domain: address.slice(address.indexOf('@') + 1),
    company,
    note: company === 'Agency' ? null : 'Client',
    created_at: at,
    undeliverable: null,
    version,
  }))
  const old = await db.selectFrom('mail_templates').select('id').where('id', '=', newsletter.id).executeTakeFirst()
  if (old === undefined) {
    const all = [...rows, ...manyContacts(tenant, at).map((contact) => ({ ...contact, version }))]
    for (let from = 0; from < all.length; from += rowsAtOnce)
      await db
        .insertInto('mail_contacts')
        .values(all.slice(from, from + rowsAtOnce).map(withFolded))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await db
      .insertInto('mail_segments')
      .values(segments.map((each) => ({ ...each, version, created_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('mail_templates')
      .values([invitation, newsletter].map((each) => ({ ...each, version, created_at: at, updated_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
