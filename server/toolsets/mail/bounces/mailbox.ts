// Mail servers that have taken a mail say later that it came back, in a message to whoever sent it. Where the settings name
// the mailbox in which those arrive, reports in it are recorded by themselves, under the rules of `emails.record_bounce`: they
// count only for mails that went from here to the addresses that they name.
import { createHash } from 'node:crypto'
import type { ToolsetParts } from '../../toolset.ts'
import { bouncedBy, markBounced } from './bounces.ts'
import { readReport } from './delivery-report.ts'
import { imapflow, postalMime } from '../libraries.ts'
import type { MailDatabase, MailRecording } from '../schema.ts'
import { tenantOf } from './sent-mail.ts'

/** Milliseconds from one look to the next. */
const lookMs = 60_000
/** Reports of one look. */
const atOnce = 100
/** Of a report the beginning says all: what was to be delivered is returned at its end. */
const readBytes = 200_000

interface MailboxOptions extends Pick<ToolsetParts, 'now' | 'report'> {
  /** `imaps://user:password@host/folder`. */
  readonly url: string
  readonly db: MailDatabase
  readonly recording: MailRecording
}

export interface BounceMailbox {
  /** Records what has arrived since the last look; done by itself every minute. */
  look(): Promise<void>
  /** Ends that, and waits for what has begun. */
  close(): Promise<void>
}

/**
 * Watches a mailbox.
 * @throws {ToolsetError} where the package for it is not installed.
 */
export async function watchBounces({ url, db, recording, now, report }: MailboxOptions): Promise<BounceMailbox> {
  // What reads a report is there before the first one is fetched.
  const [{ ImapFlow }] = await Promise.all([imapflow(), postalMime()])
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const secure = protocol === 'imaps:'
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  /** Reports that are not about mail from here stay unread, for people; they are not read again. */
  const passed = new Set<string>()
  let open: InstanceType<typeof ImapFlow> | undefined
  let isClosed = false

  const record = async (text: string): Promise<boolean> => {
    const read = await readReport(text)
    const tenant = read?.messageId === undefined ? undefined : await tenantOf(db, read.messageId)
    if (read === undefined || tenant === undefined) return false
    const run = `bounce ${createHash('sha256').update(text).digest('hex')}`
    return recording(async (transaction, put) => {
      const found = await bouncedBy(transaction, tenant, read)
      // What does not fit to its mail is for a person to judge.
      if (typeof found === 'string' || found.doubts.length > 0) return false
      const at = new Date(now()).toISOString()
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('mail_runs')
        .values({ idempotency_key: run, tool: 'emails.record_bounce', result: '{}', at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      // Another process has read it.
      if (numInsertedOrUpdatedRows !== 1n) return true
      const details = await markBounced(transaction, found, now())
      for (const { id } of found.contacts.values())
        await transaction
          .updateTable('mail_contacts')
          .set((eb) => ({ version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .execute()
      put({ name: 'email.bounced', principal: { tenant, subject: 'mailbox' }, run, outcome: 'applied', details })
      return true
    })
  }

  async function look(): Promise<void> {
    const client = new ImapFlow({
      host: hostOf(hostname),
      port: port === '' ? (secure ? 993 : 143) : Number(port),
      secure,
      // A password goes over no open line, but to this machine.
      doSTARTTLS: secure || isHere(hostname) ? undefined : true,
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      logger: false,
    })
    // Of a connection that is lost the pending command tells.
    client.on('error', () => undefined)
    open = client
    try {
      await client.connect()
      const { uidValidity } = await client.mailboxOpen(folder)
      const unread = await client.search({ seen: false, header: { 'content-type': 'report' } }, { uid: true })
      const key = (uid: number): string => `${uidValidity} ${uid}`
      const next = (unread === false || unread === undefined ? [] : unread).filter((uid) => !passed.has(key(uid)))
      for (const uid of next.slice(0, atOnce)) {
        if (isClosed) break
        const message = await client.fetchOne(String(uid), { source: { maxLength: readBytes } }, { uid: true })
        const text = message === false ? undefined : message.source?.toString('utf8')
        if (text !== undefined && (await record(text)))
          await client.messageFlagsAdd(String(uid), [String.raw`\Seen`], { uid: true })
        else passed.add(key(uid))
      }
      await client.logout()
    } finally {
      client.close()
      open = undefined
    }
  }

  let looking: Promise<void> | undefined
  const once = (): Promise<void> => (looking ??= look().finally(() => (looking = undefined)))
  let isTold = false
  const timer = setInterval(() => {
    once().then(
      () => (isTold = false),
      (error: unknown) => {
        // Once for as long as it lasts.
        if (!isTold && !isClosed) report(error, 'mailbox of bounces')
        isTold = true
      },
    )
  }, lookMs)
  timer.unref()
  return {
    look: once,
    async close() {
      isClosed = true
      clearInterval(timer)
      open?.close()
      await looking?.catch(() => undefined)
    },
  }
}

/** An address of IPv6 stands in brackets where a port may follow it, and without them where it is looked up. */
const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isHere = (hostname: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
