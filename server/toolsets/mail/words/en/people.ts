// English for contacts, segments and templates.
import { count } from '../../../say.ts'
import type { ContactField } from '../../contacts/contacts.ts'
import type { ConditionField } from '../../segments/condition.ts'
import type { TemplateField } from '../../templates/template-input.ts'

const contacts = (number: number): string => count(number, 'contact')

const contactFields: Readonly<Record<ContactField, string>> = {
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  note: 'Note',
}

const conditionFields: Readonly<Record<ConditionField, string>> = {
  name: 'name',
  first_name: 'first name',
  last_name: 'last name',
  email: 'address',
  domain: 'domain',
  company: 'company',
  note: 'note',
  undeliverable: 'mark as undeliverable',
}

const templateFields: Readonly<Record<TemplateField, string>> = {
  name: 'Name',
  description: 'Description',
  subject: 'Subject',
  body: 'Body',
  variables: 'Each call gives',
  fallbacks: 'Fallbacks',
}

export const people = {
  contact: {
    fields: contactFields,
    add: (name: string) => `Add ${name} to the contacts`,
    addSummary: (address: string, name: string | null) =>
      `Adds ${address}${name === null ? '' : ` as ${name}`} to the contacts.`,
    shown: 'Cards of mails show this name for that address',
    nobodyTold: 'Nobody is told',
    addConfirm: 'Add contact',
    added: 'Contact added',
    change: (whom: string) => `Change the contact ${whom}`,
    changeSummary: (what: readonly string[], whom: string) => `Changes ${what.join(', ')} of ${whom}.`,
    /** One of the things that change. */
    arrives: 'that mail arrives',
    notArrives: 'Mail does not arrive',
    mayGo: 'Mail may go there again',
    changeConfirm: 'Change contact',
    changed: 'Contact changed',
    changeBack: 'Change it back',
  },

  segment: {
    create: (name: string) => `Create the segment “${name}”`,
    summary: (name: string, number: number) => `Creates the segment “${name}”, which means ${contacts(number)} now.`,
    who: 'Who is meant',
    everybody: 'Every contact',
    allOf: (conditions: readonly string[]) => conditions.join('; and '),
    fields: conditionFields,
    is: (field: string, value: string) => `${field} is “${value}”`,
    isNot: (field: string, value: string) => `${field} is not “${value}”`,
    contains: (field: string, value: string) => `${field} contains “${value}”`,
    exists: (field: string) => `${field} is there`,
    missing: (field: string) => `${field} is missing`,
    withoutFirstName: 'Without a first name',
    undeliverable: 'Undeliverable',
    meantNow: 'Meant now',
    noName: 'No name',
    isRule: 'Whoever meets the conditions when the segment is used is in it, also contacts that are added later',
    noConditions: 'There are no conditions: it means every contact.',
    nobody: 'Nobody meets these conditions now.',
    confirm: 'Create segment',
    created: (name: string) => `Segment “${name}” created`,
    now: (number: number) => `${contacts(number)} now`,
    id: 'Id',
  },

  template: {
    fields: templateFields,
    /** In a sentence. */
    spoken: Object.fromEntries(
      Object.entries(templateFields).map(([field, label]) => [field, label.toLowerCase()]),
    ) as Readonly<Record<TemplateField, string>>,
    /** Those that were changed. */
    done: {
      name: 'name',
      description: 'description',
      subject: 'subject',
      body: 'body',
      variables: 'variables',
      fallbacks: 'fallbacks',
    } as Readonly<Record<TemplateField, string>>,
    create: (name: string) => `Create the template “${name}”`,
    createSummary: (name: string, subject: string) => `Creates the template “${name}” with the subject “${subject}”.`,
    reads: (name: string) => `How it reads, for example to ${name}`,
    readsNow: (name: string) => `How it reads now, for example to ${name}`,
    readsThen: 'How it would read',
    /** `label`: one of these. */
    noSample: (label: string) => `${label}: there would be none.`,
    /** What is wrong with a template, which is in English: on a card in another language it is a quotation. */
    problem: (english: string): string => english,
    canBeUsed: 'The template can be used for mails from then on',
    createConfirm: 'Create template',
    created: (name: string) => `Template “${name}” created`,
    id: 'Id',
    without: (variable: string) => `Without ${variable}`,
    needed: {
      title: (variables: readonly string[]) => `Recipients without ${variables.join(' or ')} get no mail.`,
      text: 'There is no fallback for it. Those who are left out are named before anything is sent.',
    },
    change: (name: string) => `Change the template “${name}”`,
    changeSummary: (what: string, name: string) => `Changes ${what} of the template “${name}”.`,
    readOtherwise: 'Mails that are written from this template afterwards read otherwise',
    othersStay: 'Mails that are sent or scheduled stay as they are',
    changeConfirm: 'Change template',
    changed: (name: string) => `Template “${name}” changed`,
    changeBack: (name: string) => `Change “${name}” back`,
    now: (field: string) => `${field} now`,
    afterwards: (field: string) => `${field} then`,
  },
}

export type PeopleWords = typeof people
