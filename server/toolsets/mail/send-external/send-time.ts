// From whom and when something leaves stands on its card and not wholly in its arguments: the sender comes from the settings,
// and a time may have passed when a person signs. What they have not seen makes their confirmation stale.
import { spokenMoment } from '../../say.ts'
import type { MailWords } from '../words.ts'

export interface SendTime {
  /** Epoch milliseconds. */
  readonly at: number
  /** When, where that is later; ISO 8601. */
  readonly later: string | undefined
  /** The time at which it was to go out, where that has passed. */
  readonly missed: string | undefined
  /** For the basis of its confirmation. */
  readonly also: readonly string[]
}

/** When something leaves that was asked for at this moment. */
export function sendTimeOf(from: string, sendAt: string | undefined, now: number): SendTime {
  const at = sendAt === undefined ? now : Math.max(now, Date.parse(sendAt))
  const isLater = at > now
  return {
    at,
    later: isLater ? new Date(at).toISOString() : undefined,
    missed: isLater ? undefined : sendAt,
    also: [`from:${encodeURIComponent(from)}`, ...(sendAt === undefined ? [] : [isLater ? 'later' : 'now'])],
  }
}

/** What a card says of a time that has passed. */
export const missedInWords = ({ missed }: Pick<SendTime, 'missed'>, words: MailWords) =>
  missed === undefined ? [] : [{ title: words.missed.title(spokenMoment(missed)), text: words.missed.text }]
