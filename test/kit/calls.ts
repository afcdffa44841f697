// Calls that a test makes of the engine itself, without a door.
import type { Caller, CallRequest } from '../../server/rail/engine.ts'

/** An agent that shows cards and may call everything: `ada`, of the default tenant. */
export const caller = (more: Partial<Caller> = {}): Caller => ({
  principal: { tenant: 'default', subject: 'ada' },
  permissions: 'all',
  client: 'test',
  cards: 'yes',
  trusted: false,
  ...more,
})

/** A call that nobody aborts. */
export const requestOf = (tool: string, args: unknown, as: Caller = caller()): CallRequest => ({
  tool,
  args,
  caller: as,
  signal: new AbortController().signal,
})
