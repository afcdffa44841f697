// Everything that is read of templates, as free functions with the database first.
import { z } from 'zod'
import { nearestByName } from '../nearest-by-name.ts'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import type { MailDatabase, TemplateRow } from '../schema.ts'
import type { TemplateText } from './template.ts'

/** A template as it is stored. */
export interface StoredTemplate extends TemplateText {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly updatedAt: string
  readonly version: number
}

const names = z.array(z.string())
const words = z.record(z.string(), z.string())

const stored = (row: TemplateRow): StoredTemplate => ({
  id: row.id,
  name: row.name,
  description: row.description,
  subject: row.subject,
  body: row.body,
  variables: names.parse(JSON.parse(row.variables)),
  fallbacks: words.parse(JSON.parse(row.fallbacks)),
  updatedAt: row.updated_at,
  version: row.version,
})

/** Those of a tenant by name, of which name, description and subject have every word of the query. */
export async function listTemplates(db: MailDatabase, tenant: string, query = ''): Promise<readonly StoredTemplate[]> {
  const rows = await db.selectFrom('mail_templates').selectAll().where('tenant', '=', tenant).orderBy('name').execute()
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.map(stored).filter(({ name, description, subject }) => {
    const text = `${name} ${description ?? ''} ${subject}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** A template of the caller's tenant, or the answer that names what comes close. */
export async function findTemplate(
  db: MailDatabase,
  ctx: ToolContext<'unknown_template'>,
  id: string,
): Promise<StoredTemplate | ToolFailed> {
  const { tenant } = ctx.principal
  const row = await db
    .selectFrom('mail_templates')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row !== undefined) return stored(row)
  const all = await listTemplates(db, tenant)
  const meant = nearestByName(id, all)
  return ctx.fail(
    'unknown_template',
    `There is no template “${id}”.${meant === undefined ? '' : ` Did you mean ${meant.id} (${meant.name})?`}`,
    {
      fields: [{ pointer: '/templateId', received: id, allowed: meant?.id ?? 'an id that templates_list answers' }],
      suggest: { tool: 'templates_list', arguments: {}, why: 'It lists the templates with their ids' },
    },
  )
}

/** Whether another template of the tenant has this name. */
export async function isTaken(db: MailDatabase, tenant: string, name: string, except = ''): Promise<boolean> {
  const row = await db
    .selectFrom('mail_templates')
    .select('id')
    .where('tenant', '=', tenant)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst()
  return row !== undefined
}
