// Failures of the server itself: its store is away, or its own code has a bug. What a tool throws is caught at the tool and
// never arrives here.
import type { Failure } from '../../errors/failure.ts'
import type { Engine } from '../engine.ts'

/** A mistake of a program, ours or a contract's; everything else that arrives there is the store's. */
export const isMistake = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError

/** Reports it, and says what the caller is told. */
export const ownFault = (engine: Engine, error: unknown, tool: string): Failure => ({
  kind: isMistake(error) ? 'internal' : 'store-unavailable',
  tool,
  incident: engine.report(error, tool),
})

/** Whether a call was not refused but could not be looked at. */
export const isOwnFault = ({ kind }: Failure): boolean => kind === 'internal' || kind === 'store-unavailable'
