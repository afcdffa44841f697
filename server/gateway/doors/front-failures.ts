// What a call can get wrong at the door, as failures of the engine: they are recorded and answered like all others.
import type { Failure } from '../../errors/failure.ts'
import type { IntentFailure } from './intent.ts'
import { nearest } from '../../errors/nearest.ts'

export type DoorFailure = Extract<Failure, { kind: 'intent' | 'unknown-tool' | 'invalid-arguments' }>

/** The two keys do not match. The messages are the intent check's own. */
export const intentFailure = (tool: string, failure: IntentFailure): DoorFailure => ({
  kind: 'intent',
  tool,
  ...failure,
})

/** No upstream has this tool; the nearest names help. */
export const unknownToolFailure = (name: string, names: Iterable<string>): DoorFailure => ({
  kind: 'unknown-tool',
  tool: name,
  near: nearest(name, names),
})

/** One argument of the door's own. */
export const fieldFailure = (tool: string, pointer: string, received: unknown, allowed: string): DoorFailure => ({
  kind: 'invalid-arguments',
  tool,
  fields: [{ pointer, received, allowed }],
})
