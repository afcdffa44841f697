// A program's middleware around a function of a tool. It may refuse before that begins, and nothing else: what the function
// answered is what the rail goes on with, whatever a middleware returns or throws afterwards, because it has happened.
import type { FailureSpec, ToolContext, ToolFailed } from '../tools/contract.ts'
import type { Middleware, MiddlewareCall, Refusal, StageOutcome, ToolStage } from '../tools/middleware.ts'
import type { ParsedCall } from './call-context.ts'
import { copyOfRequest } from './told-of-caller.ts'

/** How a function of a tool ended, or that it was not begun. */
export type Settled<T> =
  | { readonly kind: 'value'; readonly value: T | ToolFailed }
  | { readonly kind: 'crashed'; readonly error: unknown }
  | { readonly kind: 'refused'; readonly failed: ToolFailed; readonly spec: FailureSpec }

/** Takes a function of a tool through the engine's middleware. */
export function throughMiddleware<T>(
  call: ParsedCall,
  where: string,
  ctx: ToolContext,
  work: () => Promise<T | ToolFailed>,
): Promise<Settled<T>> {
  const { engine, tool, canonical } = call
  const all = Reflect.get(tool.contract, where) === undefined ? [] : (engine.middleware ?? [])
  const stage = stageOf(where, tool.contract.operation)
  const pass = async (at: number): Promise<Settled<T>> => {
    const middleware = all[at]
    if (middleware === undefined) {
      // Others may have concluded meanwhile that the run is over, and had no effect.
      if (at > 0 && ctx.signal.aborted) return tooLate
      return settle(work)
    }
    let inside: Promise<Settled<T>> | undefined
    let isOver = false
    // Once it has been told that nothing was begun, nothing may begin.
    const next = async (): Promise<StageOutcome> =>
      outcomeOf(await (inside ??= isOver ? Promise.resolve(tooLate) : pass(at + 1)))
    const name = tool.contract.name
    const seen: MiddlewareCall = { name, stage, input: JSON.parse(canonical) as unknown, ctx: readOnly(ctx), refuse }
    const where = `middleware of ${tool.wireName}`
    try {
      const answer = await middleware(seen, next)
      isOver = true
      if (inside !== undefined) {
        if (isRefusal(answer))
          engine.report(new Error(`It refused ("${answer.message}") after it had called next.`), where)
      } else if (isRefusal(answer)) return refused('refused', answer.message, answer.next, true)
      else throw new Error(`${describe(middleware)} neither called next nor returned call.refuse(…). Do one of them.`)
    } catch (error) {
      isOver = true
      const incident = engine.report(error, where)
      if (inside === undefined)
        return refused(
          'middleware_failed',
          `The server could not let this call through (incident ${incident}).`,
          tryAgain,
        )
    }
    return inside
  }
  return pass(0)
}

const tryAgain = 'Nothing was begun. Try again in a moment; if it stays so, tell the person.'

const stageOf = (where: string, operation: string): ToolStage =>
  where === 'run' && operation === 'read' ? 'read' : (where as ToolStage)

const refuse: MiddlewareCall['refuse'] = (message, next) => {
  if (typeof message === 'string' && typeof next === 'string') return { kind: 'refusal', message, next }
  throw new TypeError('refuse takes two sentences: what happened, and what the agent should do next.')
}

/** The context without a way to change what the tool gets. What stands in it is frozen, but for headers, which cannot be. */
const readOnly = (ctx: ToolContext): ToolContext => {
  const own = Object.defineProperties({}, Object.getOwnPropertyDescriptors(ctx)) as ToolContext
  const { request } = ctx
  if (request !== undefined) Object.assign(own, { request: copyOfRequest(request, request.client) })
  return Object.freeze(own)
}

const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && (answer as { readonly kind?: unknown }).kind === 'refusal'

const describe = (middleware: Middleware): string =>
  middleware.name === '' ? 'A middleware' : `The middleware ${middleware.name}`

async function settle<T>(work: () => Promise<T | ToolFailed>): Promise<Settled<T>> {
  try {
    return { kind: 'value', value: await work() }
  } catch (error) {
    return { kind: 'crashed', error }
  }
}

function outcomeOf(settled: Settled<unknown>): StageOutcome {
  if (settled.kind === 'crashed') return { kind: 'crashed' }
  if (settled.kind === 'refused') return { kind: 'failed', code: settled.failed.code }
  const { value } = settled as { readonly value: unknown }
  const failed = typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'tool-failed'
  return failed ? { kind: 'failed', code: (value as ToolFailed).code } : { kind: 'value' }
}

/** Nothing has begun, so nothing can have had an effect, whatever the contract declares. */
const refused = (code: string, message: string, guidance: string, isRule = false): Settled<never> => ({
  kind: 'refused',
  failed: { kind: 'tool-failed', code, message },
  spec: { effect: 'none', guidance, ...(isRule ? { refused: true } : { retryable: 'after_wait' }) },
})

const tooLate = refused('too_late', 'The call was over before its tool began.', tryAgain)
