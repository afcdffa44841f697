// The tools of mail that write are rehearsed (`server/toolsets/rehearsal.ts`); these are the rows that they rely on.
import { rehearsedTools, type SeenRow } from '../rehearsal.ts'
import type { MailTables } from './schema.ts'
import { languages } from './words.ts'

const keys = {
  mail_emails: 'id',
  mail_drafts: 'id',
  mail_contacts: 'id',
  mail_templates: 'id',
  mail_segments: 'id',
  mail_campaigns: 'id',
} as const

/** A row version that a preview of mail relies on. */
export type Seen = SeenRow<keyof typeof keys>

/** Declares a tool of mail that writes. */
export const mailTool = rehearsedTools<MailTables, keyof typeof keys>({
  prefix: 'mail_',
  keys,
  cheatsheet: 'mail',
  languages,
})
