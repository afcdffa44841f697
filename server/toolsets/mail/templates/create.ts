// `templates.create`: nothing is sent by it, and everybody who gets a mail of it later reads these words.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { mailTool } from '../mail-tool.ts'
import { fieldsBlock, textValue } from '../../say.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { wordsIn, type MailWords } from '../words.ts'
import { nameTaken, neededInWords, templateFailures, tryTemplate } from './foresee.ts'
import { exampleName } from './samples.ts'
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
  describe({ sample, needed }, input, { language }) {
    const words = wordsIn(language)
    const { template } = words
    return {
      title: template.create(input.name),
      ...(input.description === undefined ? {} : { subtitle: input.description }),
      summary: template.createSummary(input.name, input.subject),
      blocks: [
        { kind: 'code', label: template.fields.subject, text: input.subject },
        { kind: 'code', label: template.fields.body, language: 'markdown', text: input.body },
        ...wordsBlock(textOf(input), words),
        sampleBlock(template.reads(exampleName), sample, words),
      ],
      effects: [template.canBeUsed, words.noMailByThis],
      warnings: neededInWords(needed, words),
      confirmLabel: template.createConfirm,
      details: { sample, variablesWithoutFallback: needed },
    }
  },
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
    success(_input, { template }, { language }) {
      const { template: words } = wordsIn(language)
      return {
        title: words.created(template.name),
        blocks: [
          fieldsBlock({
            [words.id]: textValue(template.templateId),
            [words.fields.subject]: textValue(template.subject),
          }),
        ],
      }
    },
  },
})

/** What a call gives, and what stands where a value is not known. */
function wordsBlock({ variables, fallbacks }: TemplateText, { template }: MailWords) {
  const given = Object.entries(fallbacks)
  if (variables.length === 0 && given.length === 0) return []
  return [
    fieldsBlock({
      [template.fields.variables]: variables.length === 0 ? undefined : textValue(variables.join(', ')),
      ...Object.fromEntries(given.map(([name, word]) => [template.without(name), textValue(word)])),
    }),
  ]
}
