// Who is known: `contacts.create` and `contacts.update`. A card of a mail shows a contact's own name, so
// what a contact is called is confirmed by a person, too.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { CardChange } from '../../../model/card.ts'
import type { Contract } from '../../../tools/contract.ts'
import { readMailbox } from '../addresses/address.ts'
import { deceits, localDeceits } from '../addresses/domains.ts'
import { afterChange, forGood } from '../failures.ts'
import { folded, withFolded } from './folded.ts'
import { searchContacts } from './search.ts'
import { mailTool } from '../mail-tool.ts'
import { contactsOf, knownDomains } from '../queries.ts'
import { fieldsBlock, textValue } from '../../say.ts'
import type { ContactRow, MailDatabase } from '../schema.ts'
import { plain, plainOrBreak } from '../send-external/input.ts'
import { contactOut, contactView, inWords } from '../views.ts'
import { wordsIn } from '../words.ts'

const hidden = 'must not have control characters'
const word = (most: number) => z.string().min(1).max(most).refine(plain, hidden)
const contactId = z.string().min(1).max(60).describe('Id of a contact, like "ct_…"')
const fields = {
  name: word(120),
  firstName: word(120),
  lastName: word(120),
  company: word(120),
  note: z.string().min(1).max(1000).refine(plainOrBreak, hidden),
}

/** The columns that a person gives, by the parameter that gives each. */
const columns = {
  name: 'name',
  firstName: 'first_name',
  lastName: 'last_name',
  company: 'company',
  note: 'note',
} as const
export type ContactField = keyof typeof columns
const names = Object.keys(columns) as readonly ContactField[]

/** `contacts.search`, `contacts.create`, `contacts.update`. */
export const contactTools = (db: MailDatabase): readonly Contract[] => [
  searchContacts(db),
  createContact(db),
  updateContact(db),
]

const createContact = mailTool({
  name: 'contacts.create',
  transactional: true,
  title: 'Create a contact',
  noun: 'the new contact',
  description: 'Adds a person or an address to the contacts. Each address is there once.',
  category: 'communication',
  operation: 'write',
  risk: 'medium',
  permissions: ['contacts:read', 'contacts:write'],
  input: z.strictObject({
    address: z.string().min(1).max(400).describe('One address: "ann@acme.example" or "Ann Lee <ann@acme.example>"'),
    name: fields.name.optional(),
    firstName: fields.firstName.optional(),
    lastName: fields.lastName.optional(),
    company: fields.company.optional(),
    note: fields.note.optional(),
  }),
  output: z.strictObject({ contact: contactOut }),
  failures: {
    invalid_address: afterChange('Give one address that mail can be sent to; ask the person where in doubt.'),
    contact_exists: forGood('Use the contact that is there; contacts_update changes it.'),
  },
  sideEffects: [{ what: 'A contact is added', onRepeat: 'Refused: it is there' }],
  raced: ['contact_exists'],
  async foresee(db, input, ctx) {
    const { tenant } = ctx.principal
    const mailbox = await readMailbox(input.address)
    const wrong = (allowed: string) => ({ fields: [{ pointer: '/address', received: input.address, allowed }] })
    if (typeof mailbox === 'string')
      return ctx.fail(
        'invalid_address',
        `${JSON.stringify(input.address.slice(0, 100))} ${mailbox}.`,
        wrong('one address that mail can be sent to'),
      )
    const there = (await contactsOf(db, tenant, [mailbox.key])).get(mailbox.key)
    if (there !== undefined)
      return ctx.fail(
        'contact_exists',
        `${inWords(there)} is there as ${there.id}.`,
        wrong('an address that no contact has'),
      )
    const words = wordsIn(ctx.language).deceits
    return {
      mailbox,
      name: input.name ?? mailbox.name,
      warning: deceits([mailbox.domain], await knownDomains(db, tenant), words)[0] ?? localDeceits([mailbox], words)[0],
      seen: [],
      also: [`free:${encodeURIComponent(mailbox.key)}`],
    }
  },
  describe({ mailbox, name, warning }, input, { language }) {
    const { contact, labels } = wordsIn(language)
    return {
      title: contact.add(name ?? mailbox.shown),
      summary: contact.addSummary(mailbox.shown, name),
      blocks: [
        fieldsBlock({
          [labels.address]: textValue(mailbox.shown),
          [contact.fields.name]: textValue(name),
          ...Object.fromEntries(
            names.flatMap((field) => {
              const given = field === 'name' ? undefined : input[field]
              return given === undefined ? [] : [[contact.fields[field], textValue(given)]]
            }),
          ),
        }),
      ],
      effects: [contact.shown, contact.nobodyTold],
      warnings: warning === undefined ? [] : [{ title: warning }],
      confirmLabel: contact.addConfirm,
    }
  },
  async carryOut(transaction, { mailbox, name }, input, ctx) {
    const row: ContactRow = {
      id: `ct_${randomBytes(10).toString('hex')}`,
      tenant: ctx.principal.tenant,
      name,
      first_name: input.firstName ?? null,
      last_name: input.lastName ?? null,
      company: input.company ?? null,
      note: input.note ?? null,
      undeliverable: null,
      address: mailbox.address,
      address_key: mailbox.key,
      domain: mailbox.domain,
      created_at: new Date(ctx.now()).toISOString(),
      version: 1,
    }
    await transaction.insertInto('mail_contacts').values(withFolded(row)).execute()
    return { contact: contactView(row) }
  },
  cards: {
    success: (_input, { contact }, { language }) => ({
      title: wordsIn(language).contact.added,
      subtitle: contact.address,
    }),
  },
})

const updateContact = mailTool({
  name: 'contacts.update',
  transactional: true,
  title: 'Change a contact',
  noun: 'the change of the contact',
  description:
    'Changes a contact. Give only what is to change; null clears it. `deliverable: true` takes back that mail does not arrive there. Another address is another contact.',
  category: 'communication',
  operation: 'destructive',
  risk: 'medium',
  permissions: ['contacts:read', 'contacts:write'],
  input: z.strictObject({
    contactId,
    name: fields.name.nullable().optional(),
    firstName: fields.firstName.nullable().optional(),
    lastName: fields.lastName.nullable().optional(),
    company: fields.company.nullable().optional(),
    note: fields.note.nullable().optional(),
    deliverable: z.literal(true).optional(),
  }),
  output: z.strictObject({ contact: contactOut, previous: z.record(z.string(), z.string().nullable()) }),
  failures: {
    unknown_contact: afterChange('Look the contact up with contacts_search and use its id exactly.'),
    nothing_to_change: forGood('Everything is already as asked; tell the person so instead of calling again.'),
  },
  sideEffects: [{ what: 'Fields of the contact are overwritten', onRepeat: 'Refused: they are as asked' }],
  async foresee(db, input, ctx) {
    const contact = await db
      .selectFrom('mail_contacts')
      .selectAll()
      .where('id', '=', input.contactId)
      .where('tenant', '=', ctx.principal.tenant)
      .executeTakeFirst()
    if (contact === undefined)
      return ctx.fail('unknown_contact', `There is no contact ${JSON.stringify(input.contactId)}.`, {
        fields: [{ pointer: '/contactId', received: input.contactId, allowed: 'an id that contacts_search answers' }],
      })
    const changed = names.filter((field) => input[field] !== undefined && input[field] !== contact[columns[field]])
    const revived = input.deliverable === true && contact.undeliverable !== null
    if (changed.length === 0 && !revived)
      return ctx.fail('nothing_to_change', `${inWords(contact)} already is as asked.`)
    return {
      contact,
      changed,
      revived,
      seen: [{ table: 'mail_contacts' as const, key: contact.id, version: contact.version, moves: true }],
    }
  },
  describe({ contact, changed, revived }, input, { language }) {
    const { contact: words, labels } = wordsIn(language)
    const changes = changed.map((field): CardChange => ({
      pointer: `/${field}`,
      label: words.fields[field],
      before: textValue(contact[columns[field]]),
      after: textValue(input[field] ?? null),
    }))
    return {
      title: words.change(inWords(contact)),
      summary: words.changeSummary(
        [...changed.map((field) => words.fields[field]), ...(revived ? [words.arrives] : [])],
        inWords(contact),
      ),
      changes: [
        ...changes,
        ...(revived
          ? [
              {
                pointer: '/undeliverable',
                label: words.notArrives,
                before: textValue(contact.undeliverable),
                after: { kind: 'unset' as const },
              },
            ]
          : []),
      ],
      unchanged: [
        { label: labels.address, value: textValue(contact.address) },
        ...names
          .filter((field) => !changed.includes(field))
          .map((field) => ({ label: words.fields[field], value: textValue(contact[columns[field]]) })),
      ],
      effects: [...(revived ? [words.mayGo] : []), words.nobodyTold],
      confirmLabel: words.changeConfirm,
    }
  },
  async carryOut(transaction, { contact, changed, revived }, input) {
    const after = {
      ...Object.fromEntries(changed.map((field) => [columns[field], input[field] ?? null])),
      ...(revived ? { undeliverable: null } : {}),
    }
    await transaction
      .updateTable('mail_contacts')
      .set({ ...after, ...folded(after) })
      .where('id', '=', contact.id)
      .execute()
    return {
      contact: contactView({ ...contact, ...after }),
      previous: Object.fromEntries(changed.map((field) => [field, contact[columns[field]]])),
    }
  },
  undo: ({ contactId: id }, { previous }, { language }) =>
    Object.keys(previous).length === 0
      ? undefined
      : {
          tool: 'contacts_update',
          arguments: { contactId: id, ...previous },
          label: wordsIn(language).contact.changeBack,
        },
  cards: {
    success: (_input, { contact }, { language }) => ({
      title: wordsIn(language).contact.changed,
      subtitle: contact.address,
    }),
  },
})
