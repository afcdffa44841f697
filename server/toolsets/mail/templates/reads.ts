// The reads of templates: which there are, and how one reads for a contact.
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import { afterChange } from '../failures.ts'
import type { MailDatabase } from '../schema.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { inWords } from '../views.ts'
import { findTemplate, listTemplates } from './queries.ts'
import { example, exampleValues, sampleOf } from './samples.ts'
import { givenValues, templateId } from './template-input.ts'
import { readTemplate } from './template.ts'
import { fullName, recipientVariables } from './values.ts'
import { sampleOut, templateOut, templateView } from './views.ts'

/** `templates.list`. */
export const listTool = (db: MailDatabase): Contract =>
  defineTool({
    name: 'templates.list',
    title: 'List templates',
    description: 'Lists templates for mails by name, optionally those with every word of the query.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['templates:read'],
    input: z.strictObject({
      query: z.string().max(100).optional().describe('Words of name, description or subject'),
      limit: z.int().min(1).max(200).default(50),
    }),
    output: z.strictObject({
      templates: z.array(templateOut.omit({ body: true, fallbacks: true, variables: true })),
      more: z.boolean(),
    }),
    failures: {},
    async run({ query, limit }, ctx) {
      const found = await listTemplates(db, ctx.principal.tenant, query)
      return {
        templates: found.slice(0, limit).map((template) => {
          const { body: _, fallbacks: __, variables: ___, ...view } = templateView(template)
          return view
        }),
        more: found.length > limit,
      }
    },
  })

/** `templates.get`. */
export const getTool = (db: MailDatabase): Contract =>
  defineTool({
    name: 'templates.get',
    title: 'Get a template',
    description:
      'One template with the variables that it uses, and a mail as it would read: for a contact with contactId, else for somebody who does not exist. values are what a call would give.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['templates:read', 'contacts:read'],
    input: z.strictObject({
      templateId,
      contactId: z.string().min(1).max(40).optional().describe('Id of a contact; see contacts_search'),
      values: givenValues.optional().describe('{"event_date": "28 November"}'),
    }),
    output: z.strictObject({
      template: templateOut,
      uses: z.array(
        z.strictObject({ variable: z.string(), from: z.enum(['recipient', 'call']), fallback: z.string().optional() }),
      ),
      sample: sampleOut,
    }),
    failures: {
      unknown_template: afterChange('Look the template up with templates_list and use its id.'),
      unknown_contact: afterChange('Look the contact up with contacts_search and use its id.'),
    },
    async run({ templateId: id, contactId, values }, ctx) {
      const stored = await findTemplate(db, ctx, id)
      if (hasEnded(stored)) return stored
      const contact = contactId === undefined ? example : await contactOf(db, ctx.principal.tenant, contactId)
      if (contact === undefined)
        return ctx.fail('unknown_contact', `There is no contact “${contactId}”.`, {
          fields: [{ pointer: '/contactId', received: contactId, allowed: 'an id that contacts_search answers' }],
        })
      const template = await readTemplate(stored)
      const readable = 'render' in template
      return {
        template: templateView(stored),
        uses: (readable ? template.uses : []).map((variable) => ({
          variable,
          from: (recipientVariables as readonly string[]).includes(variable)
            ? ('recipient' as const)
            : ('call' as const),
          ...(stored.fallbacks[variable] === undefined ? {} : { fallback: stored.fallbacks[variable] }),
        })),
        sample: {
          to: inWords({ ...contact, name: fullName(contact) }),
          ...(readable
            ? await sampleOf(template, contact, values ?? exampleValues(stored))
            : { problem: template.map(({ problem }) => problem).join(' ') }),
        },
      }
    },
  })

const contactOf = (db: MailDatabase, tenant: string, id: string) =>
  db.selectFrom('mail_contacts').selectAll().where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst()
