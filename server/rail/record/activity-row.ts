// A call that is not written down has not been allowed to happen: the row comes first, and without it nothing runs. What
// changes nothing may go ahead meanwhile, but its answer is not given out without the row; and how it ended is written
// while the answer is on its way already.
import { UnreadArguments } from '../../errors/unread-arguments.ts'
import { redact, redactText } from '../../policy/redact.ts'
import type { Tool } from '../../tools/catalog.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import type { Contract } from '../../tools/contract.ts'
import type {
  Declaration,
  DeclaredIntent,
  Effect,
  ActivityLog,
  ActivityCompletion,
  ActivityEntry,
} from '../../model/activity.ts'
import { declaredGuidance, type Answer } from '../answers/outcome.ts'
import { applyPlanName } from '../apply/apply-plan.ts'
import { isBundleTool, secretsOfCalls } from '../bundles/bundle-contract.ts'
import { isErrorOutcome, type Outcome } from '../../model/outcome.ts'
import type { CallContext, CallRow, Noticed } from '../call-context.ts'
import type { Engine } from '../engine.ts'
import { findingOf } from './finding.ts'
import { withoutMarked } from './loggable.ts'
import { hiderOf } from './marked-values.ts'

/** Writes a call's row, does its work, and completes the row. A crash in between leaves the row visibly open. */
export async function withActivityRow<C extends CallContext>(
  call: C,
  work: (call: C) => Promise<Answer>,
): Promise<Answer> {
  const { engine, named, request } = call
  const { activityLog } = engine
  if (activityLog === undefined) return work(call)
  const started = request.since ?? engine.now()
  const contract = named?.contract
  const begun = activityLog.start(() => entryOf(call), effectOf(contract))
  const row: CallRow = { ...begun, started }
  if (contract === undefined || !mayStartBeforeRow(contract)) await row.written
  const [written, done] = await Promise.allSettled([row.written, work({ ...call, row })])
  // Nothing is claimed without its row, unless the database could not say whether that was written.
  if (written.status === 'rejected' && (done.status === 'rejected' || row.hasClaimed !== true)) throw written.reason
  if (done.status === 'rejected') throw done.reason
  return finishRow(call, activityLog, row, done.value)
}

/** Adds an event to the call's row, where it has one. */
export async function rowEvent({ engine, row }: CallContext, name: string, data: unknown): Promise<void> {
  if (row !== undefined) await engine.activityLog?.event(row.id, { name, data: JSON.stringify(data) })
}

/**
 * What a tool of ours does in a read may be an event of its row; somebody else's tool has none, and its read changes
 * nothing. A write of ours changes nothing before its plan is claimed, and that is written after the row; somebody else's may
 * be sent a call for its preview.
 */
const mayStartBeforeRow = (contract: Contract): boolean =>
  contract.operation === 'read'
    ? contract.passes === true && riskAtMost(contract.risk) === 'low'
    : contract.wire === undefined

/** Outcomes after which something may have changed: that is on record before anybody is told. */
const effectfulOutcomes: ReadonlySet<Outcome> = new Set(['applied', 'failed', 'outcome_unknown', 'running'])

const isEffectful = ({ outcome, contract }: Answer): boolean =>
  effectfulOutcomes.has(outcome) && contract?.operation !== 'read'

/** Completes the row: at once where it matters, else behind the answer's back. */
async function finishRow(call: CallContext, activityLog: ActivityLog, row: CallRow, answer: Answer): Promise<Answer> {
  if (row.isComplete === true) return answer
  row.isComplete = true
  const completing = complete(call, activityLog, row, answer)
  if (isEffectful(answer)) await completing
  else call.engine.running?.(completing)
  return answer
}

async function complete(call: CallContext, activityLog: ActivityLog, row: CallRow, answer: Answer): Promise<void> {
  try {
    await activityLog.complete(row.id, completionOf(call, row, answer), isEffectful(answer) ? 'soon' : 'idle')
  } catch (error) {
    // The call is over and its answer is true; the open row says that its end was not recorded.
    call.engine.report(error, 'completing an activity row')
  }
}

/** How a row ends with this answer, made when it is written. Its duration is that of now. */
export function completionOf(
  { engine, noticed }: CallContext,
  { started }: CallRow,
  answer: Answer,
): () => ActivityCompletion {
  const durationMs = Math.max(0, engine.now() - started)
  return () => completionWith(answer, noticed, durationMs)
}

function completionWith(answer: Answer, noticed: Noticed, durationMs: number): ActivityCompletion {
  const guidance = declaredGuidance(answer)
  const hider = hiderOf({ noticed })
  return {
    outcome: answer.outcome,
    verdict: answer.verdict,
    risk: answer.risk,
    planId: answer.planId,
    approvalId: answer.approval?.id ?? answer.approvalId,
    durationMs,
    result:
      answer.result === undefined
        ? undefined
        : recordable(withoutMarked(answer.result, hider), answer.contract?.secrets?.result),
    error:
      guidance !== undefined && isErrorOutcome(answer.outcome)
        ? {
            code: guidance.error_type,
            message: redactText(hider.hide(`${guidance.message} ${guidance.cause}`)).slice(0, 2000),
          }
        : undefined,
    ended: noticed.conclusion?.ended,
    finding: findingOf(answer, noticed),
  }
}

/** A row is for people who ask what happened; whole documents are not kept in it. In characters of JSON. */
const longestText = 64_000

/** A value as a row keeps it: redacted, and of bounded size. What is no JSON of ours to walk is named, not kept. */
export function recordable(value: unknown, marked: readonly string[] | undefined): string {
  let text: string
  try {
    text = JSON.stringify(redact(value, marked)) ?? 'null'
  } catch (error) {
    return JSON.stringify({ not_recorded: error instanceof Error ? error.message : 'not JSON' })
  }
  if (text.length <= longestText) return text
  return JSON.stringify({ shortened: true, characters: text.length, begins: text.slice(0, 4000) })
}

/**
 * A call that can change nothing need not wait for the disk: what a power cut takes of it has left no trace either. Every
 * other one changes something only once its plan is claimed, which waits.
 */
const effectOf = (contract: Contract | undefined): Effect =>
  contract?.operation === 'read' && riskAtMost(contract.risk) === 'low' ? 'none' : 'after-claim'

/** In characters, of arguments that were not read to their end. */
const longestBeginning = 2000

function recordedArguments(given: unknown, marked: readonly string[] | undefined): string {
  if (!(given instanceof UnreadArguments)) return recordable(given ?? {}, marked)
  return JSON.stringify({ not_read: given.why.received, begins: redact(given.begins, marked, longestBeginning) })
}

/** Where a call's secrets are: in a bundle, those of the calls that it is asked for. */
const secretArguments = ({ catalog }: Engine, tool: Tool | undefined, given: unknown): readonly string[] | undefined =>
  tool !== undefined && isBundleTool(tool)
    ? secretsOfCalls(given, (name) => catalog.find(name))
    : tool?.contract.secrets?.arguments

/** In characters, of one field of an intent. */
const longestOfIntent: Readonly<Record<keyof DeclaredIntent, number>> = {
  operation_type: 80,
  data_sensitivity: 80,
  reason: 1000,
}

/** What was declared, whether or not it was accepted; what is no text as its JSON. */
function recordedIntent({ intent }: Declaration): DeclaredIntent | undefined {
  const fields = Object.entries(longestOfIntent).flatMap(([field, longest]) => {
    const given = redact(intent[field as keyof DeclaredIntent])
    if (given === undefined || given === null || given === '') return []
    const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '')
    return [[field, text.slice(0, longest).toWellFormed()] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

/** The tool that a call of `apply_plan` names. */
const toolOfPlan = (
  { catalog }: Engine,
  called: string,
  { tool }: Readonly<Record<string, unknown>>,
): Tool | undefined => (called === applyPlanName && typeof tool === 'string' ? catalog.find(tool) : undefined)

/** What can be said of a call before anything is known to be right about it. */
function entryOf({ engine, request, named: tool, argumentsRead, about }: CallContext): ActivityEntry {
  const given: unknown = request.args
  const args = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  const { declared } = request
  const rationale = declared?.rationale ?? args[tool?.reserved.rationale ?? 'rationale']
  // Of a call that was refused before its arguments were looked at, nobody knows whether it only reads.
  const unknown = request.refusal !== undefined && argumentsRead !== true && tool?.reading !== undefined
  const derived = unknown ? undefined : (tool ?? toolOfPlan(engine, request.tool, args))?.contract.operation
  return {
    principal: request.caller.principal,
    client: redactText(request.caller.client).slice(0, 200),
    source: request.source ?? 'mcp',
    tool: redactText(request.tool).slice(0, 200),
    variant: declared?.variant,
    operation: declared?.operation ?? derived,
    operationSource: declared?.operationSource ?? (derived === undefined ? undefined : 'derived'),
    intent: declared && recordedIntent(declared),
    rationale: typeof rationale === 'string' ? redactText(rationale).slice(0, 1000) : undefined,
    risk: tool === undefined ? undefined : riskAtMost(tool.contract.risk),
    auditEvent: tool === undefined ? undefined : (tool.contract.auditEvent ?? tool.contract.name),
    args: recordedArguments(given, secretArguments(engine, tool, given)),
    notes: (request.notes ?? []).map(redactText),
    ...about,
  }
}
