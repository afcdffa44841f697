// What becomes of one contact of a segment: it gets a mail, or it gets none and why. Preview, campaign and list of recipients
// all ask here, so a recipient who was counted is one who gets it.
import { presenceOnly, longestPlain } from '../templates/presence.ts'
import { whyNot } from '../templates/samples.ts'
import type { Rendered, Template, TemplateText } from '../templates/template.ts'
import { undeliverableWords } from './start.ts'
import { fullName, isKnown, type Recipient, type Values } from '../templates/values.ts'

/** Of a contact, what decides. */
export interface Candidate extends Recipient {
  readonly undeliverable: string | null
}

export type Outcome =
  /** `absent`: variables of the recipient that the template uses and that are not known. */
  | { readonly kind: 'mail'; readonly absent: readonly string[] }
  | { readonly kind: 'undeliverable'; readonly reason: string }
  | { readonly kind: 'left-out'; readonly reason: string }

/** What a template asks a contact for; an address is always there. */
const asked = {
  first_name: ({ first_name: value }: Recipient) => value,
  last_name: ({ last_name: value }: Recipient) => value,
  name: fullName,
  company: ({ company: value }: Recipient) => value,
} as const
type Asked = keyof typeof asked

/** How outcomes are found of one template with what a call gives. */
export interface Outcomes {
  (candidate: Candidate): Outcome
  /** Whether the mail of each recipient is rendered for it, because what values are decides and not only which are there. */
  readonly renders: boolean
}

/** Reads a template once for all who may get a mail of it. */
export async function outcomesOf(template: Template, text: TemplateText, given: Values): Promise<Outcomes> {
  const staysSendable = await presenceOnly(text)
  const names = (Object.keys(asked) as Asked[]).filter((name) => template.uses.includes(name))
  const usesAddress = template.uses.includes('email')
  const absentOf = (recipient: Recipient): readonly Asked[] => names.filter((name) => !isKnown(asked[name](recipient)))
  const isLong = (recipient: Recipient): boolean =>
    (usesAddress && recipient.address.length > longestPlain) ||
    names.some((name) => (asked[name](recipient)?.length ?? 0) > longestPlain)

  const byAbsence = new Map<string, Outcome | 'as it renders'>()
  const ofAll = (absent: readonly Asked[]): Outcome | 'as it renders' => {
    const rendered = template.render(shortest(absent), given)
    return rendered.kind === 'mail' && staysSendable?.(rendered) !== true ? 'as it renders' : ended(rendered, absent)
  }
  const find = (candidate: Candidate): Outcome => {
    if (candidate.undeliverable !== null)
      return { kind: 'undeliverable', reason: undeliverableWords(candidate.undeliverable) }
    const absent = absentOf(candidate)
    if (staysSendable !== undefined && !isLong(candidate)) {
      const key = absent.join()
      const known = byAbsence.get(key) ?? ofAll(absent)
      byAbsence.set(key, known)
      if (known !== 'as it renders') return known
    }
    return ended(template.render(candidate, given), absent)
  }
  return Object.assign(find, { renders: staysSendable === undefined })
}

const ended = (rendered: Rendered, absent: readonly string[]): Outcome =>
  rendered.kind === 'mail' ? { kind: 'mail', absent } : { kind: 'left-out', reason: whyNot(rendered) }

/** Somebody of whom nothing else is missing. */
function shortest(absent: readonly Asked[]): Recipient {
  const value = (name: Asked): string | null => (absent.includes(name) ? null : 'x')
  return {
    first_name: value('first_name'),
    last_name: value('last_name'),
    // Not null, or it would be put together from the other two.
    name: value('name') ?? '',
    address: 'x@x.example',
    company: value('company'),
  }
}
