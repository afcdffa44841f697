// The mail that agents send: through which server, whose it is, and what must not leave.
import { z } from 'zod'
import { mailboxUrl, mailboxUrlWords, mailUrl, mailUrlWords } from '../model/mail-url.ts'

const domains = z.array(
  z.string().regex(/^[^\s@/:*]+\.[^\s@/:*.]+$/u, 'must be a domain like "example.org"; those below it are meant, too'),
)

export const mailSchema = z.strictObject({
  url: z.string().regex(mailUrl, mailUrlWords).meta({
    description:
      'By what mail is sent: a mail server (often a secret: write "${SMTP_URL}"), ses://region, or sendmail: on this machine.',
    writeOnly: true,
  }),
  from: z
    .string()
    .regex(/^[^@]{1,200}@[^@\s]{1,250}$/, 'must be an address like "Agency <hello@agency.example>"')
    .describe('Whose mail it is.'),
  bounces: z
    .string()
    .regex(mailboxUrl, mailboxUrlWords)
    .meta({
      description:
        'The mailbox in which mails that came back arrive: "imaps://user:password@imap.example.org/folder". Reports in it mark addresses as undeliverable by themselves. It is a secret.',
      writeOnly: true,
    })
    .optional(),
  own_domains: domains.optional().describe('Domains that are not outside; that of `from` when absent.'),
  policy: z
    .strictObject({
      allowed_domains: domains.optional().describe('Mail goes to these domains and to no other.'),
      blocked_domains: domains.default([]).describe('Mail never goes to these domains.'),
      max_recipients: z.int().min(1).max(1000).default(50).describe('The most recipients of one mail.'),
      max_campaign_recipients: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(10_000)
        .describe('The most recipients of one campaign; the quotas hold for it, too.'),
      max_attachment_bytes: z
        .int()
        .min(1)
        .default(10_000_000)
        .describe('The most that all attachments of one mail may have together.'),
      recipients_per_hour: z
        .int()
        .min(1)
        .default(100)
        .describe('Recipients of one tenant in any hour; larger campaigns go out bit by bit.'),
      recipients_per_day: z
        .int()
        .min(1)
        .default(1000)
        .describe('Recipients of one tenant in any 24 hours; larger campaigns go out bit by bit.'),
      secrets: z
        .enum(['refuse', 'warn'])
        .default('refuse')
        .describe('What is done with a mail that has a secret: it is not sent, or its card says so.'),
    })
    .prefault({})
    .describe('What must not leave.'),
  step_up: z
    .strictObject({
      recipients: z.int().min(0).default(10).describe('For more recipients than these.'),
      campaign_recipients: z.int().min(0).default(1000).describe('For a campaign with more recipients than these.'),
      outside_domains: z.int().min(0).default(3).describe('For more outside domains than these.'),
      attachments: z.boolean().default(false).describe('For attachments that go to outside domains.'),
    })
    .prefault({})
    .describe('When a mail needs an approval with a second factor.'),
})
