// What the mail toolset keeps: every mail with its recipients, what the server answered for each, and who is known.
// Moments are ISO text in UTC, which compares as they do.
import type { Kysely } from 'kysely'
import type { RunRow } from '../rehearsal.ts'
import type { Recording } from '../toolset.ts'

/**
 * `sending`: a process has it in its hands until `lease_until`; whoever finds it later than that knows only that it may
 * have gone out. `unknown`: nobody knows whether it did, and it is not sent again.
 */
export type EmailState = 'scheduled' | 'sending' | 'sent' | 'failed' | 'unknown' | 'cancelled'

/** `deferred`: refused for now, and asked again later; `pending`: not asked yet. */
export type RecipientState = 'pending' | 'deferred' | 'accepted' | 'refused' | 'unknown' | 'cancelled'

export type Role = 'to' | 'cc' | 'bcc'

export interface EmailRow {
  id: string
  tenant: string
  created_by: string
  created_at: string
  /** When it goes out next. */
  due_at: string
  /** When it was first to go out: the date in its headers. */
  leaves_at: string
  state: EmailState
  /** Fixed before the first attempt, so that every copy of it that ever arrives is the same mail. */
  message_id: string
  /** Who sends it, as the card showed. */
  sender_name: string
  sender_address: string
  reply_to: string | null
  subject: string
  /** Markdown. */
  body: string
  project_id: string | null
  /** JSON of `SourceFile[]`: the versions that were confirmed. */
  attachments: string
  /** Idempotency key of the call. */
  run: string
  attempts: number
  owner: string | null
  lease_until: string | null
  /** 0 while it is in somebody's hands and certainly no byte of it has gone out. */
  begun: number | null
  ended_at: string | null
  failure_code: string | null
  failure_text: string | null
  version: number
}

export interface RecipientRow {
  email_id: string
  position: number
  tenant: string
  role: Role
  name: string | null
  /** As it goes to the server: the domain in ASCII. */
  address: string
  /** The same in lower case: who it is. */
  address_key: string
  domain: string
  state: RecipientState
  /** The server's words. */
  response: string | null
  /** The id under which the service that took the mail knows it, where that is not its Message-ID. */
  service_id: string | null
}

export interface ContactRow {
  id: string
  tenant: string
  name: string | null
  first_name: string | null
  last_name: string | null
  address: string
  address_key: string
  domain: string
  company: string | null
  note: string | null
  created_at: string
  /** Why mail to this address does not arrive, where a server has said so. */
  undeliverable: string | null
  version: number
}

/** Texts of a contact as they are compared (`folded.ts`). */
interface FoldedColumns {
  name_folded: string | null
  first_name_folded: string | null
  last_name_folded: string | null
  company_folded: string | null
  note_folded: string | null
  undeliverable_folded: string | null
}

export interface DraftRow {
  id: string
  tenant: string
  created_by: string
  created_at: string
  changed_at: string
  /** JSON of `DraftMail`. */
  mail_json: string
  version: number
}

export interface TemplateRow {
  id: string
  tenant: string
  name: string
  description: string | null
  /** Liquid. */
  subject: string
  /** Markdown with Liquid. */
  body: string
  /** JSON of names: what each call gives. */
  variables: string
  /** JSON of words by the name of their variable. */
  fallbacks: string
  created_at: string
  updated_at: string
  version: number
}

export interface SegmentRow {
  id: string
  tenant: string
  name: string
  description: string | null
  /** JSON of `Condition[]`, all of which hold of each of its contacts. */
  conditions: string
  created_at: string
  version: number
}

/** `paused`: by a person, or because the mail server takes nothing from here (`failure_code`). */
export type CampaignState = 'running' | 'paused' | 'stopped' | 'finished'

/** One confirmed `emails.bulk_send`. What it sends is frozen with it: template, values and recipients. */
export interface CampaignRow {
  id: string
  tenant: string
  created_by: string
  created_at: string
  /** Idempotency key of the call. */
  run: string
  template_id: string
  template_name: string
  segment_id: string
  segment_name: string
  /** Who sends it, as the card showed. */
  sender_name: string
  sender_address: string
  reply_to: string | null
  /** Liquid. */
  subject: string
  /** Markdown with Liquid. */
  body: string
  /** JSON of names. */
  variables: string
  /** JSON of words by the name of their variable. */
  fallbacks: string
  /** JSON of what the call gave, by the name of the variable. */
  given: string
  /** When it begins. */
  due_at: string
  /** When there is something to send next. */
  next_at: string
  state: CampaignState
  ended_at: string | null
  /** Why it rests, where the mail server takes nothing from here. */
  failure_code: string | null
  failure_text: string | null
  /** Since when its mail server takes nothing from anybody, where that may end by itself. */
  failing_since: string | null
  /** Moves with `state`, not with each mail. */
  version: number
}

/**
 * `sending`: marked before its first byte; whoever finds it so behind `lease_until` knows only that it may have gone out.
 * `skipped`: it was never offered to a mail server, `response` says why. `stopped`: neither, because a person stopped the campaign.
 */
export type CampaignMailState =
  | 'pending'
  | 'sending'
  | 'deferred'
  | 'accepted'
  | 'refused'
  | 'unknown'
  | 'skipped'
  | 'stopped'

/** One recipient of a campaign, as it was when that was confirmed. Its Message-ID is made of its key. */
export interface CampaignMailRow {
  campaign_id: string
  /** From 1, by address. */
  position: number
  tenant: string
  contact_id: string
  address: string
  address_key: string
  domain: string
  name: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  state: CampaignMailState
  /** The server's words, or why it is not sent. */
  response: string | null
  /** As of `RecipientRow`. */
  service_id: string | null
  attempts: number
  owner: string | null
  lease_until: string | null
  due_at: string
  ended_at: string | null
}

export interface MailTables {
  mail_emails: EmailRow
  mail_recipients: RecipientRow
  mail_contacts: ContactRow & FoldedColumns
  mail_drafts: DraftRow
  mail_templates: TemplateRow
  mail_segments: SegmentRow
  mail_campaigns: CampaignRow
  mail_campaign_mails: CampaignMailRow
  /** How fast mails have gone out lately: `mails` within `busy_ms`, which older ones weigh less in. One row. */
  mail_rates: { id: string; mails: number; busy_ms: number }
  /** How many recipients of a tenant got mail, or may have, in each minute of the last day. */
  mail_departures: { tenant: string; minute: string; recipients: number }
  /** One row for each tenant, which whoever adds a mail holds while recipients are counted. */
  mail_turns: { tenant: string; turns: number }
  mail_runs: RunRow
}

/** The database as this toolset sees it; inside a transaction it is that transaction. */
export type MailDatabase = Kysely<MailTables>

export type MailRecording = Recording<MailTables>
