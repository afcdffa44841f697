// Opens the toolsets of a server, one after the other, on its database: those that its settings switch on, and those that
// its program names.
import type { ServerConfig } from '../config/config.schema.ts'
import { ok } from '../errors/result.ts'
import { findSecrets } from '../policy/find-secrets.ts'
import { redactText } from '../policy/redact.ts'
import { folderBeside } from './records/open-records.ts'
import { recordable } from '../rail/record/activity-row.ts'
import type { Store } from '../store/store.ts'
import { files as createFiles } from '../toolsets/files/files.ts'
import { mail as createMail, type MailOptions } from '../toolsets/mail/mail.ts'
import type { OpenedToolset, Recording, StartedOver, Toolset, ToolsetParts } from '../toolsets/toolset.ts'

/** The toolsets that the settings switch on. What others take from must come before them. */
export const configuredToolsets = ({ files, mail }: Pick<ServerConfig, 'files' | 'mail'>): readonly Toolset[] => [
  ...(files.enabled
    ? [
        createFiles({
          folder: files.folder,
          maxMb: files.max_mb,
          tenantMb: files.tenant_mb,
          maxLinkDays: files.max_link_days,
          links: files.links,
          downloadsPerMinute: files.downloads_per_minute,
        }),
      ]
    : []),
  ...(mail === undefined ? [] : [createMail(mailOptionsOf(mail))]),
]

const mailOptionsOf = ({
  url,
  from,
  bounces,
  own_domains: ownDomains,
  policy,
  step_up: stepUp,
}: NonNullable<ServerConfig['mail']>): MailOptions => ({
  url,
  from,
  ...(bounces === undefined ? {} : { bounces }),
  ownDomains,
  policy: {
    allowedDomains: policy.allowed_domains,
    blockedDomains: policy.blocked_domains,
    maxRecipients: policy.max_recipients,
    maxCampaignRecipients: policy.max_campaign_recipients,
    maxAttachmentBytes: policy.max_attachment_bytes,
    recipientsPerHour: policy.recipients_per_hour,
    recipientsPerDay: policy.recipients_per_day,
    secrets: policy.secrets,
  },
  stepUp: {
    recipients: stepUp.recipients,
    campaignRecipients: stepUp.campaign_recipients,
    outsideDomains: stepUp.outside_domains,
    attachments: stepUp.attachments,
  },
})

/** What all of them bring. */
export type OpenedToolsets = Required<Pick<OpenedToolset, 'tools' | 'cheatsheets' | 'routes' | 'pages' | 'close'>> & {
  /** Where the first of them that takes files takes one. */
  readonly uploads: string | undefined
  /** Puts the data of all that can be tried out back to what new ones hold; `undefined` where none can. */
  readonly startOver: (() => Promise<StartedOver>) | undefined
}

/** Which toolsets a server has. */
export interface ToolsetOptions {
  readonly toolsets?: readonly Toolset[]
  /** Toolsets that the settings switch on, opened before the others. */
  readonly configured?: readonly Toolset[] | undefined
}

/** How the toolsets of a store put on record what they do later: redacted as calls are. */
export const recordingOf =
  ({ recording }: Pick<Store, 'recording'>): Recording =>
  (work) =>
    recording((transaction, record) =>
      work(transaction, ({ run, details, error, ...event }) =>
        record({
          ...event,
          planId: run,
          details: recordable(details, undefined),
          error: error && { ...error, message: redactText(error.message).slice(0, 2000) },
        }),
      ),
    )

/** Where one of them cannot be opened, those before it are closed again. */
export async function openToolsets(
  { file, configured = [], toolsets = [] }: ToolsetOptions & { readonly file: string },
  store: Pick<Store, 'db' | 'now' | 'deriveKey' | 'recording'>,
  server: Pick<ToolsetParts, 'report' | 'publicUrl'>,
): Promise<OpenedToolsets> {
  const opened: OpenedToolset[] = []
  const close = async (): Promise<void> => {
    // What a later one does may need what an earlier one offers.
    for (const set of opened.toReversed()) await set.close?.()
  }
  const { db, now, deriveKey } = store
  const parts: ToolsetParts = {
    ...server,
    db,
    recording: recordingOf(store),
    now,
    folder: (name) => folderBeside(file, name),
    deriveKey: (purpose) => deriveKey(`toolset: ${purpose}`),
    secretsIn: findSecrets,
    redact: redactText,
    files: () => opened.find(({ files }) => files !== undefined)?.files,
  }
  try {
    for (const toolset of [...configured, ...toolsets]) opened.push(await toolset(parts))
  } catch (error) {
    await close()
    throw error
  }
  return {
    tools: opened.flatMap(({ tools }) => tools),
    cheatsheets: Object.assign({}, ...opened.map(({ cheatsheets }) => cheatsheets)),
    routes: opened.flatMap(({ routes = [] }) => routes),
    pages: opened.flatMap(({ pages = [] }) => pages),
    uploads: opened.find(({ uploads }) => uploads !== undefined)?.uploads,
    startOver: opened.some((set) => set.startOver !== undefined)
      ? async () => {
          for (const set of opened) {
            const started = await set.startOver?.()
            if (started?.ok === false) return started
          }
          return ok(undefined)
        }
      : undefined,
    close,
  }
}
