// What a gateway adds to the doors: call tools instead of a listed catalogue, and the passthrough of resources and prompts.
// `compose/gateway/gateway.ts` provides both.
import type { createCallTools } from '../gateway/call-tools/call-tools.ts'
import type { createPassthrough } from '../gateway/passthrough/passthrough.ts'
import type { Tool } from '../tools/catalog.ts'

/** The tools by which the catalogue is called, which is then not listed itself. */
export interface GatewayTools extends ReturnType<typeof createCallTools> {
  readonly instructions: string
  /** Tools that a view of the only upstream calls by their own names; for clients that show views. */
  direct(): readonly Tool[]
}

/** The requests that are passed on to upstreams. Each function throws the error that the client should get. */
export interface Passthrough extends Omit<ReturnType<typeof createPassthrough>, 'stop' | 'noticed' | 'ownersOf'> {
  /** The instructions at `initialize`: ours, with what a model is to know of the servers behind. */
  instructions(ours: { readonly gateway?: string | undefined; readonly rail: string }): string
}

/** Subscribes to changes of the lists; answers how to unsubscribe. */
export type ListChanges = (listener: (what: 'tools' | 'resources' | 'prompts') => void) => () => void
