// Who gets a mail of a campaign, counted once through everybody whom its segment means. It is the same for the same contacts,
// template and values, so it is kept for a while by the fingerprint of these: a preview and its confirmation count once.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { MailDatabase } from '../schema.ts'
import { audienceOf, type AudienceFilter } from '../segments/queries.ts'
import type { Candidate, Outcomes, Reason } from './outcome.ts'

/** A contact as far as a campaign is about it. */
export interface Contact extends Candidate {
  readonly id: string
  readonly address_key: string
  readonly domain: string
}

/** Somebody who gets no mail. */
export interface LeftOut {
  /** From 1, by address, among all whom the segment means. */
  readonly position: number
  readonly contact: Contact
  readonly reason: Reason
}

export interface Tally {
  /** All whom the segment means. */
  readonly recipients: number
  /** Who gets a mail. */
  readonly mails: number
  readonly undeliverable: number
  /** The first of those that are undeliverable. */
  readonly someUndeliverable: readonly LeftOut[]
  /** Everybody else who gets none. */
  readonly leftOut: readonly LeftOut[]
  /** Of those who get a mail: how many lack a variable that the template uses, by its name. */
  readonly absent: ReadonlyMap<string, number>
  /** Of those who get a mail, by domain. */
  readonly domains: ReadonlyMap<string, number>
  /** How many names look like an address to which the mail does not go, and the first of them. */
  readonly misnamed: number
  readonly firstMisnamed: Contact | undefined
  /** One of whom nothing is missing and one of whom something is; two of the same kind where there is no other. */
  readonly samples: readonly Contact[]
}

/** Contacts that are read at a time. */
const chunk = 5000
/** Undeliverable ones that a card names. */
const named = 50

const audience = (db: MailDatabase, meant: AudienceFilter) => audienceOf(db, meant).orderBy('address_key')

/** Of the ids and versions of everybody whom a segment means. */
export async function fingerprintOf(db: MailDatabase, meant: AudienceFilter): Promise<string> {
  const each = audience(db, meant)
    .select(sql<string>`id || '@' || version`.as('row'))
    .as('each')
  const { rows } = await db
    .selectFrom(each)
    .select(sql<string | null>`string_agg(each.row, ' ')`.as('rows'))
    .executeTakeFirstOrThrow()
  return createHash('sha256')
    .update(rows ?? '')
    .digest('hex')
}

const contacts = (db: MailDatabase, meant: AudienceFilter) =>
  audience(db, meant).select([
    'id',
    'address',
    'address_key',
    'domain',
    'name',
    'first_name',
    'last_name',
    'company',
    'undeliverable',
  ])

/** One of them, by the key of the address. */
export const contactAt = (db: MailDatabase, meant: AudienceFilter, key: string): Promise<Contact | undefined> =>
  contacts(db, meant).where('address_key', '=', key).executeTakeFirst()

/** A page of them by address, after that of the contact before. */
export async function pageOf(
  db: MailDatabase,
  meant: AudienceFilter,
  after: string,
  limit: number,
): Promise<readonly Contact[]> {
  return contacts(db, meant).where('address_key', '>', after).limit(limit).execute()
}

/** Counts everybody, some thousands at a time; others have their turn in between. */
export async function tally(
  db: MailDatabase,
  meant: AudienceFilter,
  outcomes: Outcomes,
  signal: AbortSignal,
): Promise<Tally> {
  const found = {
    recipients: 0,
    mails: 0,
    undeliverable: 0,
    someUndeliverable: [] as LeftOut[],
    leftOut: [] as LeftOut[],
    absent: new Map<string, number>(),
    domains: new Map<string, number>(),
    misnamed: 0,
    firstMisnamed: undefined as Contact | undefined,
  }
  const whole: Contact[] = []
  const partial: Contact[] = []
  const count = (counts: Map<string, number>, name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1)
  const add = (contact: Contact): void => {
    const outcome = outcomes(contact)
    const position = (found.recipients += 1)
    switch (outcome.kind) {
      case 'undeliverable':
        found.undeliverable += 1
        if (found.someUndeliverable.length < named)
          found.someUndeliverable.push({ position, contact, reason: outcome.reason })
        return
      case 'left-out':
        found.leftOut.push({ position, contact, reason: outcome.reason })
        return
      case 'mail': {
        found.mails += 1
        count(found.domains, contact.domain)
        for (const name of outcome.absent) count(found.absent, name)
        if (isMisnamed(contact)) {
          found.misnamed += 1
          found.firstMisnamed ??= contact
        }
        const alike = outcome.absent.length === 0 ? whole : partial
        if (alike.length < 2) alike.push(contact)
        return
      }
      default:
        outcome satisfies never
    }
  }
  for (let after = ''; ;) {
    const page = await pageOf(db, meant, after, chunk)
    for (const [at, contact] of page.entries()) {
      // A mail that is rendered takes some hundredths of a millisecond.
      if (outcomes.renders && at % 250 === 249) await nextTurn()
      add(contact)
    }
    signal.throwIfAborted()
    const last = page.at(-1)
    if (last === undefined || page.length < chunk) break
    after = last.address_key
    await nextTurn()
  }
  return {
    ...found,
    samples: [...whole.slice(0, 1), ...partial.slice(0, 1), ...whole.slice(1), ...partial.slice(1)].slice(0, 2),
  }
}

const isMisnamed = ({ name, address_key: key }: Contact): boolean =>
  name?.includes('@') === true && !name.toLowerCase().includes(key)
