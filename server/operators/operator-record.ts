// What operators do belongs into the same record as what agents do: who signed in, who failed to, who decided in whose
// right, who changed an account. One row each, of the source `operator`, finished when it is written.
import { redact, redactText } from '../policy/redact.ts'
import { noCall, type ActivityLog } from '../model/activity.ts'

interface OperatorAct {
  /** Who, by name; for a sign-in that failed, the name that was tried. */
  readonly who: string
  /** Whose record it belongs to; that of all tenants when absent. */
  readonly tenant: string | undefined
  /** How they came in: `session`, `admin-token`, `terminal` … */
  readonly via: string
  /** What they did: `operator.signed_in`, `approval.approved` … */
  readonly act: string
  /** False where it was tried and refused. */
  readonly done: boolean
  /** Nothing secret; redacted all the same. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly planId?: string | undefined
  readonly approvalId?: string | undefined
}

/** The tenant whose record holds what belongs to no single one. No principal is ever of it. */
export const operatorsTenant = '(operators)'

/** How it ended. */
export interface ActEnd {
  /** False where it was tried and refused. */
  readonly done: boolean
  /** What it came to, in a word. */
  readonly verdict?: string | undefined
  /** What there is now that was not before; redacted. */
  readonly result?: Readonly<Record<string, unknown>> | undefined
  /** Why it was refused. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** Writes down what somebody is about to do; answers how to say what came of it. Nothing is done that is not written. */
export async function beginAct(
  activityLog: Pick<ActivityLog, 'begin' | 'complete'>,
  act: Omit<OperatorAct, 'done'>,
): Promise<(end: ActEnd) => Promise<void>> {
  const entry = await activityLog.begin({
    principal: { tenant: act.tenant ?? operatorsTenant, subject: redactText(act.who).slice(0, 200) },
    client: act.via,
    source: 'operator',
    tool: act.act,
    ...noCall,
    auditEvent: act.act,
    args: JSON.stringify(redact(act.details ?? {})),
    notes: [],
  })
  return ({ done, verdict, result, error }) =>
    activityLog.complete(entry, {
      outcome: done ? 'ok' : 'refused',
      verdict,
      risk: undefined,
      planId: act.planId,
      approvalId: act.approvalId,
      durationMs: 0,
      result: result === undefined ? undefined : JSON.stringify(redact(result)),
      error: error && { ...error, message: redactText(error.message) },
    })
}

/** Writes down what has no effect that could be lost with its row: who came in, who failed to. All else is begun first. */
export async function recordAct(
  activityLog: Pick<ActivityLog, 'begin' | 'complete'>,
  { done, ...act }: OperatorAct,
): Promise<void> {
  const end = await beginAct(activityLog, act)
  await end({ done })
}
