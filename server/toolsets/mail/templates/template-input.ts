// What an agent may say of a template. Whether it can be rendered is said by `readTemplate`, in words for the person too.
import { z } from 'zod'
import { plain, plainOrBreak } from '../send-external/input.ts'

const hidden = 'must not have control characters'
const variable = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be a word in lower case, like "event_date"')

/** Values by the name of their variable, as a call gives them. */
export const givenValues = z.record(variable, z.string().max(1000))

const name = z
  .string()
  .min(1)
  .max(80)
  .refine(plain, hidden)
  .refine((text) => text.trim() === text, 'must not begin or end with a blank')
const description = z.string().min(1).max(500).refine(plain, hidden)
const subject = z
  .string()
  .min(1)
  .max(1000)
  .refine(plain, hidden)
  .describe('Liquid: "{{ first_name }}, your invitation". One line, at most 250 characters when it is rendered')
const body = z
  .string()
  .min(1)
  .max(30_000)
  .refine(plainOrBreak, hidden)
  .describe(
    'Markdown with Liquid. Variables of the recipient: first_name, last_name, name, email, company. Values are shown as text; in the address of a link they end with "| url_encode"',
  )
const variables = z
  .array(variable)
  .max(50)
  .refine((names) => new Set(names).size === names.length, 'must name each variable once')
  .describe('Names of what each call gives beside that, like "event_date"')
const fallbacks = z
  .record(variable, z.string().min(1).max(200).refine(plain, hidden))
  .describe(
    'Words for a value that is not known, by variable: {"first_name": "Hello"}. Without them that recipient gets no mail',
  )

export const createInput = z.strictObject({
  name: name.describe('By which people know it; each once'),
  subject,
  body,
  variables: variables.optional(),
  fallbacks: fallbacks.optional(),
  description: description.optional(),
})

export const templateId = z.string().min(1).max(40).describe('Id of a template, like "tp_…"; see templates_list')

export type TemplateField = 'name' | 'description' | 'subject' | 'body' | 'variables' | 'fallbacks'

export const updateInput = z.strictObject({
  templateId,
  name: name.optional(),
  subject: subject.optional(),
  body: body.optional(),
  variables: variables.optional().describe('All of them; those left out are removed'),
  fallbacks: fallbacks.optional().describe('All of them; those left out are removed'),
  description: description.nullable().optional().describe('null clears it'),
})
