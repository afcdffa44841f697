// Observers: metrics, traces and the log watch the rail by this port. They get names and verdicts, never arguments, and
// cannot change what happens: the rail only runs its work through them.
import type { Finding } from './finding.ts'
import type { Operation } from './risk.ts'

/** A call, as far as an observer gets to know it. */
export interface ObservedCall {
  /** Wire name; `undefined` where the catalogue has no such tool, because the name could be any text. */
  readonly tool: string | undefined
  /** The server behind whose tool it is. */
  readonly server?: string | undefined
  /** Where the arguments decide between reading and writing, that of writing: they are not parsed yet. */
  readonly operation: Operation | undefined
  readonly source: string
  /** The request's `_meta`, and the headers of its transport: either may carry the context of a trace. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** What is known when it is over. */
export interface ObservedAnswer {
  /** The contract that the tool was run by, if any. */
  readonly contract?: { readonly operation: Operation }
  readonly outcome: string
  /** What went wrong, where something did. */
  readonly guidance?: { readonly error_type: string; readonly evidence: { readonly rule: string } }
  readonly finding?: Finding
  readonly verdict?: string
  readonly risk?: string
  readonly planId?: string
  readonly approval?: { readonly id: string }
}

export interface Observer {
  /** Runs the work of a call and sees its answer. */
  call<T extends ObservedAnswer>(about: ObservedCall, work: () => Promise<T>): Promise<T>
  /** Runs one step of it: a tool's own function, or a step of the store. */
  step<T>(kind: 'tool' | 'store', name: string, tool: string | undefined, work: () => Promise<T>): Promise<T>
  /** `_meta` for a request to another server, with the context of the active trace. */
  carry(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}
