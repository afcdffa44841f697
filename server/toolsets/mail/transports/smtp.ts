// What a server of mail has answered decides whether a mail may be tried again. Refused, or lost before a byte of it went
// out: nobody has it. Lost after that and before the answer: nobody knows, and it is never sent again.
import { Readable } from 'node:stream'
import { nodemailer } from '../libraries.ts'

export interface OutgoingMail {
  readonly messageId: string
  /** ISO 8601. */
  readonly date: string
  readonly from: NamedAddress
  readonly replyTo: string | null
  /** Those in the headers. */
  readonly to: readonly NamedAddress[]
  readonly cc: readonly NamedAddress[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly content: Uint8Array }[]
  /** Those whom this attempt is for. */
  readonly recipients: readonly string[]
}

export interface NamedAddress {
  readonly name: string
  readonly address: string
}

/** What became of one recipient: `deferred` is a refusal for now. */
export interface RecipientAnswer {
  readonly state: 'accepted' | 'refused' | 'deferred' | 'unknown'
  /** The server's words, or why it could not be asked. */
  readonly response: string
  /** The id under which the service knows the mail, where that gives it one of its own: reports name it. */
  readonly serviceId?: string
  /** Where it says nothing of this recipient: nobody gets mail by this server for now. Nothing of the mail has gone out. */
  readonly fault?: ServerFault
}

/**
 * `unreachable`: there is no connection; `defers`: the server takes no mail for now, whoever it is for; `not_admitted`: it
 * takes none from this login or this sender.
 */
export type ServerFault = 'unreachable' | 'defers' | 'not_admitted'

export interface Smtp {
  /** Hands a mail over; answers for each of its recipients, and throws nothing. */
  send(mail: OutgoingMail): Promise<ReadonlyMap<string, RecipientAnswer>>
  close(): void
}

/** Milliseconds until a silent server counts as gone; RFC 5321 grants ten minutes for the last answer. */
const timeouts = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 600_000, dnsTimeout: 30_000 }

/** Opens connections to the server at `url` (`smtp:`, `smtps:`) when the first mail goes out. */
export function createSmtp(url: string): Smtp {
  let transport: Promise<Transport> | undefined
  let isClosed = false
  const send = async (mail: OutgoingMail, attempt = 1): Promise<ReadonlyMap<string, RecipientAnswer>> => {
    let stream: Readable | undefined
    try {
      if (isClosed) throw new Error('The server is being closed.')
      transport ??= openTransport(url)
      const message = { ...messageOf(mail), watch: (created: Readable) => void (stream = created) }
      return answersOf(mail, (await (await transport).sendMail(message)) as Sent)
    } catch (error) {
      const begun = stream?.readableDidRead === true
      // An idle connection that the server had closed: nobody has the mail, and another connection may take it.
      if (!begun && !isClosed && attempt === 1 && wasClosed(error as SmtpError)) return send(mail, 2)
      return allOf(mail, error as SmtpError, begun)
    }
  }
  return {
    send: (mail) => send(mail),
    close() {
      isClosed = true
      void transport?.then((opened) => opened.close({ force: true }))
      transport = undefined
    },
  }
}

/** How many connections to the server there are at a time. */
export const connectionsOf = (url: string): number =>
  Math.max(1, Number(new URL(url).searchParams.get('maxConnections')) || 5)

/** 421: the server closes the connection (RFC 5321). */
const wasClosed = ({ code, responseCode }: SmtpError): boolean =>
  responseCode === 421 || (responseCode === undefined && code === 'ECONNECTION')

type Transport = Awaited<ReturnType<typeof openTransport>>

interface SmtpError {
  readonly message: string
  readonly code?: string
  /** The command that it answers: `RCPT TO`. */
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  readonly recipient?: string
  readonly rejectedErrors?: readonly SmtpError[]
}

async function openTransport(url: string) {
  const { createTransport } = await nodemailer()
  const { hostname, searchParams } = new URL(url)
  const unless = Object.entries(timeouts).filter(([name]) => !searchParams.has(name))
  const transport = createTransport({
    ...Object.fromEntries(unless),
    url,
    pool: true,
    // It would send a mail again whose connection was lost behind its last byte.
    maxRequeues: 0,
    // What is confirmed goes over no open line, but to this machine; the address may say otherwise.
    ...(searchParams.has('requireTLS')
      ? {}
      : { requireTLS: !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transport.use('stream', (mail, done) => {
    const { watch } = mail.data as { readonly watch?: (stream: Readable) => void }
    // As one piece: nodemailer hands a mail on in dozens, each a write of its own to the connection.
    mail.message.build((error, whole) => {
      if (error !== null) return done(error)
      mail.message.createReadStream = () => {
        const stream = new Readable({
          read() {
            this.push(whole)
            this.push(null)
          },
        })
        watch?.(stream)
        return stream
      }
      done()
    })
  })
  return transport
}

/** The mail as nodemailer composes it. */
export const messageOf = (mail: OutgoingMail) => ({
  messageId: mail.messageId,
  date: new Date(mail.date),
  from: mail.from,
  ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
  to: [...mail.to],
  cc: [...mail.cc],
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  attachments: mail.attachments.map(({ name, type, content }) => ({
    filename: name,
    // A mail in a mail, and parts in parts, may not be encoded; as bytes they arrive as they are.
    contentType: /^(?:message|multipart)\//i.test(type) ? 'application/octet-stream' : type,
    content: Buffer.from(content),
    contentTransferEncoding: 'base64' as const,
  })),
  envelope: { from: mail.from.address, to: [...mail.recipients] },
})

interface Sent {
  readonly accepted?: readonly unknown[]
  readonly rejected?: readonly unknown[]
  readonly rejectedErrors?: readonly SmtpError[]
  readonly response?: string
}

function answersOf(mail: OutgoingMail, sent: Sent): ReadonlyMap<string, RecipientAnswer> {
  const rejected = rejections(sent.rejectedErrors)
  return new Map(
    mail.recipients.map((address) => [
      address,
      rejected.get(address.toLowerCase()) ?? { state: 'accepted', response: words(sent.response ?? '') },
    ]),
  )
}

/** One answer for all who have none of their own. */
function allOf(mail: OutgoingMail, error: SmtpError, begun: boolean): ReadonlyMap<string, RecipientAnswer> {
  const rejected = rejections(error.rejectedErrors)
  const state = stateOf(error, begun)
  const fault = begun ? undefined : faultOf(error)
  const lost = begun ? 'The connection to the mail server was lost before it had answered.' : error.message
  const all = { state, response: words(error.response ?? lost), ...(fault === undefined ? {} : { fault }) }
  return new Map(mail.recipients.map((address) => [address, rejected.get(address.toLowerCase()) ?? all]))
}

function stateOf({ responseCode }: SmtpError, begun: boolean): RecipientAnswer['state'] {
  if (responseCode !== undefined) return responseCode >= 500 ? 'refused' : 'deferred'
  return begun ? 'unknown' : 'deferred'
}

function faultOf({ code, command = '', responseCode }: SmtpError): ServerFault | undefined {
  if (responseCode === undefined) return code === 'EAUTH' ? 'not_admitted' : 'unreachable'
  if (responseCode === 421) return 'defers'
  if (responseCode < 500) return /^(?:RCPT|DATA)/.test(command) ? undefined : 'defers'
  if (code === 'EAUTH' || command === 'MAIL FROM') return 'not_admitted'
  return command === 'CONN' ? 'unreachable' : undefined
}

const rejections = (errors: readonly SmtpError[] = []): ReadonlyMap<string, RecipientAnswer> =>
  new Map(
    errors.map(({ recipient = '', response, message, responseCode = 550 }) => [
      recipient.toLowerCase(),
      { state: responseCode >= 500 ? 'refused' : 'deferred', response: words(response ?? message) },
    ]),
  )

/** A stranger's text: bounded, on one line. */
export const words = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 500)
