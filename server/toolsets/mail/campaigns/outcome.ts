// What becomes of one contact of a segment: it gets a mail, or it gets none and why. Preview, campaign and list of recipients
// all ask here, so a recipient who was counted is one who gets it.
import { longestPlain, readingOf, type RecipientVariable } from '../templates/presence.ts'
import { whyNot, type Unsendable } from '../templates/samples.ts'
import type { Rendered, Template, TemplateText } from '../templates/template.ts'
import type { MailWords } from '../words.ts'
import { undeliverableWords } from './start.ts'
import { fullName, isKnown, recipientVariables, type Recipient, type Values } from '../templates/values.ts'

/** Of a contact, what decides. */
export interface Candidate extends Recipient {
  readonly undeliverable: string | null
}

export type Outcome =
  /** `absent`: variables of the recipient that the template uses and that are not known. */
  | { readonly kind: 'mail'; readonly absent: readonly string[] }
  | { readonly kind: 'undeliverable'; readonly reason: Reason }
  | { readonly kind: 'left-out'; readonly reason: Reason }

/** Why somebody gets no mail. */
export interface Reason {
  /** As it is kept with the campaign. */
  readonly english: string
  readonly why: Unsendable | { readonly kind: 'undeliverable'; readonly mark: string }
}

/** The same on a card. */
export const reasonInWords = ({ why }: Reason, words: MailWords): string =>
  why.kind === 'undeliverable' ? words.reasons.undeliverable(why.mark) : whyNot(why, words)

/** What a template asks a contact for. */
const asked: Readonly<Record<RecipientVariable, (recipient: Recipient) => string | null>> = {
  first_name: ({ first_name: value }) => value,
  last_name: ({ last_name: value }) => value,
  name: fullName,
  email: ({ address: value }) => value,
  company: ({ company: value }) => value,
}

/** How outcomes are found of one template with what a call gives. */
export interface Outcomes {
  (candidate: Candidate): Outcome
  /** Whether mails are rendered for many, because what values are decides and not only which are there. */
  readonly renders: boolean
}

/** Groups of recipients who are alike that are kept in mind. */
const mostGroups = 20_000

/** Reads a template once for all who may get a mail of it. */
export async function outcomesOf(template: Template, text: TemplateText, given: Values): Promise<Outcomes> {
  const { byValue, staysSendable } = await readingOf(text)
  const used = recipientVariables.filter((name) => template.uses.includes(name))
  const known = new Map<string, Outcome | 'as it renders'>()
  const ofGroup = (like: Recipient, absent: readonly RecipientVariable[]): Outcome | 'as it renders' => {
    const rendered = template.render(like, given)
    // Why one cannot be rendered may have a number in it.
    const holdsForAll = rendered.kind === 'missing' || (rendered.kind === 'mail' && staysSendable(rendered))
    return holdsForAll ? ended(rendered, absent) : 'as it renders'
  }
  const find = (candidate: Candidate): Outcome => {
    if (candidate.undeliverable !== null)
      return {
        kind: 'undeliverable',
        reason: {
          english: undeliverableWords(candidate.undeliverable),
          why: { kind: 'undeliverable', mark: candidate.undeliverable },
        },
      }
    let [key, isLong] = ['', false]
    const absent: RecipientVariable[] = []
    for (const name of used) {
      const value = asked[name](candidate)
      const isThere = isKnown(value)
      if (!isThere) absent.push(name)
      if (byValue.has(name)) key += `${value?.length ?? 0}:${value ?? ''}`
      else key += isThere ? '+' : '-'
      isLong ||= !byValue.has(name) && (value?.length ?? 0) > longestPlain
    }
    if (!isLong) {
      const outcome = known.get(key) ?? ofGroup(alike(candidate, byValue, absent), absent)
      if (known.size < mostGroups) known.set(key, outcome)
      if (outcome !== 'as it renders') return outcome
    }
    return ended(template.render(candidate, given), absent)
  }
  return Object.assign(find, { renders: byValue.size > 0 })
}

const ended = (rendered: Rendered, absent: readonly string[]): Outcome =>
  rendered.kind === 'mail'
    ? { kind: 'mail', absent }
    : { kind: 'left-out', reason: { english: whyNot(rendered), why: rendered } }

/** Somebody who has the same values where these matter, and of whom nothing else is missing. */
function alike(
  recipient: Recipient,
  byValue: ReadonlySet<RecipientVariable>,
  absent: readonly RecipientVariable[],
): Recipient {
  const value = (name: RecipientVariable): string | null =>
    byValue.has(name) ? asked[name](recipient) : absent.includes(name) ? null : 'x'
  return {
    first_name: value('first_name'),
    last_name: value('last_name'),
    // Not null, or it would be put together from the other two.
    name: value('name') ?? '',
    address: byValue.has('email') ? recipient.address : 'x@x.example',
    company: value('company'),
  }
}
