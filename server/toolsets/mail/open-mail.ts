// What the toolset of mail consists of, joined: its tables, its outbox, and the tools that share them.
import { shippedCheatsheet } from '../cheatsheets.ts'
import { ToolsetError, type ToolsetParts } from '../toolset.ts'
import { readMailbox } from './addresses/address.ts'
import { watchBounces } from './bounces/mailbox.ts'
import { recordBounce } from './bounces/bounces.ts'
import { campaignTools } from './campaigns/campaigns.ts'
import { createCampaignSender, type CampaignSender, type SenderTimes } from './campaigns/sender.ts'
import { bulkSendTool } from './campaigns/bulk-send.ts'
import { contactTools } from './contacts/contacts.ts'
import { draftTools } from './drafts/tools.ts'
import { emailTools } from './outbox/emails.ts'
import { liquidjs, markdown } from './libraries.ts'
import { migrate } from './migrations.ts'
import type { MailSettings } from './options.ts'
import { createOutbox, type Outbox, type OutboxTimes } from './outbox/outbox.ts'
import type { MailDatabase, MailRecording } from './schema.ts'
import { broken } from './policy.ts'
import { segmentTools } from './segments/segments.ts'
import { settleUnknown } from './outbox/settle-unknown.ts'
import { sendTool } from './send-external/send.ts'
import { connectionsOf, type NamedAddress } from './transports/smtp.ts'
import { templateTools } from './templates/templates.ts'
import { transportTo } from './transports/by-url.ts'
import { withPlainFaults } from './transports/plain-faults.ts'

/** What the tools of one server share. */
export interface MailParts {
  readonly db: MailDatabase
  readonly settings: MailSettings
  /** Whose mail it is. */
  readonly sender: NamedAddress
  readonly parts: Pick<ToolsetParts, 'now' | 'files' | 'secretsIn' | 'redact'>
  readonly outbox: Outbox
  readonly campaigns: CampaignSender
}

/**
 * Opens it on a database, with its outbox at hand.
 * @throws {ToolsetError} where a package is not installed, or nobody can be the sender.
 */
export async function openMail(
  settings: MailSettings,
  parts: ToolsetParts,
  times: OutboxTimes & Pick<SenderTimes, 'keepMs'> = {},
) {
  // Every table that is named here is one that `migrate` made, whatever else the database holds.
  const db = parts.db as MailDatabase
  const recording = parts.recording as unknown as MailRecording
  const sender = await readMailbox(settings.from)
  if (typeof sender === 'string')
    throw new ToolsetError(
      `Mail has no sender: ${JSON.stringify(settings.from)} ${sender}.`,
      'Set mail.from to one address.',
    )
  // Better known now than when a mail is previewed.
  await Promise.all([markdown(), liquidjs()])
  const smtp = withPlainFaults(await transportTo(settings.url), parts.report)
  await migrate(db)
  const forbids = (recipients: readonly { readonly domain: string }[]) =>
    broken(settings, { recipients, files: [], secrets: [] })
  const connections = connectionsOf(settings.url)
  const outbox = createOutbox({ ...parts, db, recording, settings, smtp, connections, forbids, ...times })
  const campaigns = createCampaignSender({
    ...parts,
    db,
    recording,
    settings,
    smtp,
    connections,
    forbids(domain) {
      const rule = forbids([{ domain }])
      return rule === undefined ? undefined : `${rule.title} ${rule.text}`
    },
    ...times,
  })
  const bounces =
    settings.bounces === undefined ? undefined : await watchBounces({ ...parts, url: settings.bounces, db, recording })
  const shared: MailParts = {
    db,
    settings,
    sender: { name: sender.name ?? '', address: sender.address },
    parts,
    outbox,
    campaigns,
  }
  const tools = [
    sendTool(shared),
    bulkSendTool(shared),
    ...emailTools(db),
    ...draftTools(db),
    ...campaignTools(db, settings, parts.now),
    settleUnknown(settings)(db),
    recordBounce(db),
    ...contactTools(db),
    ...templateTools(db),
    ...segmentTools(db),
  ]
  return {
    tools,
    cheatsheets: { mail: shippedCheatsheet('mail') },
    outbox,
    campaigns,
    bounces,
    async close() {
      await bounces?.close()
      await campaigns.drain()
      await outbox.close()
      await campaigns.settled()
    },
  }
}
