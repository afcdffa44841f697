// A contract lists how its tool fails. A call of it can end in other ways, which are the server's and the same for all
// tools: refused at the call tool, not confirmed, stale. Whoever writes a client needs those codes as well, from the same table.
import type { Failure } from './failure.ts'
import { guidanceFor } from './table.ts'
import type { Outcome } from '../model/outcome.ts'

/** An error that this server itself answers with. */
export interface ServerFailure {
  /** `error.code` of the answer. */
  readonly code: string
  /** `status` of the answer. */
  readonly status: Outcome
  /** What it leaves behind. */
  readonly effect: 'none' | 'unknown'
  readonly guidance: string
  readonly retryable: 'no' | 'after_change' | 'after_wait'
}

/** Which calls can fail so. */
export interface CallsOf {
  readonly writes: boolean
  /** The tool is another server's. */
  readonly upstream: boolean
  /** Agents call it through a gateway's call tools and declare an intent. */
  readonly declaresIntent: boolean
}

interface Sample {
  readonly failure: Failure
  readonly status: Outcome
  readonly effect?: 'unknown'
  /** Where that of the table speaks of one call. */
  readonly guidance?: string
}

const intentCodes = ['intent_required', 'intent_invalid', 'intent_mismatch', 'annotation_mismatch']

/** One failure of each kind, as a call of this tool can meet it; every kind has its line. */
const samples = (tool: string, calls: CallsOf): { readonly [Kind in Failure['kind']]: readonly Sample[] } => {
  const where = (holds: boolean, sample: Sample): readonly Sample[] => (holds ? [sample] : [])
  const { writes, upstream } = calls
  const mayHaveRun = writes ? ({ effect: 'unknown' } as const) : {}
  return {
    'unknown-tool': [{ failure: { kind: 'unknown-tool', tool, near: [] }, status: 'refused' }],
    'invalid-arguments': [
      {
        failure: { kind: 'invalid-arguments', tool, fields: [] },
        status: 'refused',
        guidance: 'Change each argument in `field_errors` to what is allowed there.',
      },
    ],
    'unstable-contract': [
      { failure: { kind: 'unstable-contract', tool, pointer: '', problem: '' }, status: 'refused' },
    ],
    'not-permitted': [{ failure: { kind: 'not-permitted', tool, missing: [] }, status: 'refused' }],
    'too-many-calls': [
      {
        failure: { kind: 'too-many-calls', tool, counted: 'calls', perMinute: 0, retryAfterSeconds: 0 },
        status: 'refused',
        guidance: 'Wait for `retry_after_seconds`, then repeat the call unchanged.',
      },
    ],
    'plan-refused': where(writes, { failure: { kind: 'plan-refused', tool, reason: 'unknown' }, status: 'refused' }),
    intent: calls.declaresIntent
      ? intentCodes.map((code) => ({
          failure: { kind: 'intent', tool, code, message: '', details: {}, guidance: '' },
          status: 'refused',
          guidance: 'Declare the intent that fits the door, and take the door that `call_with` names.',
        }))
      : [],
    frozen: where(writes, { failure: { kind: 'frozen', tool, reason: '' }, status: 'refused' }),
    mismatch: where(writes, { failure: { kind: 'mismatch', tool, fields: [] }, status: 'mismatch' }),
    stale: where(writes, { failure: { kind: 'stale', tool }, status: 'stale' }),
    'proof-missing': where(writes, {
      failure: { kind: 'proof-missing', tool, needed: 'ticket', brought: 'none' },
      status: 'refused',
    }),
    'outcome-unknown': where(writes, {
      failure: { kind: 'outcome-unknown', tool, why: '' },
      status: 'outcome_unknown',
      effect: 'unknown',
    }),
    // Those are the contract's own.
    'tool-failed': [],
    'tool-crashed': [{ failure: { kind: 'tool-crashed', tool, during: 'preview', incident: '' }, status: 'failed' }],
    'bad-output': where(!writes, {
      failure: { kind: 'bad-output', tool, pointer: '', problem: '' },
      status: 'failed',
    }),
    'store-unavailable': [
      { failure: { kind: 'store-unavailable', tool, incident: '' }, status: 'failed', ...mayHaveRun },
    ],
    'server-unavailable': where(upstream, {
      failure: { kind: 'server-unavailable', tool, server: '', state: '', retryAfterSeconds: 0 },
      status: 'failed',
      guidance: 'Wait for `retry_after_seconds`, then repeat the call unchanged. Nothing was sent.',
    }),
    'login-needed': where(upstream, {
      failure: { kind: 'login-needed', tool, server: '', why: '', command: '', variables: [] },
      status: 'failed',
      guidance: 'Ask the person to run the command of the message in a terminal, then repeat the call unchanged.',
    }),
    // Those are of the card's tools.
    'not-your-card': [],
    internal: [{ failure: { kind: 'internal', tool, incident: '' }, status: 'failed', ...mayHaveRun }],
  }
}

/** Every error of this server's own that a call of the tool can end with. */
export const serverFailures = (tool: string, calls: CallsOf): readonly ServerFailure[] =>
  Object.values(samples(tool, calls)).flatMap((kind) =>
    kind.map(({ failure, status, effect, guidance }): ServerFailure => {
      const said = guidanceFor(failure)
      return {
        code: said.error_type,
        status,
        effect: effect ?? 'none',
        guidance: guidance ?? said.actionable_guidance.join(' '),
        retryable: said.retryable,
      }
    }),
  )
