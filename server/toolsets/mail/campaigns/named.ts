// What a call of `emails.bulk_send` names: a template and a segment that are there, and the values that the template asks for.
import { nearest } from '../../../errors/nearest.ts'
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { listed } from '../../say.ts'
import { readMailbox, type Mailbox } from '../addresses/address.ts'
import type { MailDatabase } from '../schema.ts'
import { findSegment, type AudienceFilter, type Segment } from '../segments/queries.ts'
import { findTemplate, type StoredTemplate } from '../templates/queries.ts'
import { readTemplate, type Template } from '../templates/template.ts'
import { known, type Values } from '../templates/values.ts'
import type { BulkInput } from './bulk-input.ts'

export type BulkContext = ToolContext<
  | 'invalid_recipient'
  | 'policy_violation'
  | 'rate_limit_exceeded'
  | 'unknown_template'
  | 'unknown_segment'
  | 'invalid_template'
  | 'invalid_values'
>

/** What a call names, found and read. */
export interface Named {
  readonly stored: StoredTemplate
  readonly template: Template
  readonly segment: Segment
  readonly given: Values
  readonly replyTo: Mailbox | undefined
}

/** The template, the segment and the values of a call, or which of them is wrong. */
export async function readNamed(
  db: MailDatabase,
  { templateId, segmentId, values = {}, replyTo: answers }: BulkInput,
  ctx: BulkContext,
): Promise<Named | ToolFailed> {
  const stored = await findTemplate(db, ctx, templateId)
  if (hasEnded(stored)) return stored
  const segment = await findSegment(db, ctx, segmentId)
  if (hasEnded(segment)) return segment
  const template = await readTemplate(stored)
  if (!('render' in template))
    return ctx.fail(
      'invalid_template',
      `The template “${stored.name}” cannot be used: ${template.map(({ problem }) => problem).join(' ')}`,
    )
  const replyTo = answers === undefined ? undefined : await readMailbox(answers)
  if (typeof replyTo === 'string')
    return ctx.fail('invalid_recipient', `${JSON.stringify(answers)} ${replyTo}.`, {
      fields: [{ pointer: '/replyTo', received: answers, allowed: 'one address that mail can be sent to' }],
    })
  return wrongValues(stored, template, values, ctx) ?? { stored, template, segment, given: known(values), replyTo }
}

/** The failure of a value that the template does not ask for, or that every mail is missing. */
function wrongValues(
  stored: StoredTemplate,
  template: Template,
  values: Values,
  ctx: BulkContext,
): ToolFailed | undefined {
  const { name, variables } = stored
  const unknown = Object.keys(values).filter((each) => !variables.includes(each))
  if (unknown.length > 0)
    return ctx.fail(
      'invalid_values',
      unknown
        .map((each) => {
          const [close] = nearest(each, variables, 1)
          const meant = close === undefined ? ` It asks for ${listed(variables) || 'none'}.` : ` Did you mean ${close}?`
          return `The template “${name}” asks the call for no ${each}.${meant}`
        })
        .join(' '),
      {
        fields: unknown.map((each) => ({
          pointer: `/values/${each}`,
          received: values[each],
          allowed: listed(variables) || 'nothing',
        })),
      },
    )
  const rendered = template.render(everything, values)
  const missing = rendered.kind === 'missing' ? rendered.variables.filter((each) => variables.includes(each)) : []
  if (missing.length === 0) return undefined
  return ctx.fail('invalid_values', `The template “${name}” needs ${listed(missing)}, and there is no fallback.`, {
    fields: missing.map((each) => ({ pointer: `/values/${each}`, received: values[each], allowed: 'a text' })),
  })
}

/** Somebody of whom everything is known. */
const everything = { first_name: 'x', last_name: 'x', name: 'x', company: 'x', address: 'x@x.example' }

/** Whom a call's segment means. */
export const audienceFilterOf = ({ principal: { tenant } }: BulkContext, { conditions }: Segment): AudienceFilter => ({
  tenant,
  conditions,
})
