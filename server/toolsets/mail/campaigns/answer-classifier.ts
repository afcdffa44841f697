// What a mail server answers is about one recipient, or about everybody who would get mail by it. Only the first counts for
// the recipient; of the second the campaign rests, and no recipient is the worse for it.
import { answerTo, restOf, waitAfter } from '../outbox/attempts.ts'
import type { CampaignMailRow, CampaignRow } from '../schema.ts'
import type { RecipientAnswer, ServerFault } from '../transports/smtp.ts'
import type { MailOutcome } from './commit-batch.ts'
import type { Rest } from './schedule.ts'

/** So many recipients one after the other who are put off or refused are not each a case of its own. */
const mostInRow = 20
/** What a server says of a mailbox, and not of whoever sends to it (RFC 3463). */
const ofMailbox = /^\d{3}[ -]5\.[12]\.\d/

const codes: Readonly<Record<ServerFault, Rest['code']>> = {
  unreachable: 'mail_server_unreachable',
  defers: 'mail_server_defers',
  not_admitted: 'mail_server_refuses_us',
}

export type AnswerClassifier = ReturnType<typeof createAnswerClassifier>

/** Reads the answers of one campaign. */
export function createAnswerClassifier({ failing_since }: CampaignRow, now: () => number) {
  let since = failing_since
  let deferred: number[] = []
  let refusedInRow = 0
  let rest: Rest | undefined
  const iso = (ms: number): string => new Date(ms).toISOString()

  /** The server may take mail another time: it is asked less and less often, and at last a person is. */
  const restFor = (code: Rest['code'], text: string): void => {
    const { waitMs, isTooLong, inWords } = restOf(since === null ? now() : Date.parse(since), now())
    rest ??= isTooLong ? { code, text: `${inWords}: ${text}` } : { code, text, nextAt: iso(now() + waitMs) }
  }
  return {
    /** Why nothing more is begun, as far as that is known. */
    rest: (): Rest | undefined => rest,
    /** There is another reason. */
    restsFor: (reason: Rest): void => void (rest ??= reason),
    /** Those who were put off by a server that puts everybody off: it does not count for them. */
    putOff: (): readonly number[] => (rest?.code === 'mail_server_defers' ? deferred : []),
    /** As it was before it was marked. */
    asBefore: ({ position, attempts, response, due_at }: CampaignMailRow): MailOutcome => ({
      position,
      state: attempts === 0 ? 'pending' : 'deferred',
      response,
      attempts,
      dueAt: due_at,
    }),
    /** What the answer makes of the mail. */
    classify(mail: CampaignMailRow, { fault, ...answer }: RecipientAnswer): MailOutcome {
      if (fault !== undefined) {
        if (fault === 'not_admitted') rest ??= { code: codes[fault], text: answer.response }
        else restFor(codes[fault], answer.response)
        return this.asBefore(mail)
      }
      const attempts = mail.attempts + 1
      const { state, response, serviceId } = answerTo(answer, attempts)
      if (state === 'accepted') since = null
      deferred = state === 'deferred' ? [...deferred, mail.position] : []
      refusedInRow = answer.state === 'refused' && !ofMailbox.test(response) ? refusedInRow + 1 : 0
      if (deferred.length >= mostInRow) restFor('mail_server_defers', response)
      if (refusedInRow >= mostInRow) rest ??= { code: 'mail_server_refuses_all', text: response }
      const dueAt = state === 'deferred' ? iso(now() + (waitAfter(attempts) ?? 0)) : mail.due_at
      return { position: mail.position, state, response, serviceId, attempts, dueAt }
    },
  }
}
