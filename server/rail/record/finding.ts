// What went wrong with a call, as those who run the server count it: the class, the rule that explains it, and where none
// does, the error's fingerprint. An agent is told none of this.
import { fingerprintOf, isUnexplained } from '../../errors/unexplained.ts'
import type { Finding } from '../../model/finding.ts'
import { isErrorOutcome } from '../../model/outcome.ts'
import { redactText } from '../../policy/redact.ts'
import type { Answer } from '../answers/outcome.ts'
import type { Noticed } from '../call-context.ts'
import { hiderOf } from './marked-values.ts'

/** The error that the call ended with, or the program that it ran; `undefined` where there was none. */
export function findingOf(answer: Answer, noticed: Noticed): Finding | undefined {
  noticed.finding ??= found(answer, noticed) ?? null
  return noticed.finding ?? undefined
}

function found(answer: Answer, noticed: Noticed): Finding | undefined {
  const { guidance } = answer
  const finding = (errorType: string, rule: string, said: string | undefined): Finding => ({
    errorType,
    rule,
    ...(said === undefined ? {} : { unexplained: fingerprintOf(redactText(hiderOf({ noticed }).hide(said))) }),
  })
  // A read that hands on the error of another server has ended well, and the agent has met an error all the same.
  if (guidance !== undefined && (isErrorOutcome(answer.outcome) || answer.outcome === 'ok')) {
    const { rule } = guidance.evidence
    // An exception's own words are in the log alone; the answer names its incident. What another server says goes out as it
    // came, beside a sentence of ours that is the same for all of it.
    const said = noticed.said ?? noticed.thrown ?? `${guidance.message} ${guidance.cause}`
    return finding(guidance.error_type, rule, isUnexplained(rule) ? said : undefined)
  }
  const error = noticed.conclusion?.error
  return error === undefined ? undefined : finding(error.type, error.rule, error.unexplained)
}
