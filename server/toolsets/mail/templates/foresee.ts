// What creating and changing a template have in common: it is read, tried and found wanting in the same words.
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import { afterChange } from '../failures.ts'
import type { MailDatabase } from '../schema.ts'
import type { MailWords } from '../words.ts'
import { isTaken } from './queries.ts'
import { example, exampleValues, sampleOf, stranger, type Sample } from './samples.ts'
import { readTemplate, type Template, type TemplateProblem, type TemplateText } from './template.ts'

export const templateFailures = {
  invalid_template: afterChange(
    'Correct what the answer names; countersign://docs/mail#templates says what a template may have.',
  ),
  name_taken: afterChange('Take another name, or change the template that has it with templates_update.'),
}

/** A template that can be used, with how it reads. */
export interface Tried {
  readonly template: Template
  readonly sample: Sample
  /** Variables without which a recipient gets no mail. */
  readonly needed: readonly string[]
}

/** The template, or the failure that names all that is wrong with it. */
export async function tryTemplate(
  ctx: ToolContext<'invalid_template'>,
  text: TemplateText,
): Promise<Tried | ToolFailed> {
  const template = await readTemplate(text)
  if (!('render' in template)) return invalid(ctx, text, template)
  const sample = await sampleOf(template, example, exampleValues(text))
  if ('problem' in sample) return invalid(ctx, text, [{ field: 'body', problem: sample.problem }])
  const little = template.render(stranger, exampleValues(text))
  return { template, sample, needed: little.kind === 'missing' ? little.variables : [] }
}

const allowed: Readonly<Record<keyof TemplateText, string>> = {
  subject: 'a line with Liquid that can be rendered',
  body: 'Markdown with Liquid that can be rendered',
  variables: 'names that mean nothing else',
  fallbacks: 'words by the name of a variable',
}

const invalid = (
  ctx: ToolContext<'invalid_template'>,
  text: TemplateText,
  problems: readonly TemplateProblem[],
): ToolFailed =>
  ctx.fail('invalid_template', problems.map(({ field, problem }) => `${field}: ${problem}`).join(' '), {
    fields: [...new Set(problems.map(({ field }) => field))].map((field) => ({
      pointer: `/${field}`,
      received: text[field],
      allowed: allowed[field],
    })),
  })

/** The failure of a name that another template has. */
export async function nameTaken(
  db: MailDatabase,
  ctx: ToolContext<'name_taken'>,
  name: string,
  except?: string,
): Promise<ToolFailed | undefined> {
  if (!(await isTaken(db, ctx.principal.tenant, name, except))) return undefined
  return ctx.fail('name_taken', `There is a template “${name}” already.`, {
    fields: [{ pointer: '/name', received: name, allowed: 'a name that no other template has' }],
  })
}

/** Warns that some recipients would be left out. */
export const neededInWords = (
  needed: readonly string[],
  words: MailWords,
): readonly { readonly title: string; readonly text: string }[] =>
  needed.length === 0
    ? []
    : [
        {
          title: words.template.needed.title(needed.map(words.variable)),
          text: words.template.needed.text,
        },
      ]
