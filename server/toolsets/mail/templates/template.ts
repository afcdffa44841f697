// One way from a template and a recipient to a mail: what a preview shows and what is sent cannot differ.
import { nearest } from '../../../errors/nearest.ts'
import { isReadable, unreadable } from '../send-external/body.ts'
import { listed } from '../../say.ts'
import { readLiquid, type LiquidText, type TextParts } from './liquid.ts'
import { misplacedValues } from './placement.ts'
import { wordsIn } from '../words.ts'
import { known, recipientValues, recipientVariables, type Recipient, type Values } from './values.ts'

/** The longest that a mail may be; `emails.send_external` takes no longer one. */
export const longest = { subject: 250, body: 30_000 }

/** What makes a template. */
export interface TemplateText {
  readonly subject: string
  readonly body: string
  /** Variables that each call gives, beside those of the recipient. */
  readonly variables: readonly string[]
  /** What stands where a value is not known. */
  readonly fallbacks: Values
}

export interface Template {
  /** The variables that it uses. */
  readonly uses: readonly string[]
  /** The mail for one recipient, with what the call gives. */
  render(recipient: Recipient, given: Values): Rendered
}

export type Rendered =
  | {
      readonly kind: 'mail'
      readonly subject: string
      /** Markdown. */
      readonly body: string
      /** The same, of its parts. */
      readonly bodyParts: TextParts
      /** Variables for which a fallback stands. */
      readonly fallbacks: readonly string[]
    }
  /** Neither known nor replaced by a fallback. */
  | { readonly kind: 'missing'; readonly variables: readonly string[] }
  | {
      readonly kind: 'failed'
      /** In English. */
      readonly problem: string
      readonly trouble: RenderTrouble
    }

/** Why a mail cannot be rendered, for cards in any language. */
export type RenderTrouble = { readonly field: 'subject' | 'body' } & (
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly length: number; readonly most: number }
  /** Of these there is a sentence in English alone. */
  | { readonly kind: 'unreadable' | 'error'; readonly english: string }
)

function failedBy(trouble: RenderTrouble): Rendered {
  return { kind: 'failed', problem: wordsIn('en').reasons.trouble(trouble), trouble }
}

/** What is wrong with a template, by its field. */
export interface TemplateProblem {
  readonly field: keyof TemplateText
  readonly problem: string
}

/** Reads a template, or says all that is wrong with it. */
export async function readTemplate(text: TemplateText): Promise<Template | readonly TemplateProblem[]> {
  const subject = await readLiquid('subject', text.subject)
  const body = await readLiquid('body', text.body)
  const names = [...recipientVariables, ...text.variables]
  const problems: TemplateProblem[] = [
    ...(await wrongNames(text)),
    ...unknownIn('subject', subject, names),
    ...unknownIn('body', body, names),
  ]
  if (typeof body !== 'string')
    problems.push(...(await misplacedValues(text.body)).map((problem) => ({ field: 'body' as const, problem })))
  if (typeof subject === 'string' || typeof body === 'string' || problems.length > 0) return problems
  const uses = names.filter((name) => [...subject.variables, ...body.variables].includes(name))
  const ofCall = (given: Values): Values => Object.fromEntries(text.variables.map((name) => [name, given[name] ?? '']))
  return {
    uses,
    render: (recipient, given) =>
      render({ subject, body }, uses, text.fallbacks, { ...known(ofCall(given)), ...recipientValues(recipient) }),
  }
}

/** Names that cannot be used: of what a call gives, and of fallbacks. */
async function wrongNames({ variables, fallbacks }: TemplateText): Promise<readonly TemplateProblem[]> {
  const problems: TemplateProblem[] = []
  for (const name of variables) {
    // Some words mean something else in Liquid.
    const read = await readLiquid('subject', `{{ ${name} }}`)
    if ((recipientVariables as readonly string[]).includes(name))
      problems.push({ field: 'variables', problem: `“${name}” is a variable of the recipient; take another name.` })
    else if (typeof read === 'string' || read.variables[0] !== name)
      problems.push({ field: 'variables', problem: `“${name}” is no name for a variable.` })
  }
  const names = [...recipientVariables, ...variables]
  for (const name of Object.keys(fallbacks))
    if (!names.includes(name)) problems.push({ field: 'fallbacks', problem: unknownName(name, names) })
  return problems
}

const unknownIn = (
  field: 'subject' | 'body',
  text: LiquidText | string,
  names: readonly string[],
): readonly TemplateProblem[] =>
  typeof text === 'string'
    ? [{ field, problem: text }]
    : text.variables
        .filter((name) => !names.includes(name))
        .map((name) => ({ field, problem: unknownName(name, names) }))

function unknownName(name: string, names: readonly string[]): string {
  const [close] = nearest(name, names, 1)
  const unknown = `There is no variable “${name.slice(0, 60)}”`
  return close === undefined ? `${unknown}; there are ${listed(names)}.` : `${unknown}. Did you mean ${close}?`
}

function render(
  { subject, body }: Readonly<Record<'subject' | 'body', LiquidText>>,
  uses: readonly string[],
  fallbacks: Values,
  values: Values,
): Rendered {
  const replaced = uses.filter((name) => values[name] === undefined && fallbacks[name] !== undefined)
  const all = { ...fallbacks, ...values }
  const [first, second] = [complete(subject, all, uses), complete(body, all, uses)]
  const missing = [...new Set([...first.missing, ...second.missing])]
  if (missing.length > 0) return { kind: 'missing', variables: missing }
  for (const [field, { problem, text }] of [
    ['subject', first],
    ['body', second],
  ] as const) {
    if (problem !== undefined)
      return failedBy({ field, kind: 'error', english: `The ${field} cannot be rendered: ${problem}` })
    const most = longest[field]
    if (text.trim() === '') return failedBy({ field, kind: 'empty' })
    if (text.length > most) return failedBy({ field, kind: 'too-long', length: text.length, most })
  }
  if (!isReadable(second.text))
    return failedBy({ field: 'body', kind: 'unreadable', english: `The body ${unreadable}.` })
  return {
    kind: 'mail',
    subject: first.text.trim(),
    body: second.text.trim(),
    bodyParts: second.parts,
    fallbacks: replaced,
  }
}

const noParts: TextParts = { around: [''], values: [] }

/** The text, or every variable that it is missing: LiquidJS names the first, and is asked again as if that were there. */
function complete(text: LiquidText, values: Values, uses: readonly string[]) {
  const missing: string[] = []
  for (;;) {
    const answer = text.render({ ...values, ...Object.fromEntries(missing.map((name) => [name, '…'])) })
    if (answer.kind === 'text') return { text: answer.text, parts: answer, missing, problem: undefined }
    if (answer.kind === 'failed') return { text: '', parts: noParts, missing, problem: answer.problem }
    if (!uses.includes(answer.variable) || missing.includes(answer.variable))
      return { text: '', parts: noParts, missing, problem: `There is no variable “${answer.variable.slice(0, 60)}”.` }
    missing.push(answer.variable)
  }
}
