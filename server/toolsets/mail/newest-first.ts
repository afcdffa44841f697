// Lists of what was made by calls: the newest first, in pages that go on behind their last row whatever is added meanwhile.
import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import type { MailDatabase, MailTables } from './schema.ts'

type Listed = 'mail_emails' | 'mail_campaigns' | 'mail_drafts'

export interface NewestFirst {
  /** `next` of the page before. */
  readonly before: string | undefined
  readonly limit: number
  /** Which of them. */
  readonly where?: Expression<SqlBool> | undefined
}

/** A page of a tenant's rows of one table, and what continues it where there are more. */
export async function newestFirst<T extends Listed>(
  db: MailDatabase,
  table: T,
  tenant: string,
  { before, limit, where }: NewestFirst,
): Promise<{ readonly page: readonly Selectable<MailTables[T]>[]; readonly more: { readonly next?: string } }> {
  const [at = '', id = ''] = before?.split(' ') ?? []
  const found = await db
    // Of each of them these columns are asked for.
    .selectFrom(table as 'mail_drafts')
    .selectAll()
    .where('tenant', '=', tenant)
    .$if(where !== undefined, (query) => query.where(where ?? sql.lit(true)))
    .$if(before !== undefined, (query) => query.where(sql<SqlBool>`(created_at, id) < (${at}, ${id})`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    page: page as unknown as readonly Selectable<MailTables[T]>[],
    more: found.length === page.length || last === undefined ? {} : { next: `${last.created_at} ${last.id}` },
  }
}
