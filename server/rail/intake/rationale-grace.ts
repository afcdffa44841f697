// Callers over REST that exist already cannot all send a rationale from one day to the next. For a time that has an end
// they may leave it out; they are told at each call, and counted, so that the operator knows who is not ready.
import { UnreadArguments } from '../../errors/unread-arguments.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** Whether a rationale is asked for. `grace` lets calls over REST leave it out until that moment (ISO 8601). */
export type RationaleRule = { readonly mode: 'required' } | { readonly mode: 'grace'; readonly until: string }

/** How long a grace period lasts unless somebody says otherwise. */
export const graceMs = 14 * 24 * 3_600_000

/** When the grace period that covers this call ends; `undefined` where none does. */
export function graceUntil(
  { settings: { rationale: rule }, now }: Pick<Engine, 'settings' | 'now'>,
  source: CallRequest['source'],
): string | undefined {
  if (rule.mode !== 'grace' || source !== 'rest') return undefined
  return now() < Date.parse(rule.until) ? rule.until : undefined
}

/** Whether this call leaves the rationale out. */
export function lacksRationale(
  { catalog }: Pick<Engine, 'catalog'>,
  { tool, args }: Pick<CallRequest, 'tool' | 'args'>,
): boolean {
  const name = catalog.find(tool)?.reserved.rationale ?? 'rationale'
  if (args instanceof UnreadArguments) return false
  return typeof args === 'object' && args !== null && !Object.hasOwn(args, name)
}

/** What the server's log says of a caller who makes such calls; once a day for each. */
export const deprecationWarning = (until: string): string =>
  `Deprecated: a caller sends no rationale. Such calls are refused from ${until} on; \`countersign admin grace\` lists who makes them.`

/** What the answer and the record say of such a call. */
export const graceNote = (until: string): string =>
  `Called without a rationale, which is accepted until ${until} only. Send one sentence of 10 to 500 characters that says why the call is made.`
