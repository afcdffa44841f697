// How a template reads: for somebody who does not exist, for a contact, and for those of whom little is known.
import { renderBody } from '../send-external/body.ts'
import { wordsIn } from '../words.ts'
import type { Rendered, Template, TemplateText } from './template.ts'
import type { Recipient, Values } from './values.ts'

/** A mail as it is read, or why there is none, in English. */
export type Sample = { readonly subject: string; readonly text: string } | { readonly problem: string }

/** Somebody who does not exist. */
export const exampleName = 'Ann Lee'
export const example: Recipient = {
  first_name: 'Ann',
  last_name: 'Lee',
  name: exampleName,
  address: 'ann.lee@example.org',
  company: 'Example Ltd',
}

/** Somebody of whom there is an address and nothing else. */
export const stranger: Recipient = {
  first_name: null,
  last_name: null,
  name: null,
  address: 'someone@example.org',
  company: null,
}

/** For each variable of a call its name, where nobody has given a value. */
export const exampleValues = ({ variables }: Pick<TemplateText, 'variables'>): Values =>
  Object.fromEntries(variables.map((name) => [name, `(${name})`]))

/** The template as this recipient would read it. */
export async function sampleOf(template: Template, recipient: Recipient, given: Values): Promise<Sample> {
  const rendered = template.render(recipient, given)
  if (rendered.kind !== 'mail') return { problem: whyNot(rendered) }
  return { subject: rendered.subject, text: (await renderBody(rendered.body)).text }
}

export type Unsendable = Exclude<Rendered, { readonly kind: 'mail' }>

/** Why there is no mail, in a sentence. */
export const whyNot = (rendered: Unsendable, { reasons } = wordsIn('en')): string =>
  rendered.kind === 'missing' ? reasons.missing(rendered.variables) : reasons.trouble(rendered.trouble)
