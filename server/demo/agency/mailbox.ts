// The mail server of the agency's desk: a real one, on this machine only, so that who tries the desk sees each mail as it
// arrives, and none leaves. It refuses whom a mail server would refuse.
import type { AddressInfo } from 'node:net'
import type { Email } from 'postal-mime'
import { withPackages } from '../../errors/optional-package.ts'

/** A mail as it arrived. */
export interface DeliveredMail {
  /** Counts from 1. */
  readonly number: number
  readonly at: string
  /** Whom it was handed over for (RFC 5321): those in `Bcc` among them. */
  readonly recipients: readonly string[]
  /** Taken apart when somebody looks: thousands may arrive of which nobody ever does. */
  readonly read: () => Promise<Email>
}

/** Mails that belong together: those of a campaign, or all that belong to none. */
export interface MailGroup {
  /** `undefined`: mails of no campaign. */
  readonly campaignId: string | undefined
  /** How many have arrived. */
  readonly count: number
  /** The newest first, and no more than fifty, so that no campaign pushes out the others. */
  readonly newest: readonly DeliveredMail[]
}

export interface Mailbox {
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string
  /** How many mails have arrived. */
  readonly count: () => number
  /** Those that got a mail last come first. */
  readonly groups: () => readonly MailGroup[]
  /** Throws away what has arrived. */
  readonly empty: () => void
  close(): Promise<void>
}

const mostKept = 50
const mostGroups = 20
const mostBytes = 25 * 1024 * 1024

/** The campaign that a mail says it is of, by its Message-ID. The header comes before the first empty line. */
function campaignOf(raw: Buffer): string | undefined {
  const head = raw.toString('latin1', 0, 8192).split('\r\n\r\n', 1)[0] ?? ''
  return /^message-id:\s{0,4}<(cp_[0-9a-f]{20})\./im.exec(head)?.[1]
}

/** Nobody has a mailbox there: the server's own words say so. */
const withoutMailboxes = '@nobody.example'

/**
 * Starts the server on any free port of the loopback. `answersAfterMs`: how long it thinks about each mail; a campaign is
 * over before anybody has seen it where that is no time at all.
 */
export async function openMailbox(now: () => number, answersAfterMs = 0): Promise<Mailbox> {
  const [{ SMTPServer }, { default: PostalMime }] = await withPackages(['smtp-server', 'postal-mime'], () =>
    Promise.all([import('smtp-server'), import('postal-mime')]),
  )
  let groups: readonly MailGroup[] = []
  let count = 0
  const thrownAway = new Set<string>()
  const keep = (raw: Buffer, recipients: readonly string[]): void => {
    const campaignId = campaignOf(raw)
    // Of a campaign that was thrown away, what was on its way then.
    if (campaignId !== undefined && thrownAway.has(campaignId)) return
    let parsed: Promise<Email> | undefined
    const mail: DeliveredMail = {
      number: ++count,
      at: new Date(now()).toISOString(),
      recipients,
      read: () => (parsed ??= PostalMime.parse(raw)),
    }
    const known = groups.find((group) => group.campaignId === campaignId)
    const newest = [mail, ...(known?.newest ?? [])].slice(0, mostKept)
    const grown: MailGroup = { campaignId, count: (known?.count ?? 0) + 1, newest }
    groups = [grown, ...groups.filter((group) => group !== known)].slice(0, mostGroups)
  }
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
        keep(
          Buffer.concat(chunks),
          session.envelope.rcptTo.map(({ address }) => address),
        )
        const answer = `Delivered as ${count}`
        setTimeout(() => done(null, answer), answersAfterMs).unref()
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
    count: () => count,
    groups: () => groups,
    empty: () => {
      for (const { campaignId } of groups) if (campaignId !== undefined) thrownAway.add(campaignId)
      groups = []
      count = 0
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
