// The mail server of the agency's desk: a real one, on this machine only, so that who tries the desk sees each mail as it
// arrives, and none leaves. It refuses whom a mail server would refuse.
import type { AddressInfo } from 'node:net'
import type { Email } from 'postal-mime'

/** A mail as it arrived. */
export interface DeliveredMail {
  /** Counts from 1. */
  readonly number: number
  readonly at: string
  /** Whom it was handed over for (RFC 5321): those in `Bcc` among them. */
  readonly recipients: readonly string[]
  readonly mail: Email
}

export interface Mailbox {
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string
  /** The newest first, and no more than fifty. */
  readonly delivered: () => readonly DeliveredMail[]
  close(): Promise<void>
}

const mostKept = 50
const mostBytes = 25 * 1024 * 1024

/** Nobody has a mailbox there: the server's own words say so. */
const withoutMailboxes = '@nobody.example'

/** Starts the server on any free port of the loopback. */
export async function openMailbox(now: () => number): Promise<Mailbox> {
  const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([import('smtp-server'), import('postal-mime')])
  const delivered: DeliveredMail[] = []
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    // It speaks with this process alone.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: mostBytes,
    closeTimeout: 1000,
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.toLowerCase().endsWith(withoutMailboxes)
          ? Object.assign(new Error('No such mailbox here'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (stream.sizeExceeded)
          return done(Object.assign(new Error('Too large for this mailbox'), { responseCode: 552 }))
        PostalMime.parse(Buffer.concat(chunks)).then(
          (mail) => {
            const recipients = session.envelope.rcptTo.map(({ address }) => address)
            delivered.unshift({ number: ++count, at: new Date(now()).toISOString(), recipients, mail })
            delivered.length = Math.min(delivered.length, mostKept)
            done(null, `Delivered as ${count}`)
          },
          (error: unknown) => done(error instanceof Error ? error : new Error('The mail cannot be read')),
        )
      })
    },
  })
  // A connection that breaks off is the sender's to tell.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    delivered: () => delivered,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
