// How a grant is spoken of: to the agent that may use it, and to the person who looks at the card.
import type { Cover } from '../authorize/grant-cover.ts'
import { cardWords, fill } from '../../cards/card-words.ts'
import type { Grant } from '../../model/grants.ts'

const periods = { hour: 'leftInHour', day: 'leftInDay', total: 'left' } as const

/** "12 of 20 left in a day". */
const leftText = ({ times, per }: Pick<Grant, 'times' | 'per'>, left: number, language = 'en'): string =>
  fill(cardWords(language)[periods[per]], String(left), String(times))

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** What stands on the card of a call that is covered. */
export function coveredNotice(
  { grant, left }: Cover,
  language: string,
): { readonly title: string; readonly text: string } {
  const { covered, coveredBy } = cardWords(language)
  const given = [grant.createdBy, grant.id, day(grant.until), leftText(grant, left, language)]
  return { title: covered, text: fill(coveredBy, ...given) }
}

/** What an agent is told of one that would cover the call. Why, operators read in their list and with the call. */
export const lapsedSentence = ({ id }: Pick<Grant, 'id'>): string =>
  `Grant ${id} would cover this call, but is suspended: the person who gave it could not give it today. An operator can see why with \`countersign grants show ${id}\`.`

/** What stands on the card of a call that ran under it, and so in its text. */
export function usedNotice(
  grant: Grant,
  left: number,
  language: string,
): { readonly title: string; readonly text: string } {
  const { under, underBy } = cardWords(language)
  return { title: fill(under, grant.id, leftText(grant, left, language)), text: fill(underBy, grant.createdBy) }
}

/** What an agent is told at the end of a preview that is covered, in place of "end your turn". */
export const coveredCoaching = (
  { grant, left }: Cover,
  called: string,
  names: { readonly ticket: string; readonly preview: string },
  planId: string,
): string =>
  [
    `Grant ${grant.id} covers this very call (${leftText(grant, left)}, until ${day(grant.until)}): nobody needs to confirm it.`,
    `If the user wants it done, call ${called} again with the same arguments and rationale, \`${names.ticket}="${planId}"\` and \`${names.preview}=false\`. For further calls like this one you may say \`${names.preview}=false\` at once, without a ticket.`,
  ].join(' ')

/** As the envelope carries it. */
export const coveringGrant = (grant: Grant, left: number): CoveringGrant => ({
  id: grant.id,
  left,
  times: grant.times,
  per: grant.per,
  until: new Date(grant.until).toISOString(),
})

export interface CoveringGrant {
  readonly id: string
  readonly left: number
  readonly times: number
  readonly per: 'hour' | 'day' | 'total'
  /** ISO 8601. */
  readonly until: string
}
