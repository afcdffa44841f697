// `contacts.search`.
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import type { MailDatabase } from '../schema.ts'
import { contactOut, contactView } from '../views.ts'
import { fold, foldedColumn } from './folded.ts'

export const searchContacts = (db: MailDatabase): Contract =>
  defineTool({
    name: 'contacts.search',
    title: 'Search contacts',
    description:
      'Contacts whose name, company or address has every word of the query, all of them without one, by address. `more` says that some were left out.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['contacts:read'],
    input: z.strictObject({
      query: z.string().max(200).optional().describe('Words, like "lee acme"'),
      undeliverable: z.boolean().optional().describe('Only those to whom mail does not arrive, or only the others'),
      limit: z.int().min(1).max(100).default(20),
    }),
    output: z.strictObject({ contacts: z.array(contactOut), more: z.boolean() }),
    failures: {},
    async run({ query = '', undeliverable, limit }, ctx) {
      let asked = db.selectFrom('mail_contacts').selectAll().where('tenant', '=', ctx.principal.tenant)
      for (const each of query.split(/\s+/).filter(Boolean).slice(0, 10)) {
        const like = (column: RawBuilder<unknown>, text: string) =>
          sql<boolean>`${column} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
        asked = asked.where((eb) =>
          eb.or([
            like(sql.ref('address_key'), each.toLowerCase()),
            ...(['name', 'first_name', 'last_name', 'company'] as const).map((field) =>
              like(foldedColumn(field), fold(each)),
            ),
          ]),
        )
      }
      if (undeliverable !== undefined) asked = asked.where('undeliverable', undeliverable ? 'is not' : 'is', null)
      const rows = await asked
        .orderBy('address_key')
        .limit(limit + 1)
        .execute()
      return { contacts: rows.slice(0, limit).map(contactView), more: rows.length > limit }
    },
  })
