// A program's middleware around a function of a tool. It may refuse before that begins, and nothing else: what the function
// answered is what the rail goes on with, whatever a middleware returns or throws afterwards, because it has happened.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { FailureSpec, ToolContext } from '../tools/contract.ts'
import type { Middleware, MiddlewareCall, Refusal, StageOutcome, ToolStage } from '../tools/middleware.ts'
import type { ParsedCall } from './call-context.ts'
import type { Invoked } from './invoke-contract.ts'
import { copyOfRequest } from './told-of-caller.ts'
import { isToolStale } from './tool-values.ts'

/** As long as all middleware of a call may take after what it surrounds has ended, in milliseconds: a run's ending waits for it. */
const afterNextMs = 1000

/** Takes a function of a tool through the engine's middleware. `work`: it, and what the rail makes of what it answers. */
export async function throughMiddleware<T>(
  call: ParsedCall,
  where: string,
  ctx: ToolContext,
  work: () => Promise<Invoked<T>>,
): Promise<Invoked<T>> {
  const { engine, tool, canonical } = call
  const all = Reflect.get(tool.contract, where) === undefined ? [] : (engine.middleware ?? [])
  const stage = stageOf(where, tool.contract.operation)
  if (all.length === 0) return work()
  const patience = patienceFor(ctx.signal)
  const pass = async (at: number): Promise<Invoked<T>> => {
    const middleware = all[at]
    if (middleware === undefined) {
      // Others may have concluded meanwhile that the run is over, and had no effect.
      if (ctx.signal.aborted) return tooLate
      return work()
    }
    let inside: Promise<Invoked<T>> | undefined
    const begun = Promise.withResolvers<unknown>()
    let isOver = false
    // Once it has been told that nothing was begun, nothing may begin.
    const next = async (): Promise<StageOutcome> => {
      begun.resolve((inside ??= isOver ? Promise.resolve(tooLate) : pass(at + 1)))
      return outcomeOf(await inside)
    }
    const name = tool.contract.name
    const seen: MiddlewareCall = { name, stage, input: JSON.parse(canonical) as unknown, ctx: readOnly(ctx), refuse }
    const ofMiddleware = `middleware of ${tool.wireName}`
    try {
      const given = (async () => middleware(seen, next))()
      const answer = await Promise.race([given, begun.promise.then(patience.isOver)])
      isOver = true
      if (inside === undefined) {
        if (isRefusal(answer)) return refused('refused', answer.message, answer.next, true)
        throw new Error(`${describe(middleware)} neither called next nor returned call.refuse(…). Do one of them.`)
      }
      if (answer === tooSlow || answer === stopped) given.catch((error: unknown) => engine.report(error, ofMiddleware))
      const odd =
        answer === tooSlow
          ? `It had not come back ${afterNextMs} ms after what it let through, which goes on without it.`
          : isRefusal(answer)
            ? `It refused ("${answer.message}") after it had called next.`
            : undefined
      if (odd !== undefined) engine.report(new Error(odd), ofMiddleware)
    } catch (error) {
      isOver = true
      const incident = engine.report(error, ofMiddleware)
      if (inside === undefined)
        return refused(
          'middleware_failed',
          `The server could not let this call through (incident ${incident}).`,
          tryAgain,
        )
    }
    return inside
  }
  try {
    return await pass(0)
  } finally {
    patience.end()
  }
}

const tooSlow = Symbol('the middleware has no more time')
const stopped = Symbol('the call has no more time')

/** How long a call waits for middleware whose inner part has ended: for all of it together, and while the call has time. */
function patienceFor(signal: AbortSignal) {
  const done = new AbortController()
  let over: Promise<typeof tooSlow | typeof stopped> | undefined
  return {
    isOver: () =>
      (over ??= wait(afterNextMs, tooSlow, { signal: AbortSignal.any([done.signal, signal]) }).catch(() => stopped)),
    end: () => done.abort(),
  }
}

const tryAgain = 'Nothing was begun. Try again in a moment; if it stays so, tell the person.'

/** A failure of which nothing is left, because nothing was begun. */
export const nothingBegun: FailureSpec = { effect: 'none', guidance: tryAgain, retryable: 'after_wait' }

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

/** One that is made by hand counts where it is whole. */
const refusal = z.object({ kind: z.literal('refusal'), message: z.string(), next: z.string() })

const isRefusal = (answer: unknown): answer is Refusal => refusal.safeParse(answer).success

const describe = (middleware: Middleware): string =>
  middleware.name === '' ? 'A middleware' : `The middleware ${middleware.name}`

/** As the rail has understood it: what a tool says of itself may be no answer. */
function outcomeOf(invoked: Invoked<unknown>): StageOutcome {
  switch (invoked.kind) {
    case 'value':
      return isToolStale(invoked.value) ? { kind: 'failed', code: 'stale' } : { kind: 'value' }
    case 'failed':
      return { kind: 'failed', code: invoked.failed.code }
    case 'crashed':
      return { kind: 'crashed' }
    default:
      return invoked satisfies never
  }
}

/** Nothing has begun, so nothing can have had an effect, whatever the contract declares. */
const refused = (code: string, message: string, guidance: string, isRule = false): Invoked<never> => ({
  kind: 'failed',
  failed: { kind: 'tool-failed', code, message },
  spec: { effect: 'none', guidance, ...(isRule ? { refused: true } : { retryable: 'after_wait' }) },
})

const tooLate = refused('too_late', 'The call was over before its tool began.', tryAgain)
