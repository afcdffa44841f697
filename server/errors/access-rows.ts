// The rows about who calls and how often: what the caller may not do, and what it does too much of.
import type { Failure } from './failure.ts'
import { tellOperators, type Row } from './row.ts'

/** The caller lacks permissions that the tool asks for. */
export const notPermitted = (failure: Extract<Failure, { kind: 'not-permitted' }>): Row => ({
  type: 'permission_denied',
  category: 'permission',
  message: `You may not call ${failure.tool}.`,
  cause: `Missing: ${failure.missing.join(', ')}.`,
  next: ['Ask an operator for the permission, or use another tool. Nothing was changed.', tellOperators],
  fix: [{ kind: 'ask_person', question: `May this agent have ${failure.missing.join(', ')}?` }],
  retryable: 'no',
  rule: 'contract.permissions',
})

/** The caller has used up what it may call in a minute. */
export const tooManyCalls = (failure: Extract<Failure, { kind: 'too-many-calls' }>): Row => {
  const what = failure.counted === 'writes' ? 'calls of tools that change something' : 'calls'
  return {
    type: 'too_many_calls',
    category: 'permission',
    message: `${failure.tool} was not called: you have made more than ${failure.perMinute} ${what} in a minute.`,
    cause: 'The operators limit how often one caller may call. Nothing was changed.',
    next: [
      `Wait ${failure.retryAfterSeconds} seconds, then repeat this call unchanged.`,
      'Make no other calls until then: they would be refused as well.',
    ],
    fix: [{ kind: 'wait', seconds: failure.retryAfterSeconds, why: 'The limit counts by the minute.' }],
    retryable: 'after_wait',
    retryAfterSeconds: failure.retryAfterSeconds,
    rule: `limits.${failure.counted}_per_minute`,
  }
}
