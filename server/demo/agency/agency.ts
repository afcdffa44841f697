// The second desk of `countersign demo`: a small agency that sends mail and hands out files. Its mail goes to a server on
// this machine, whose mailbox is a page.
import { randomBytes } from 'node:crypto'
import { openFiles } from '../../toolsets/files/open-files.ts'
import { openMail } from '../../toolsets/mail/open-mail.ts'
import { readOptions } from '../../toolsets/mail/options.ts'
import type { Toolset } from '../../toolsets/toolset.ts'
import { mailboxPages } from './mailbox-pages.ts'
import { openMailbox } from './mailbox.ts'
import { seed } from './seed.ts'
import { startOver } from './start-over.ts'

/** As a mail server that is not on this machine: a campaign of thousands takes a minute, and can be stopped in the middle. */
const answersAfterMs = 50

/** Mail, files and the mailbox, filled once. */
export const agency: Toolset = async (parts) => {
  const mailbox = await openMailbox(parts.now, answersAfterMs)
  const closing: (() => Promise<void>)[] = [() => mailbox.close()]
  // The last first: what is sent still needs the mailbox.
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const files = await openFiles({}, parts)
    closing.push(async () => files.close?.())
    const mail = await openMail(
      readOptions({
        url: mailbox.url,
        from: 'The Agency <hello@agency.example>',
        // The newsletter goes to thousands, again and again where somebody tries it.
        policy: {
          blockedDomains: ['rival.example'],
          maxRecipients: 20,
          recipientsPerHour: 100_000,
          recipientsPerDay: 100_000,
        },
        stepUp: { campaignRecipients: 10_000 },
      }),
      { ...parts, files: () => files.files },
    )
    closing.push(() => mail.close())
    await seed(parts.db, files, parts.now())
    // Who is given the address may read the mails; it is another one at each start.
    const path = `/mailbox/${randomBytes(18).toString('base64url')}` as const
    const pages = mailboxPages(path, mailbox)
    return {
      tools: [...mail.tools, ...files.tools],
      cheatsheets: { ...mail.cheatsheets, ...files.cheatsheets },
      routes: [...(files.routes ?? []), { path, open: 'anyone', handle: async (request) => pages.fetch(request) }],
      pages: [{ label: 'Mailbox', path }],
      ...(files.uploads === undefined ? {} : { uploads: files.uploads }),
      ...(files.files === undefined ? {} : { files: files.files }),
      startOver: () => startOver({ mail: parts.db, files: parts.db, toolset: files, mailbox }, parts.now()),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
