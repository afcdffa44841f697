// What a program or an operator decides about mail: by which server it goes, whose it is, and what must not leave.
import { z } from 'zod'
import { mailboxUrl, mailboxUrlWords, mailUrl, mailUrlWords } from '../../model/mail-url.ts'

const domain = z
  .string()
  .regex(/^[^\s@/:*]+\.[^\s@/:*.]+$/u, 'must be a domain like "example.org"; its subdomains are meant, too')
const most = z.int().min(1)

const optionsSchema = z.strictObject({
  url: z.string().regex(mailUrl, mailUrlWords),
  from: z.string().min(3).max(320),
  bounces: z.string().regex(mailboxUrl, mailboxUrlWords).optional(),
  ownDomains: z.array(domain).optional(),
  policy: z
    .strictObject({
      allowedDomains: z.array(domain).optional(),
      blockedDomains: z.array(domain).default([]),
      maxRecipients: most.max(1000).default(50),
      maxCampaignRecipients: most.max(1_000_000).default(10_000),
      maxAttachmentBytes: most.default(10_000_000),
      recipientsPerHour: most.default(100),
      recipientsPerDay: most.default(1000),
      secrets: z.enum(['refuse', 'warn']).default('refuse'),
    })
    .prefault({}),
  stepUp: z
    .strictObject({
      recipients: z.int().min(0).default(10),
      campaignRecipients: z.int().min(0).default(1000),
      outsideDomains: z.int().min(0).default(3),
      attachments: z.boolean().default(false),
    })
    .prefault({}),
})

/** What `mail` takes; `docs/guides/mail.md` says each. */
export type MailOptions = z.input<typeof optionsSchema>

/** With every default. */
export type MailSettings = z.infer<typeof optionsSchema> & {
  readonly ownDomains: readonly string[]
}

/**
 * Reads what a program gives.
 * @throws {Error} that names each setting that cannot be used.
 */
export function readOptions(given: MailOptions): MailSettings {
  const parsed = optionsSchema.safeParse(given)
  if (!parsed.success) throw new Error(`mail(…) cannot be used: ${z.prettifyError(parsed.error)}`)
  const options = parsed.data
  const own = options.from.slice(options.from.lastIndexOf('@') + 1).replace(/>\s*$/, '')
  return { ...options, ownDomains: options.ownDomains ?? [own.toLowerCase()] }
}
