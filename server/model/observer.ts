// Operators watch the engine from outside: how many calls, how long, where in a trace. Whoever watches is told names and
// verdicts, never arguments, and cannot change what happens: the engine only hands its work through.
import type { Operation } from './risk.ts'

/** A call, as an observer may know it. */
export interface ObservedCall {
  /** Wire name, where the catalogue has the tool: what else was called is anybody's text. */
  readonly tool: string | undefined
  /** Of a tool that reads or writes by its arguments, which are not looked at yet: that of its writes. */
  readonly operation: Operation | undefined
  readonly source: string
  /** The request's `_meta`, and the headers of its transport: either may carry the context of a trace. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** What is known when it is over. */
export interface ObservedAnswer {
  /** What its tool was run as, where there is one. */
  readonly contract?: { readonly operation: Operation }
  readonly outcome: string
  readonly verdict?: string
  readonly risk?: string
  readonly planId?: string
  readonly approval?: { readonly id: string }
}

export interface Observer {
  /** Does the work of a call, and hears how it ended. */
  call<T extends ObservedAnswer>(about: ObservedCall, work: () => Promise<T>): Promise<T>
  /** Does one step of it: a tool's own function, or a step of the store. */
  step<T>(kind: 'tool' | 'store', name: string, tool: string | undefined, work: () => Promise<T>): Promise<T>
  /** The `_meta` of a request that leaves this server: the trace goes on with what runs now. */
  carry(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}
