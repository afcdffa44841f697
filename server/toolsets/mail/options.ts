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
} satisfies Readonly<Record<keyof MailOptions, z.ZodType>>)

/** What `mail` takes. */
export interface MailOptions {
  /** By what mail goes: a mail server (`smtps://user:password@host`), Amazon SES (`ses://region`) or a program (`sendmail:`). */
  readonly url: string
  /** Whose mail it is: `Agency <hello@agency.example>`. */
  readonly from: string
  /** The mailbox in which mails that came back arrive: `imaps://user:password@host/folder`. */
  readonly bounces?: string | undefined
  /** Domains that are not outside; that of `from` when absent. */
  readonly ownDomains?: readonly string[] | undefined
  /** What must not leave, and how much may. */
  readonly policy?: MailPolicy | undefined
  /** From where on a mail needs an approval with a second factor. */
  readonly stepUp?: MailStepUp | undefined
}

/** What must not leave by mail, and how much may. */
export interface MailPolicy {
  /** Domains that mail may go to; all when absent. */
  readonly allowedDomains?: readonly string[] | undefined
  /** Domains that no mail goes to. */
  readonly blockedDomains?: readonly string[] | undefined
  /** Recipients of one mail; 50 when absent. */
  readonly maxRecipients?: number | undefined
  /** Recipients of one campaign; 10,000 when absent. */
  readonly maxCampaignRecipients?: number | undefined
  /** What the attachments of one mail take together; 10,000,000 when absent. */
  readonly maxAttachmentBytes?: number | undefined
  /** Recipients of one tenant in any hour; 100 when absent. */
  readonly recipientsPerHour?: number | undefined
  /** Recipients of one tenant in any 24 hours; 1,000 when absent. */
  readonly recipientsPerDay?: number | undefined
  /** What becomes of a mail in which something looks like a secret; `refuse` when absent. */
  readonly secrets?: 'refuse' | 'warn' | undefined
}

/** From where on a mail needs an approval with a second factor. */
export interface MailStepUp {
  /** More recipients than these; 10 when absent. */
  readonly recipients?: number | undefined
  /** A campaign to more than these; 1,000 when absent. */
  readonly campaignRecipients?: number | undefined
  /** More outside domains than these; 3 when absent. */
  readonly outsideDomains?: number | undefined
  /** Attachments that go to outside domains; false when absent. */
  readonly attachments?: boolean | undefined
}

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
