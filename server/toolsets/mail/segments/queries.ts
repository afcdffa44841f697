// Everything that is read of segments, as free functions with the database first.
import { sql } from 'kysely'
import { z } from 'zod'
import { nearestByName } from '../nearest-by-name.ts'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import type { ContactRow, MailDatabase, SegmentRow } from '../schema.ts'
import { condition, holds, type Condition } from './condition.ts'

export interface Segment {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly conditions: readonly Condition[]
  readonly createdAt: string
  readonly version: number
}

const stored = ({ id, name, description, conditions, created_at, version }: SegmentRow): Segment => ({
  id,
  name,
  description,
  conditions: z.array(condition).parse(JSON.parse(conditions)),
  createdAt: created_at,
  version,
})

/** Those of a tenant, by name. */
export async function listSegments(db: MailDatabase, tenant: string): Promise<readonly Segment[]> {
  const rows = await db.selectFrom('mail_segments').selectAll().where('tenant', '=', tenant).orderBy('name').execute()
  return rows.map(stored)
}

/** A segment of the caller's tenant, or the answer that names what comes close. */
export async function findSegment(
  db: MailDatabase,
  ctx: ToolContext<'unknown_segment'>,
  id: string,
): Promise<Segment | ToolFailed> {
  const all = await listSegments(db, ctx.principal.tenant)
  const found = all.find((each) => each.id === id)
  if (found !== undefined) return found
  const meant = nearestByName(id, all)
  return ctx.fail(
    'unknown_segment',
    `There is no segment “${id}”.${meant === undefined ? '' : ` Did you mean ${meant.id} (${meant.name})?`}`,
    {
      fields: [{ pointer: '/segmentId', received: id, allowed: meant?.id ?? 'an id that segments_list answers' }],
      suggest: { tool: 'segments_list', arguments: {}, why: 'It lists the segments with their ids' },
    },
  )
}

/** Whom a segment means. */
export interface AudienceFilter {
  readonly tenant: string
  readonly conditions: readonly Condition[]
}

/** The contacts whom a segment means: who counts them, lists them and copies them asks here, or the numbers would differ. */
export const audienceOf = (db: MailDatabase, { tenant, conditions }: AudienceFilter) =>
  db.selectFrom('mail_contacts').where('tenant', '=', tenant).where(holds(conditions))

/** Whom a mail to a segment would reach. */
export interface Audience {
  readonly count: number
  readonly withoutFirstName: number
  /** Their addresses are marked, and no mail goes there. */
  readonly undeliverable: number
  /** The domains with most of them. */
  readonly domains: readonly { readonly domain: string; readonly count: number }[]
  readonly domainCount: number
}

const mostDomains = 20

/** Counts the contacts of whom all conditions hold, in two statements however many they are. */
export async function countAudience(db: MailDatabase, meant: AudienceFilter): Promise<Audience> {
  const contacts = audienceOf(db, meant)
  const sums = await contacts
    .select((eb) => [
      eb.fn.countAll<number | string>().as('count'),
      sql<number | string | null>`sum(case when coalesce(first_name, '') = '' then 1 else 0 end)`.as('nameless'),
      sql<number | string | null>`sum(case when undeliverable is null then 0 else 1 end)`.as('undeliverable'),
      sql<number | string>`count(distinct domain)`.as('domains'),
    ])
    .executeTakeFirstOrThrow()
  const domains = await contacts
    .select((eb) => ['domain', eb.fn.countAll<number | string>().as('count')])
    .groupBy('domain')
    .orderBy('count', 'desc')
    .orderBy('domain')
    .limit(mostDomains)
    .execute()
  return {
    count: Number(sums.count),
    withoutFirstName: Number(sums.nameless ?? 0),
    undeliverable: Number(sums.undeliverable ?? 0),
    domains: domains.map(({ domain, count }) => ({ domain, count: Number(count) })),
    domainCount: Number(sums.domains),
  }
}

/** A page of them by address, after that of the contact before. */
export async function pageOfAudience(
  db: MailDatabase,
  meant: AudienceFilter,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly ContactRow[]> {
  return audienceOf(db, meant)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('address_key', '>', after ?? ''))
    .orderBy('address_key')
    .limit(limit)
    .execute()
}
