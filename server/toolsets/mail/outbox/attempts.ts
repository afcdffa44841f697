// A mail server that refuses for now is asked again, as other mail servers do it: soon at first, because greylisting lets a
// mail in at its second try, then every hour, and for four days (RFC 5321, section 4.5.4.1).
import { count } from '../../say.ts'
import type { RecipientAnswer } from '../transports/smtp.ts'

const minuteMs = 60_000
/** Minutes until whoever was refused for now is asked again; every hour behind these. */
const waits: readonly number[] = [1, 5, 15, 30]
const everyMinutes = 60
/** Attempts within four days. */
const most = 100

/** Milliseconds after so many attempts until the next one; nothing behind the last. */
export const waitAfter = (attempts: number): number | undefined =>
  attempts >= most ? undefined : (waits[attempts - 1] ?? everyMinutes) * minuteMs

/** What an answer means that came to this attempt, counted from 1: behind the last one, later is never. */
export const answerTo = (answer: RecipientAnswer, attempt: number): RecipientAnswer =>
  answer.state === 'deferred' && waitAfter(attempt) === undefined
    ? { ...answer, state: 'refused', response: `Given up after four days: ${answer.response}` }
    : answer

/** Until a server is asked again that takes nothing from anybody, in milliseconds. */
const rests = { leastMs: minuteMs, mostMs: 30 * minuteMs }
/** Days of that until it is for a person to decide. */
const mostDays = 4

/** How long nothing is asked of a server that has taken nothing since then: as long again as it has lasted. */
export function restOf(since: number, now: number) {
  const lasts = now - since
  return {
    waitMs: Math.min(rests.mostMs, Math.max(rests.leastMs, lasts)),
    isTooLong: lasts >= mostDays * 24 * 60 * minuteMs,
    inWords: `It has taken nothing for ${count(mostDays, 'day')}`,
  }
}
