// The rows about what a call needs and does not reach: the server behind that has the tool, and our own database.
import type { Failure } from './failure.ts'
import type { Row } from './row.ts'

/** The server behind has not listed its tools yet. */
export const serverAway = (failure: Extract<Failure, { kind: 'server-away' }>): Row => ({
  type: 'upstream_unavailable',
  category: 'upstream',
  message: `${failure.tool} was not called: its server, ${failure.server}, is not available.`,
  cause: `${failure.server} is ${failure.state}. Its tools are known once it has started.`,
  next: [
    `Wait ${failure.retryAfterSeconds} seconds, then repeat this call unchanged. Nothing was sent.`,
    'If that fails too, tell the person that the server is down.',
  ],
  fix: [{ kind: 'wait', seconds: failure.retryAfterSeconds, why: 'The server may be up by then.' }],
  retryable: 'after_wait',
  retryAfterSeconds: failure.retryAfterSeconds,
  rule: 'upstream.listed',
})

/** Our own database cannot be reached. */
export const storeUnavailable = (failure: Extract<Failure, { kind: 'store-unavailable' }>): Row => ({
  type: 'store_unavailable',
  category: 'server',
  message:
    failure.uncertain === true
      ? `Whether ${failure.tool} took effect is not certain: the server lost its database before it had the answer.`
      : `${failure.tool} was not run: the server cannot reach its own database.`,
  cause: `Without it no confirmation can be checked or recorded; the server's log has it as incident ${failure.incident}.`,
  next: [
    failure.uncertain === true
      ? 'Wait a moment and repeat this call: what was done already is not done twice, and the answer says what is.'
      : 'Wait a moment and repeat this call. Nothing was changed by this call.',
  ],
  fix: [{ kind: 'wait', seconds: 5, why: 'the database may come back' }],
  retryable: 'after_wait',
  retryAfterSeconds: 5,
  rule: 'store.available',
  confidence: 'likely',
})
