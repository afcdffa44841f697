// How a run ends: what its tool answered as an end, that end as the store keeps it, and what whoever asked is told.
import type { Failure } from '../../errors/failure.ts'
import type { EndingFailure, PlanEnding } from '../../model/plan-store.ts'
import type { RunContext, ToolContext } from '../../tools/contract.ts'
import { failureAnswer } from '../answers/answers.ts'
import { appliedAnswer } from '../answers/applied-answer.ts'
import type { Answer } from '../answers/outcome.ts'
import { crashedCode, refusedPlan, staleAnswer, unknownAnswer, type OwnFailure } from '../answers/plan-answers.ts'
import type { PlannedCall } from '../call-context.ts'
import type { RunningCall } from './running-calls.ts'
import { declaredFailure, type Invoked } from '../invoke-contract.ts'
import { isToolStale } from '../tool-values.ts'
import { parseWith } from '../../tools/schemas/tool-schema.ts'

type Applied = { readonly kind: 'applied'; readonly value: unknown; readonly wellFormed: boolean }

/** How a run ended. */
export type End =
  | Applied
  /** `trouble`: the store's, where it could not say whether the run may start. */
  | { readonly kind: 'not-started'; readonly trouble?: { readonly error: unknown } }
  | { readonly kind: 'stale' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly code: string; readonly message: string }
  | {
      readonly kind: 'unknown'
      readonly code: string
      readonly message: string
      readonly own?: OwnFailure
    }

/** What `run` gets beside its input. */
export const runContext = (
  { plan, request }: PlannedCall,
  ctx: ToolContext,
  running?: Pick<RunningCall, 'cancelled' | 'tell'>,
): RunContext => ({
  ...ctx,
  get meta() {
    return ctx.meta
  },
  idempotencyKey: plan.id,
  basis: plan.basis,
  cancelled: running === undefined ? request.signal : AbortSignal.any([running.cancelled, request.signal]),
  progress(step) {
    running?.tell(step)
    ctx.progress(step)
  },
  stale: () => ({ kind: 'tool-stale' }),
})

/** What the answer of a tool's `run` means. */
export function endOfRun(call: PlannedCall, ran: Invoked<unknown>): End {
  switch (ran.kind) {
    case 'value':
      return isToolStale(ran.value) ? { kind: 'stale' } : readOutput(call, ran.value)
    case 'failed':
      return ran.spec.effect === 'none'
        ? failedBeforeRun(call, ran)
        : {
            kind: 'unknown',
            code: ran.failed.code,
            message: `${ran.failed.message} ${ran.spec.guidance} (its contract says: effect ${ran.spec.effect})`,
            own: ran,
          }
    case 'crashed':
      return ran.unfinished === undefined
        ? { kind: 'unknown', code: crashedCode, message: `The tool failed unexpectedly (incident ${ran.incident}).` }
        : {
            kind: 'unknown',
            code: 'tool_unfinished',
            message: `The tool answered with ${ran.unfinished} instead of a result, so its work may not have been done (incident ${ran.incident}).`,
          }
    default:
      return ran satisfies never
  }
}

/** Trouble of which nothing is left: before the run began, or in a run that was taken back. */
export function failedBeforeRun({ tool }: PlannedCall, trouble: Exclude<Invoked<unknown>, { kind: 'value' }>): End {
  if (trouble.kind === 'failed')
    return {
      kind: 'failed',
      failure: declaredFailure(tool, trouble.failed, trouble.spec, 'before'),
      code: trouble.failed.code,
      message: trouble.failed.message,
    }
  const failure: Failure = { kind: 'tool-crashed', tool: tool.wireName, during: 'before', incident: trouble.incident }
  return {
    kind: 'failed',
    failure,
    code: 'tool_error',
    message: `The tool failed unexpectedly (incident ${trouble.incident}).`,
  }
}

/** The write has happened, so a result that breaks the contract is still applied; it is only not handed on. */
function readOutput({ engine, tool }: PlannedCall, value: unknown): End {
  const malformed = (error: unknown): End => {
    engine.report(error, `${tool.wireName} output`)
    return { kind: 'applied', value: null, wellFormed: false }
  }
  try {
    const parsed = parseWith(tool.contract.output, 'output', value)
    if (!parsed.success) return malformed('thrown' in parsed ? parsed.thrown : parsed.error)
    // What cannot be written down cannot be replayed; it throws here, where the write is still known to have happened.
    JSON.stringify(parsed.data ?? null)
    return { kind: 'applied', value: parsed.data ?? null, wellFormed: true }
  } catch (error) {
    return malformed(error)
  }
}

/** True whoever gave it up: other processes, while this one slept; this one, when its time was over; or nobody, where the store could not say. */
const notStarted: EndingFailure = {
  code: 'not_started',
  message:
    'The run was not begun: once everything before it was done, the server could not rule out any more that the run had been given up.',
}

/** An end as the store keeps it. */
export function endingOf(end: End): PlanEnding {
  switch (end.kind) {
    case 'not-started':
      return { kind: 'failed', failure: notStarted }
    case 'applied':
      return { kind: 'applied', result: JSON.stringify(end.value ?? null) }
    case 'stale':
      return { kind: 'stale' }
    case 'failed':
      return { kind: 'failed', failure: { code: end.code, message: end.message } }
    case 'unknown':
      return { kind: 'unknown', failure: { code: end.code, message: end.message } }
    default:
      return end satisfies never
  }
}

/** The run is over and known to us, but the record is not: the caller hears both, and nothing will run again. */
export const unrecordedAnswer = (call: PlannedCall, end: End): Answer =>
  unknownAnswer(call, {
    code: 'not_recorded',
    message: `The tool came back with "${end.kind}"${end.kind === 'applied' ? ` and the result ${JSON.stringify(end.value)}` : ''}, but the server could not record it.`,
  })

/** What whoever asked is told of an end. */
export async function endAnswer(call: PlannedCall, end: End): Promise<Answer> {
  const { plan } = call
  switch (end.kind) {
    case 'not-started':
      if (end.trouble !== undefined) throw end.trouble.error
      return refusedPlan(call, 'failed', { planId: plan.id, retry: call })
    case 'applied':
      return appliedEnd(call, end)
    case 'stale':
      return staleAnswer(call)
    case 'failed':
      return failureAnswer(call, end.failure, { outcome: 'failed', planId: plan.id, retry: call })
    case 'unknown':
      return unknownAnswer(call, end, end.own)
    default:
      return end satisfies never
  }
}

/** What whoever asked is told of a run that took effect. */
export const appliedEnd = (call: PlannedCall, { value, wellFormed }: Applied): Answer =>
  appliedAnswer(call, {
    outcome: 'applied',
    output: wellFormed ? { value } : undefined,
    at: call.engine.now(),
    notice: wellFormed ? call.notice : malformedNotice,
  })

const malformedNotice = {
  title: 'It was applied, but the answer of the tool is not valid.',
  text: 'The answer does not match the contract of the tool and is not shown. Look at the result with a read tool.',
}
