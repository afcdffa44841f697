// A gateway does not serve its catalogue tool by tool: it serves a few tools of its own that lead to it, and passes on
// what is not ours to judge (resources, prompts). `compose/gateway.ts` fits a gateway into these two places.
import type { createCallTools } from '../gateway/doors/call-tools.ts'
import type { createPassthrough } from '../gateway/passthrough/passthrough.ts'
import type { Tool } from '../tools/catalog.ts'

/** Tools that stand in front of the catalogue, which is then not listed itself. */
export interface GatewayTools extends ReturnType<typeof createCallTools> {
  readonly instructions: string
  /** Tools that a view of the one server behind needs under their own names; for clients that show views. */
  direct(): readonly Tool[]
}

/** What passes through to somebody else's server. Each of it throws the error that the client should see. */
export type Passthrough = Omit<ReturnType<typeof createPassthrough>, 'stop' | 'noticed' | 'ownersOf'>

/** Tells the doors that what they list has changed. Answers how to stop listening. */
export type ListChanges = (listener: (what: 'tools' | 'resources' | 'prompts') => void) => () => void
