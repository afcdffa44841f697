// A delivery status report (RFC 3464) as it was written, and what speaks against it. Nothing in it is signed in a way that we
// could check, so what a report must have is asked for, and what does not fit to the mail is told to the person.
import { postalMime } from '../libraries.ts'
import type { SentMail } from './sent-mail.ts'

export interface DeliveryReport {
  /** Of the mail that came back. */
  readonly messageId: string | undefined
  /** The mail server that says so. */
  readonly reporter: string
  /** The address that it comes from. */
  readonly from: string | undefined
  /** ISO 8601. */
  readonly date: string | undefined
  /** Where it was sent back to, if that was noted: a report is sent with none. */
  readonly returnPath: string | undefined
  /** Header fields of the mail that came back, as far as they came with it. */
  readonly original: Fields
  /** Addresses that do not get it for good, each with why. */
  readonly failed: readonly { readonly address: string; readonly why: string }[]
}

type Fields = ReadonlyMap<string, string>

/** What a report says; nothing where the text is none, or lacks what each report has. */
export async function readReport(text: string): Promise<DeliveryReport | undefined> {
  const mime = await postalMime()
  // It throws at what has too many parts within parts, or too long a header: no mail server writes such a report.
  const parsed = await mime.parse(text).catch(() => undefined)
  if (parsed === undefined) return undefined
  // Of a field that is there twice the upper one counts: mail servers write above what the sender has written.
  const headers = new Map(parsed.headers.toReversed().map(({ key, value }) => [key, value]))
  const type = headers.get('content-type') ?? ''
  if (!/^multipart\/report\b/i.test(type) || !/report-type="?delivery-status\b/i.test(type)) return undefined
  const part = (of: RegExp): string | undefined => {
    const found = parsed.attachments.find(({ mimeType }) => of.test(mimeType))
    if (found === undefined) return undefined
    return typeof found.content === 'string' ? found.content : new TextDecoder().decode(found.content)
  }
  const status = part(/^message\/(?:global-)?delivery-status$/i)
  const [ofMessage, ...ofRecipients] = (status ?? '')
    .trim()
    .split(/\r?\n\s*\r?\n/)
    .map(fieldsOf)
  const reporter = afterType(ofMessage?.get('reporting-mta') ?? '')
  if (reporter === '') return undefined
  const returned = part(/^(?:text\/rfc822-headers|message\/(?:rfc822|global|global-headers))$/i) ?? ''
  const original = fieldsOf(returned.trimStart().split(/\r?\n\r?\n/)[0] ?? '')
  return {
    messageId: original.get('message-id'),
    reporter: reporter.slice(0, 200),
    from: parsed.from?.address?.slice(0, 200),
    date: parsed.date !== undefined && !Number.isNaN(Date.parse(parsed.date)) ? parsed.date : undefined,
    returnPath: headers.get('return-path')?.replace(/[<>\s]/g, ''),
    original,
    failed: ofRecipients
      .filter(
        (fields) =>
          fields.has('final-recipient') &&
          /^failed$/i.test(fields.get('action') ?? '') &&
          /^5\.\d{1,3}\.\d{1,3}\b/.test(fields.get('status') ?? ''),
      )
      .map((fields) => ({
        address: afterType(fields.get('original-recipient') ?? fields.get('final-recipient') ?? ''),
        why: afterType(fields.get('diagnostic-code') ?? fields.get('status') ?? 'no reason is given').slice(0, 500),
      })),
  }
}

/** By how much two clocks may differ, in milliseconds. */
const tolerance = 60 * 60_000

/** What does not fit to the mail that it is about, in sentences. */
export function doubtsOf({ original, date, returnPath }: DeliveryReport, mail: SentMail): readonly string[] {
  const subject = original.get('subject')
  const from = original.get('from')
  return [
    ...(date !== undefined && Date.parse(date) + tolerance < Date.parse(mail.wentOutAt)
      ? ['It is dated before the mail went out.']
      : []),
    ...(returnPath === undefined || returnPath === ''
      ? []
      : ['It came with an address to answer to; mail servers send reports without one.']),
    ...(subject === undefined || mail.subject === undefined || isSame(subject, mail.subject)
      ? []
      : ['The subject of the mail that it returns is another one.']),
    ...(from === undefined || from.toLowerCase().includes(mail.sender.toLowerCase())
      ? []
      : ['The sender of the mail that it returns is another one.']),
  ]
}

/** Encoded words are not read: what has one is not compared. */
const isSame = (one: string, other: string): boolean =>
  one.includes('=?') || one.replace(/\s+/g, ' ').trim() === other.replace(/\s+/g, ' ').trim()

/** "rfc822; bea@other.example" without its type. */
const afterType = (value: string): string =>
  value
    .slice(value.indexOf(';') + 1)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()

/** Header fields by their names in lower case, each on one line. */
const fieldsOf = (text: string): Fields =>
  new Map(
    text
      .replace(/\r?\n[ \t]/g, ' ')
      .split(/\r?\n/)
      .flatMap((line) => {
        const at = line.indexOf(':')
        return at < 1 ? [] : [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const]
      }),
  )
