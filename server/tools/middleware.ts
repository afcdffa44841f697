// What a program does around each function of its tools: measure it, refuse it, open a context for it. It sees what is asked and
// cannot change it, nor what comes back: a card shows what the tool said, and what runs is what was confirmed.
import { fail, ok, type Result } from '../errors/result.ts'
import type { ToolContext } from './contract.ts'

/**
 * Which function of a tool is called: `read` is the `run` of a tool that only reads, `lists` and `follow` are what a card reads
 * while it is looked at.
 */
export type ToolStage = 'preview' | 'basis' | 'run' | 'read' | 'reconcile' | 'lists' | 'follow'

/** The answer of a middleware that lets a call go no further. */
export interface Refusal {
  /** What tells it from an outcome. */
  readonly kind: 'refusal'
  /** What the agent is told. */
  readonly message: string
  /** What the agent should do. */
  readonly next: string
}

/** What a tool's function came to. */
export type StageOutcome =
  | { readonly kind: 'value' }
  /** A failure of the contract (`ctx.fail`), or a refusal of a middleware further inside. */
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'crashed' }

/** One call of one function of a tool. */
export interface MiddlewareCall {
  /** The tool's name, as its contract has it: "notes.write". */
  readonly name: string
  /** Which function of the tool is called. */
  readonly stage: ToolStage
  /** The arguments, as they were asked for or confirmed. A copy: what is changed in it changes nothing. */
  readonly input: unknown
  /** The context that the tool gets. */
  readonly ctx: Omit<ToolContext, 'fail'>
  /** `message`: what happened; `next`: what the agent should do, in one sentence. */
  readonly refuse: (message: string, next: string) => Refusal
}

/**
 * Surrounds every function of a tool that a call leads to. It either calls `next`, which runs what is inside, once, and never
 * throws; or returns `call.refuse(…)`. What it returns or throws after `next` changes nothing any more, and is waited for a second
 * at most. One that does neither, or throws before, refuses the call, too.
 */
export type Middleware = (
  call: MiddlewareCall,
  next: () => Promise<StageOutcome>,
) => Promise<Refusal | StageOutcome | void> | Refusal | StageOutcome | void

/** Checks what a program gives as middleware. */
export function readMiddleware(
  given: readonly Middleware[] = [],
): Result<readonly Middleware[], { readonly message: string; readonly next: string }> {
  const next = 'Give a list of functions (call, next) => …'
  if (!Array.isArray(given)) return fail({ message: `middleware is ${typeof given}, not a list.`, next })
  const wrong = given.findIndex((each) => typeof each !== 'function')
  return wrong === -1 ? ok(given) : fail({ message: `middleware[${wrong}] is not a function.`, next })
}
