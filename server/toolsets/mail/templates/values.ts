// What recipients are called comes from forms, imports and strangers' mails. In a mail it is text and nothing else: not a
// link, not a heading, not a second line of a header.
import type { ContactRow } from '../schema.ts'

/** What a template knows of whoever gets the mail. */
export const recipientVariables = ['first_name', 'last_name', 'name', 'email', 'company'] as const

/** Of a contact, what a mail to it may say. */
export type Recipient = Pick<ContactRow, 'first_name' | 'last_name' | 'name' | 'address' | 'company'>

/** Values by the name of their variable. */
export type Values = Readonly<Record<string, string>>

/** What a contact is called, as a whole. */
export function fullName({ name, first_name, last_name }: Omit<Recipient, 'address' | 'company'>): string | null {
  const parts = [first_name, last_name].filter((part) => part !== null && part !== '')
  return name ?? (parts.length === 0 ? null : parts.join(' '))
}

/** The values of one recipient; what is not known is left out. */
export const recipientValues = (recipient: Recipient): Values =>
  known({
    first_name: recipient.first_name,
    last_name: recipient.last_name,
    name: fullName(recipient),
    email: recipient.address,
    company: recipient.company,
  })

/** Those that have a text, on one line. */
export const known = (values: Readonly<Record<string, string | null>>): Values =>
  Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, oneLine(value ?? '')] as const)
      .filter(([, value]) => value !== ''),
  )

/** Whether something of a value would be read. */
export const isKnown = (value: string | null): boolean =>
  value !== null && (/^[\p{L}\p{N}]/u.test(value) || oneLine(value) !== '')

/** On one line, without what hides or turns text; joiners stay, which names in Persian and pictures need. */
export const oneLine = (text: string): string => (isOneLine.test(text) ? text : onOneLine(text))

/** Words of letters, marks, digits, signs and punctuation with a blank between them: nearly every value. */
const isOneLine = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u

const onOneLine = (text: string): string =>
  text
    // Half a character is what a filter leaves of one; left out, it could leave nothing at the beginning of a line.
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/(?![\u200C\u200D])[\p{Cf}\p{Co}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()

/** A value, on one line, in Markdown: each of its signs stands for itself (CommonMark, section 2.4). */
export const inMarkdown = (value: string): string => value.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** A value, on one line, in a header: nothing that a mail program would decode (RFC 2047). */
export const inHeader = (value: string): string => value.replaceAll('=?', '= ?')
