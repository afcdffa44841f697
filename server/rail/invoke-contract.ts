// A tool's author writes preview, run and the rest; whatever those throw or return must become a value here, so that
// no exception of theirs can skip a record of ours.
import type { Failure } from '../errors/failure.ts'
import { redact } from '../policy/redact.ts'
import type { FailureSpec, ToolContext, ToolFailed } from '../tools/contract.ts'
import type { Tool } from '../tools/catalog.ts'
import { notesSecrets } from '../tools/planned/noted-plan.ts'
import type { ParsedCall, ToolCall } from './call-context.ts'
import { languageOf, localesOf } from './language.ts'
import { isToolFailed } from './tool-values.ts'
import { nothingBegun, throughMiddleware } from './middleware.ts'
import { rowEvent } from './record/activity-row.ts'
import { withoutMarked } from './record/loggable.ts'
import { hiderOf, noteSecrets } from './record/marked-values.ts'
import { toolLog } from './record/tool-log.ts'
import { frozenCopy, principalOf, requestOf, waitingSignal } from './told-of-caller.ts'
import { unresolvedValueIn } from './intake/unresolved-values.ts'

/** What every function of a contract gets beside its input. `own`: the signal of a run, which whoever asked does not end. */
export const toolContext = (
  call: ParsedCall,
  own?: AbortSignal,
  audit: (event: string, data: unknown) => Promise<void> = (event, data) => rowEvent(call, event, data),
): ToolContext => ({
  principal: principalOf(call.request.caller),
  request: requestOf(call.request.caller),
  rationale: call.rationale,
  now: call.engine.now,
  // Asked for where it is needed: a web server makes one for a request when somebody looks at it.
  get signal() {
    return (own ??= waitingSignal(call.request.caller, call.request.signal))
  },
  fail: (code, message, more) => ({ kind: 'tool-failed', code, message, ...more }),
  progress: (step) => call.request.onProgress?.(step),
  // Asked for when it is sent, so that the trace goes on with what runs then.
  get meta() {
    const meta = call.request.meta ?? {}
    return frozenCopy(call.engine.observer?.carry(meta) ?? meta)
  },
  language: languageOf(call),
  locales: Object.freeze([...localesOf(call)]),
  log: Object.freeze(toolLog(call)),
  guidance: frozenCopy(call.engine.settings.guidance),
  conclude: (how) => void (call.noticed.conclusion = how),
  audit: async (event, data = {}) => audit(event, redact(withoutMarked(data, hiderOf(call)))),
  ...notingSecrets(call),
})

/** For a plan, which reads what its secret arguments will replace. */
const notingSecrets = (call: ParsedCall): object =>
  call.tool.contract.secrets?.arguments === undefined
    ? {}
    : { [notesSecrets]: (values: readonly unknown[]) => noteSecrets(call, values) }

export type Invoked<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'failed'; readonly failed: ToolFailed; readonly spec: FailureSpec }
  | {
      readonly kind: 'crashed'
      readonly incident: string
      readonly message: string
      /** It came back with work that was not done: which, and where in its answer. */
      readonly unfinished?: string
    }

/** What `work` of `invoke` answers where nothing was done after all, for a reason that is not the tool's. */
export class NotDone {
  readonly code: string
  readonly message: string
  constructor(code: string, message: string) {
    this.code = code
    this.message = message
  }
}

/** Runs one function of a contract, with the program's middleware around it. */
export const invoke = <T>(
  call: ParsedCall,
  where: string,
  ctx: ToolContext,
  work: () => Promise<T | ToolFailed | NotDone> | T | ToolFailed,
): Promise<Invoked<T>> => throughMiddleware(call, where, ctx, () => checked(call, where, work))

/**
 * What a function of a contract came to. A failure code that the contract does not declare counts as a crash, and so does an
 * answer that is work which nobody has done.
 */
async function checked<T>(
  call: ParsedCall,
  where: string,
  work: () => Promise<T | ToolFailed | NotDone> | T | ToolFailed,
): Promise<Invoked<T>> {
  const { engine, tool, noticed } = call
  try {
    const value: T | ToolFailed | NotDone = await watched<T | ToolFailed | NotDone>(call, where, work)
    if (value instanceof NotDone) {
      const { code, message } = value
      return { kind: 'failed', failed: { kind: 'tool-failed', code, message }, spec: nothingBegun }
    }
    const unfinished = unresolvedValueIn(value)
    if (unfinished !== undefined) {
      const message = `The tool's ${where} answered with ${unfinished}. Await the work that it starts and return its result.`
      noticed.thrown = message
      return {
        kind: 'crashed',
        incident: engine.report(new Error(message), `${tool.wireName} ${where}`),
        message,
        unfinished,
      }
    }
    if (!isToolFailed(value)) return { kind: 'value', value }
    const spec = tool.contract.failures[value.code]
    if (spec !== undefined) return { kind: 'failed', failed: value, spec }
    throw new Error(`The tool failed with "${value.code}" (${value.message}), which its contract does not declare.`)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    noticed.thrown = message
    return { kind: 'crashed', incident: engine.report(error, `${tool.wireName} ${where}`), message }
  }
}

/** An observer hears of the contract's own functions, not of those that it leaves out. */
async function watched<T>(
  { engine, tool }: Pick<ToolCall, 'engine' | 'tool'>,
  where: string,
  work: () => Promise<T> | T,
): Promise<T> {
  if (engine.observer === undefined || Reflect.get(tool.contract, where) === undefined) return work()
  return engine.observer.step('tool', where, tool.wireName, async () => work())
}

/** A declared failure as a failure of the rail. */
export const declaredFailure = (
  tool: Tool,
  failed: ToolFailed,
  spec: FailureSpec,
  during: Extract<Failure, { kind: 'tool-failed' }>['during'],
): Failure => ({
  kind: 'tool-failed',
  tool: tool.wireName,
  code: failed.code,
  message: failed.message,
  guidance: spec.guidance,
  retryable: spec.retryable ?? 'after_change',
  ...(spec.refused === undefined ? {} : { refused: spec.refused }),
  ...(spec.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: spec.retryAfterSeconds }),
  fields: failed.fields ?? [],
  ...(failed.suggest === undefined ? {} : { suggest: failed.suggest }),
  ...(failed.answered === undefined ? {} : { answered: failed.answered }),
  during,
})
