// An agent must know through which of three call tools a tool is called, and the server's annotations are all that there is
// to tell it. Where they contradict each other the more restrictive one wins.
import type { Operation } from '../../model/risk.ts'

/** The two hints that decide; as the server gave them, absent where it gave none. */
export interface Hints {
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
}

export const variants = ['call_tool_read', 'call_tool_write', 'call_tool_destructive'] as const
export type Variant = (typeof variants)[number]

export const isVariant = (name: string): name is Variant => (variants as readonly string[]).includes(name)

/** What the server says of a tool. */
export type Marked = 'destructive' | 'read-only' | 'neither' | 'nothing'

/** Reads the two hints: both at once count as destructive; neither stated is not the same as both denied. */
export function markedAs(hints: Hints | undefined): Marked {
  if (hints?.destructiveHint === true) return 'destructive'
  if (hints?.readOnlyHint === true) return 'read-only'
  return hints?.destructiveHint === false ? 'neither' : 'nothing'
}

/** The variant through which a tool is called: for what is rated a read, the reading one, though its server says nothing. */
export function variantFor(hints: Hints | undefined, rated: { readonly operation: Operation }): Variant {
  const marked = markedAs(hints)
  if (marked === 'destructive') return 'call_tool_destructive'
  // What calls itself read-only and is not says nothing about how much it writes; its name does.
  if (marked === 'read-only') return rightVariant('call_tool_read', rated.operation)
  return rated.operation === 'read' ? 'call_tool_read' : 'call_tool_write'
}

/** The call tool for what the reading call tool does not run: the one for its annotations; a plain read's name must tell. */
export function rightVariant(named: Variant, operation: 'read' | 'write' | 'destructive'): Variant {
  if (named !== 'call_tool_read' || operation === 'read') return named
  return operation === 'destructive' ? 'call_tool_destructive' : 'call_tool_write'
}
