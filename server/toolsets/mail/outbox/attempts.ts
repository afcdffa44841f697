// A mail server that refuses for now is asked again, a bounded number of times: greylisting lets a mail in at its second try.
import type { RecipientAnswer } from '../transports/smtp.ts'

/** Minutes until whoever was refused for now is asked again. */
const waits = [1, 5, 15, 60] as const

/** Milliseconds after so many attempts until the next one; nothing behind the last. */
export const waitAfter = (attempts: number): number | undefined => {
  const minutes = waits[attempts - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}

/** What an answer means that came to this attempt, counted from 1: behind the last one, later is never. */
export const answerTo = (answer: RecipientAnswer, attempt: number): RecipientAnswer =>
  answer.state === 'deferred' && waitAfter(attempt) === undefined
    ? { ...answer, state: 'refused', response: `Given up after ${waits.length + 1} attempts: ${answer.response}` }
    : answer
