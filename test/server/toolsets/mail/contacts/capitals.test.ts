// Capitals do not matter to whoever looks for somebody, in any script, on both databases.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place } from '../../../store/store-fixture.ts'
import { openDesk, type MailDesk } from '../mail-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:1' }

const people = [
  { address: 'oz@other.example', name: 'Özgür ÇELİK', firstName: 'Özgür', company: 'Straße & Söhne' },
  { address: 'od@other.example', name: 'Οδυσσέας', note: 'ΟΔΟΣ' },
  { address: 'cafe@other.example', name: 'Cafe\u0301 Noir', lastName: 'ЖУКОВ' },
]

async function desk(file = ':memory:'): Promise<MailDesk> {
  const mail = await openDesk(nowhere, { file })
  for (const person of people) expect(await mail.apply('contacts.create', person)).toHaveProperty('contact')
  return mail
}

const found = (answer: unknown): string =>
  (answer as { readonly contacts: readonly { readonly address: string }[] }).contacts
    .map(({ address }) => address.split('@')[0])
    .join(' ')

test.each([
  ['özgür', 'oz'],
  ['ÖZGÜR', 'oz'],
  ['strasse', 'oz'],
  ['οδυσσέασ', 'od'],
  ['CAFÉ', 'cafe'],
  ['жуков', 'cafe'],
  ['OTHER', 'cafe od oz'],
  ['öz_ür', ''],
])('contacts.search finds %s', async (query, who) => {
  expect(found(await (await desk()).read('contacts.search', { query }))).toBe(who)
})

test.each([
  [{ field: 'first_name', operator: 'is', value: 'ÖZGÜR' }, 'oz'],
  [{ field: 'company', operator: 'contains', value: 'STRASSE' }, 'oz'],
  [{ field: 'note', operator: 'is', value: 'οδος' }, 'od'],
  [{ field: 'name', operator: 'contains', value: 'café' }, 'cafe'],
  [{ field: 'last_name', operator: 'is_not', value: 'жуков' }, 'od oz'],
])('a segment finds those of whom %j holds', async (condition, who) => {
  expect(found(await (await desk()).read('segments.preview', { conditions: [condition] }))).toBe(who)
})

test('a contact that is changed is found by what it is called now, and by nothing else', async () => {
  const mail = await desk()
  const { contacts } = (await mail.read('contacts.search', { query: 'özgür' })) as {
    readonly contacts: readonly { readonly contactId: string }[]
  }
  const contactId = contacts[0]?.contactId
  await mail.apply('contacts.update', { contactId, name: 'Ümit', firstName: null })
  expect(found(await mail.read('contacts.search', { query: 'ÜMIT' }))).toBe('oz')
  expect(found(await mail.read('contacts.search', { query: 'özgür' }))).toBe('')
})

test('contacts from before are found like the others, once the toolset was opened', async () => {
  const file = join(place(), 'mail.db')
  const before = await desk(file)
  await before.db
    .updateTable('mail_contacts')
    .set({
      name_folded: null,
      first_name_folded: null,
      last_name_folded: null,
      company_folded: null,
      note_folded: null,
    })
    .execute()
  // As if this step had never been taken.
  await before.db
    .deleteFrom('mail_migration' as 'mail_runs')
    .where('name' as 'tool', '>=', '006-folded')
    .execute()
  const after = await openDesk(nowhere, { file })
  expect(found(await after.read('contacts.search', { query: 'STRASSE' }))).toBe('oz')
  expect(
    found(await after.read('segments.preview', { conditions: [{ field: 'note', operator: 'is', value: 'οδος' }] })),
  ).toBe('od')
})

test('a segment on why mail does not arrive follows the contact, too', async () => {
  const mail = await desk()
  await mail.db
    .updateTable('mail_contacts')
    .set({ undeliverable: 'Postfach VOLL', undeliverable_folded: 'postfach voll' })
    .where('address', '=', 'oz@other.example')
    .execute()
  const conditions = [{ field: 'undeliverable', operator: 'exists' }]
  expect(found(await mail.read('segments.preview', { conditions }))).toBe('oz')
  const { contacts } = (await mail.read('contacts.search', { undeliverable: true })) as {
    readonly contacts: readonly { readonly contactId: string }[]
  }
  await mail.apply('contacts.update', { contactId: contacts[0]?.contactId, deliverable: true })
  expect(found(await mail.read('segments.preview', { conditions }))).toBe('')
})
