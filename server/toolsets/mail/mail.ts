// Mail that a person confirms: tools that send it, what was sent, and who is known.
import type { Toolset, ToolsetParts } from '../toolset.ts'
import { readMailbox } from './address.ts'
import { recordBounce } from './bounces.ts'
import { contactTools } from './contacts.ts'
import { emailTools } from './emails.ts'
import { migrate } from './migrations.ts'
import { readOptions, type MailOptions, type MailSettings } from './options.ts'
import { createOutbox, type Outbox, type OutboxTimes } from './outbox.ts'
import type { MailDatabase } from './schema.ts'
import { broken } from './policy.ts'
import { segmentTools } from './segments/segments.ts'
import { sendTool } from './send.ts'
import { createSmtp } from './smtp.ts'
import { templateTools } from './templates/templates.ts'

export type { MailOptions } from './options.ts'

/** What the tools of one server share. */
export interface MailParts {
  readonly db: MailDatabase
  readonly settings: MailSettings
  readonly parts: Pick<ToolsetParts, 'now' | 'files' | 'secretsIn' | 'redact'>
  readonly outbox: Outbox
}

/**
 * The toolset of mail.
 * @throws {Error} that names each option that cannot be used.
 */
export function mail(options: MailOptions): Toolset {
  const settings = readOptions(options)
  return (parts) => openMail(settings, parts)
}

/** Opens it on a database, with its outbox at hand. */
export async function openMail(settings: MailSettings, parts: ToolsetParts, times: OutboxTimes = {}) {
  // Every table that is named here is one that `migrate` made, whatever else the database holds.
  const db = parts.db as MailDatabase
  const sender = await readMailbox(settings.from)
  if (typeof sender === 'string') throw new Error(`mail(…) cannot be used: from ${sender}.`)
  await migrate(db)
  const outbox = createOutbox({
    ...parts,
    db,
    smtp: createSmtp(settings.url),
    from: { name: sender.name ?? '', address: sender.address },
    forbids: (recipients) => broken(settings, { recipients, files: [], secrets: [] }),
    ...times,
  })
  const shared: MailParts = { db, settings, parts, outbox }
  const tools = [
    sendTool(shared),
    ...emailTools(db),
    recordBounce(db),
    ...contactTools(db),
    ...templateTools(db),
    ...segmentTools(db),
  ]
  return { tools, outbox, close: () => outbox.close() }
}
