// `templates.create`: nothing is sent by it, and everybody who gets a mail of it later reads these words.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { mailTool } from '../mail-tool.ts'
import { fieldsBlock, textValue } from '../../say.ts'
import { hasEnded } from '../../rehearsal.ts'
import { nameTaken, neededInWords, templateFailures, tryTemplate } from './foresee.ts'
import { createInput } from './template-input.ts'
import type { TemplateText } from './template.ts'
import { sampleBlock, templateOut, templateView } from './views.ts'

type Input = z.infer<typeof createInput>

const textOf = ({ subject, body, variables = [], fallbacks = {} }: Input): TemplateText => ({
  subject,
  body,
  variables,
  fallbacks,
})

/** `templates.create`. */
export const createTemplate = mailTool({
  name: 'templates.create',
  transactional: true,
  title: 'Create a template',
  noun: 'the new template',
  description:
    'Creates a template for mails: subject and Markdown body with Liquid ({{ first_name }}, {% if company %}…{% endif %}). It is checked and tried first; nothing is sent.',
  category: 'communication',
  operation: 'write',
  risk: 'medium',
  permissions: ['templates:write'],
  input: createInput,
  output: z.strictObject({ template: templateOut }),
  failures: templateFailures,
  sideEffects: [{ what: 'A template is added', onRepeat: 'Nothing: its name is taken' }],
  raced: ['name_taken'],
  async foresee(db, input, ctx) {
    const taken = await nameTaken(db, ctx, input.name)
    if (taken !== undefined) return taken
    const tried = await tryTemplate(ctx, textOf(input))
    return hasEnded(tried) ? tried : { ...tried, seen: [], also: [`free:${encodeURIComponent(input.name)}`] }
  },
  describe: ({ sample, needed }, input) => ({
    title: `Create the template “${input.name}”`,
    ...(input.description === undefined ? {} : { subtitle: input.description }),
    summary: `Creates the template “${input.name}” with the subject “${input.subject}”.`,
    blocks: [
      { kind: 'code', label: 'Subject', text: input.subject },
      { kind: 'code', label: 'Body', language: 'markdown', text: input.body },
      ...wordsBlock(textOf(input)),
      sampleBlock('How it reads, for example to Ann Lee', sample),
    ],
    effects: ['The template can be used for mails from then on', 'Nobody gets a mail by this'],
    warnings: neededInWords(needed),
    confirmLabel: 'Create template',
    details: { sample, variablesWithoutFallback: needed },
  }),
  async carryOut(transaction, _, input, ctx) {
    const now = new Date(ctx.now()).toISOString()
    const text = textOf(input)
    const template = {
      ...text,
      id: `tp_${randomBytes(10).toString('hex')}`,
      name: input.name,
      description: input.description ?? null,
      updatedAt: now,
      version: 1,
    }
    await transaction
      .insertInto('mail_templates')
      .values({
        id: template.id,
        tenant: ctx.principal.tenant,
        name: template.name,
        description: template.description,
        subject: text.subject,
        body: text.body,
        variables: JSON.stringify(text.variables),
        fallbacks: JSON.stringify(text.fallbacks),
        created_at: now,
        updated_at: now,
        version: 1,
      })
      .execute()
    return { template: templateView(template) }
  },
  cards: {
    success: (_input, { template }) => ({
      title: `Template “${template.name}” created`,
      blocks: [fieldsBlock({ Id: textValue(template.templateId), Subject: textValue(template.subject) })],
    }),
  },
})

/** What a call gives, and what stands where a value is not known. */
function wordsBlock({ variables, fallbacks }: TemplateText) {
  const words = Object.entries(fallbacks)
  if (variables.length === 0 && words.length === 0) return []
  return [
    fieldsBlock({
      'Each call gives': variables.length === 0 ? undefined : textValue(variables.join(', ')),
      ...Object.fromEntries(words.map(([name, word]) => [`Without ${name}`, textValue(word)])),
    }),
  ]
}
