// English for single mails and drafts.
import { pluralsOf } from '../../../languages.ts'
import { byteUnits, count, listed } from '../../../say.ts'
import type { Field } from '../../drafts/draft.ts'
import type { RecipientState, Role } from '../../schema.ts'

const { form } = pluralsOf<'one' | 'other'>('en')

const recipients = (number: number): string => count(number, 'recipient')
const doNot = (number: number): string => `${recipients(number)} ${number === 1 ? 'does' : 'do'} not get it`
const fields: Readonly<Record<Field, string>> = {
  to: 'To',
  cc: 'Copy to (cc)',
  bcc: 'Hidden copy to (bcc)',
  replyTo: 'Answers go to',
  subject: 'Subject',
  body: 'Text',
  attachments: 'Attachments',
  projectId: 'Project',
}

const roles: Readonly<Record<Role, string>> = {
  to: 'To',
  cc: 'Copy to (cc)',
  bcc: 'Hidden copy to (bcc); the others do not see it',
}

const states: Readonly<Record<RecipientState, string>> = {
  pending: 'pending',
  deferred: 'deferred',
  accepted: 'accepted',
  refused: 'refused',
  unknown: 'unknown',
  cancelled: 'cancelled',
}

export const mails = {
  units: byteUnits,
  listed,
  andMore: (first: string, more: number | string): string => `${first} and ${more} more`,
  recipients,
  noMailByThis: 'Nobody gets a mail by this',
  /** A warning that is about a file. */
  of: (name: string, warning: string) => `${name}: ${warning}`,
  outside: (domain: string) => `${domain} · outside`,
  hasHtml: {
    title: 'There is HTML in the text.',
    text: 'Recipients see it as it is written; nothing of it runs or loads.',
  },
  missed: {
    title: (moment: string) => `The time at which it was to go out has passed (${moment}).`,
    text: 'It goes out at once.',
  },
  links: { label: 'Links', text: 'Text', leadsTo: 'Leads to', address: 'Address' },
  labels: { address: 'Address', name: 'Name', subject: 'Subject', from: 'From', answersTo: 'Answers go to' },
  atOnce: 'At once',
  newRecipients: (number: number) => `${recipients(number)} never got mail from here before`,

  send: {
    title: (whom: string) => `Send a mail to ${whom}`,
    summary: ({ subject, whom, attachments }: { subject: string; whom: string; attachments: number }) =>
      `Sends the mail “${subject}” to ${whom}${attachments === 0 ? '' : `, with ${count(attachments, 'attachment')}`}.`,
    goesOut: 'Goes out',
    project: 'Project',
    text: 'The mail, as it is read',
    leavesNow: (number: number) => `The mail goes out to ${recipients(number)} and cannot be taken back`,
    leavesLater: (number: number) =>
      `The mail goes out to ${recipients(number)} at that time; until then it can be cancelled`,
    leavesFor: (domains: number, named: string) =>
      `It leaves for ${domains === 1 ? 'an outside domain' : `${domains} outside domains`}: ${named}`,
    hidden: (number: number) =>
      `${recipients(number)} (bcc) ${form(number, { one: 'gets', other: 'get' })} it without the others seeing that`,
    kept: 'It stays in the list of mails',
    draftGoes: (id: string) => `The draft ${id} is deleted`,
    draftDiffers: (id: string, differs: string) =>
      `The draft ${id} is deleted; this mail differs from it in ${differs}`,
    confirm: 'Send mail',
    confirmLater: 'Schedule mail',
    roles,
    notContact: (name: string) => `${name} · not in your contacts`,
    all: (role: string, number: number) => `${role}: all ${number}`,
    before: 'Mail before',
    never: 'Never',
    yes: 'Yes',
    attachments: 'Attachments',
    name: 'Name',
    type: 'Type, by content',
    size: 'Size',
    together: 'Together',
    done: { sent: 'Mail sent', scheduled: 'Mail scheduled', failed: 'Mail not sent' },
    mail: 'Mail',
    state: 'State',
    states,
    answer: 'Answer of the mail server',
    notGot: (addresses: readonly string[]) =>
      `${listed(addresses)} ${form(addresses.length, { one: 'does', other: 'do' })} not get it.`,
    undo: 'Cancel the mail',
  },

  cancel: {
    title: (subject: string) => `Cancel the mail “${subject}”`,
    summary: (subject: string, whom: string) => `Cancels the mail “${subject}” to ${whom}.`,
    would: 'Would go out',
    who: 'Do not get it',
    doNot,
    answered: (number: number) =>
      `${recipients(number)} of whom the mail server has answered ${form(number, { one: 'stays', other: 'stay' })} as answered`,
    confirm: 'Cancel mail',
    done: 'Mail cancelled',
  },

  settle: {
    /** What it is about, in a sentence. */
    mail: (subject: string) => `mail “${subject}”`,
    campaign: (template: string) => `campaign “${template}”`,
    again: (what: string, whom: string) => `Send the ${what} again to ${whom}`,
    reached: (what: string, whom: string) => `Record that the ${what} reached ${whom}`,
    notReached: (what: string, whom: string) => `Record that the ${what} did not reach ${whom}`,
    againSummary: (what: string, whom: string) =>
      `Sends the ${what} again to ${whom}, of whom it is not known whether the first one arrived.`,
    reachedSummary: (what: string, whom: string) => `Records that the ${what} has arrived at ${whom}.`,
    notReachedSummary: (what: string, whom: string) => `Records that the ${what} has not arrived at ${whom}.`,
    who: 'It is not known of',
    said: 'What you say',
    arrived: 'It arrived',
    notArrived: 'It did not arrive',
    goesOut: (number: number) =>
      `${count(number, 'mail')} ${form(number, { one: 'goes', other: 'go' })} out and cannot be taken back`,
    goesOutResumed: (number: number) =>
      `${count(number, 'mail')} ${form(number, { one: 'goes', other: 'go' })} out as soon as the campaign is resumed and cannot be taken back`,
    waits: (number: number, from: string) =>
      `The quota of this server is used up: ${form(number, { one: 'it goes', other: 'they go' })} out when there is room, from ${from} on`,
    counts: 'It counts as sent',
    doNot: (number: number) =>
      `${form(number, { one: 'This recipient does', other: 'These recipients do' })} not get it`,
    twice: {
      title: (number: number) =>
        `${form(number, { one: 'This person', other: 'Each of these people' })} may get the same mail twice.`,
      text: 'Nobody knows whether the first one was delivered. Confirm only if you have asked, and it was not.',
    },
    confirmAgain: 'Send again',
    confirm: 'Record',
    sentAgain: 'Sent again',
    doneArrived: 'Recorded as arrived',
    doneNotArrived: 'Recorded as not arrived',
  },

  draft: {
    fields,
    /** In a sentence. */
    spoken: Object.fromEntries(
      Object.entries(fields).map(([field, label]) => [field, label.toLowerCase()]),
    ) as Readonly<Record<Field, string>>,
    called: (subject: string) => `“${subject}”`,
    to: (addresses: readonly string[]) => `to ${addresses.join(', ')}`,
    noSubject: 'without a subject',
    write: 'Write a draft',
    keeps: (called: string) => `Keeps the draft ${called}.`,
    keep: 'Keep draft',
    kept: 'Draft kept',
    undo: 'Delete the draft',
    change: (called: string) => `Change the draft ${called}`,
    changes: (what: string, called: string) => `Changes ${what} of the draft ${called}.`,
    changeConfirm: 'Change draft',
    changed: 'Draft changed',
    changeBack: 'Change it back',
    remove: (called: string) => `Delete the draft ${called}`,
    removes: (called: string) => `Deletes the draft ${called}.`,
    gone: 'The draft is gone for good',
    removeConfirm: 'Delete draft',
    removed: 'Draft deleted',
    writeAgain: 'Write it again',
    text: 'Text',
    textThen: (before: number) => `Text then (${count(before, 'character')} before)`,
  },
}

export type MailsWords = typeof mails
