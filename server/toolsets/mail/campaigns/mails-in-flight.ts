// Mails that this process has marked: those of which it has no answer so far, and the answers that are still to be written
// down. No more are marked than the server takes in a moment: after a crash, those are the ones of which nobody knows.
import type { CampaignMailRow } from '../schema.ts'
import type { MailOutcome } from './commit-batch.ts'

/** Mails that are marked at a time, at most. */
const mostMarked = 64
/** So much of them has an answer, and the commit that writes that down marks as many others. */
const share = 3 / 4
/** How long an answer waits at least and at most for others to share a commit with, in milliseconds. */
const answerWait = { leastMs: 20, mostMs: 500 }
/** It waits by so much longer than a commit takes: on a slow disk, commits are not what all the time goes to. */
const waitPerCommit = 8

export type MailsInFlight = ReturnType<typeof createMailsInFlight>

/** Begins with a mail for each connection to the mail server. */
export function createMailsInFlight(connections: number) {
  const open = new Set<number>()
  let answers: MailOutcome[] = []
  let window = connections
  let answerWaitMs = answerWait.leastMs
  let enough = Promise.withResolvers<void>()
  let gathering: NodeJS.Timeout | undefined

  const gather = (): void => {
    if (answers.length >= window * share || open.size === 0) enough.resolve()
    else if (answers.length > 0) gathering ??= setTimeout(() => enough.resolve(), answerWaitMs)
  }
  return {
    /** Those without an answer. */
    open: (): readonly number[] => [...open],
    /** All that this process knows of. */
    known: (): readonly number[] => [...open, ...answers.map(({ position }) => position)],
    isEmpty: (): boolean => open.size === 0 && answers.length === 0,
    /** How many more may be marked. */
    room: (): number => Math.max(0, window - open.size),
    add: ({ position }: CampaignMailRow): unknown => open.add(position),
    answer(outcome: MailOutcome): void {
      open.delete(outcome.position)
      answers.push(outcome)
      gather()
    },
    /** The answers so far, which the caller writes down from here on. */
    takeAnswers(): readonly MailOutcome[] {
      const given = answers
      answers = []
      clearTimeout(gathering)
      gathering = undefined
      enough = Promise.withResolvers()
      return given
    },
    /** The mail server has answered for so many since the last commit, and that took so long. */
    adapt(taken: number, commitMs: number): void {
      // It grows while the server takes most of it in a moment, and shrinks to what it takes.
      window =
        taken >= window * share
          ? Math.min(mostMarked, window + connections)
          : Math.max(connections, Math.min(window, taken * 2))
      answerWaitMs = Math.min(answerWait.mostMs, Math.max(answerWait.leastMs, commitMs * waitPerCommit))
    },
    /** Resolves when there are answers for a commit: at once where these are many, else shortly after the first. */
    worthACommit(): Promise<void> {
      gather()
      return enough.promise
    },
  }
}
