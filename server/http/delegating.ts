// Whether somebody may lend their right to approve to somebody else; the same words at the web door and at a terminal.
import type { Account } from '../store/store.ts'
import { readTime } from './time-input.ts'

const longestMs = 366 * 24 * 3_600_000

/** Why this cannot be lent, if it cannot. */
export function lendingTrouble(
  from: Account | undefined,
  to: Account | undefined,
  { until, now }: { readonly until: number; readonly now: number },
): { readonly message: string; readonly next: string } | undefined {
  if (from === undefined)
    return {
      message: 'There is no such account whose right you may lend.',
      next: 'Approvers lend their own; admins also that of others.',
    }
  if (to === undefined)
    return { message: 'There is no such account to lend it to.', next: 'Check the name: `countersign account list`.' }
  if (from.id === to.id) return { message: 'Nobody can stand in for themselves.', next: 'Name another account.' }
  if (!from.roles.some(({ kind }) => kind !== 'viewer'))
    return {
      message: `${from.name} approves nothing, so there is nothing to lend.`,
      next: 'Only approvers can delegate.',
    }
  if (from.state === 'disabled' || to.state === 'disabled')
    return {
      message: `The account ${from.state === 'disabled' ? from.name : to.name} is disabled.`,
      next: 'Enable it first: `countersign account enable`.',
    }
  if (to.tenant !== undefined && from.tenant !== undefined && to.tenant !== from.tenant)
    return { message: 'The two belong to different tenants.', next: 'Name an account of the same tenant.' }
  if (until <= now) return { message: 'That date has passed.', next: 'Name a later one.' }
  if (until > now + longestMs) return { message: 'That is more than a year from now.', next: 'Name an earlier date.' }
  return undefined
}

/** What every door says where it got something else. */
export const untilWords = 'a date like 2026-01-31, which is its last day, or a time like 2026-01-31T08:00Z'

/** When a delegation ends, as epoch milliseconds. A date alone is the end of that day in UTC. */
export function readUntil(text: string): number | undefined {
  if (!/^\d{4}-/.test(text)) return undefined
  const at = readTime(text, 0)
  return at === undefined || text.length > 10 ? at : at + 24 * 3_600_000
}
