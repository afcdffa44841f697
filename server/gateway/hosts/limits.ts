// What a server may do for an agent, and for how long, as its hosts say it. Where two of them have the same server, it is
// one here, and what either leaves out stays left out: an agent of the one reaches it by the same way as an agent of the other.
import { matches } from '../rules/tool-overrides.ts'
import type { Server } from './host-entry.ts'

/** The part of a server's entry that says what of it is offered, and how long it may take. */
export type Limits = Pick<Server, 'enabled' | 'enabled_tools' | 'disabled_tools' | 'timeout_ms' | 'start_timeout_ms'>

/** What is offered, without how long it may take. */
export const offerOf = ({ enabled, enabled_tools: only, disabled_tools: not = [] }: Limits): Limits => ({
  ...(enabled === false ? { enabled } : {}),
  ...(only === undefined ? {} : { enabled_tools: only }),
  ...(not.length === 0 ? {} : { disabled_tools: not }),
})

/** The limits of both: nothing is offered that either leaves out, and of two times the longer counts. */
export function limitsOfBoth(one: Limits, other: Limits): Limits {
  const only = inBoth(one.enabled_tools, other.enabled_tools)
  const not = [...new Set([...(one.disabled_tools ?? []), ...(other.disabled_tools ?? [])])]
  const ofCall = longer(one.timeout_ms, other.timeout_ms)
  const ofStart = longer(one.start_timeout_ms, other.start_timeout_ms)
  return {
    ...offerOf({
      ...(one.enabled === false || other.enabled === false ? { enabled: false } : {}),
      ...(only === undefined ? {} : { enabled_tools: only }),
      disabled_tools: not,
    }),
    ...(ofCall === 0 ? {} : { timeout_ms: ofCall }),
    ...(ofStart === 0 ? {} : { start_timeout_ms: ofStart }),
  }
}

/** Of two lists what fits both: each entry that one of the other covers. Patterns that only overlap are left out. */
function inBoth(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  if (one === undefined || other === undefined) return one ?? other
  const covered = (list: readonly string[], by: readonly string[]) =>
    list.filter((entry) => by.some((wider) => matches(wider, entry)))
  return [...new Set([...covered(one, other), ...covered(other, one)])]
}

/** None where neither says one. */
const longer = (one = 0, other = 0): number => Math.max(one, other)

/** What is left out of a server, in words; none where all of it is offered. */
export const leftOutWords = ({ enabled, enabled_tools: only, disabled_tools: not = [] }: Limits): readonly string[] => [
  ...(enabled === false ? ['switched off'] : []),
  ...(only === undefined ? [] : [`only ${only.join(', ') || 'none'} of its tools`]),
  ...(not.length === 0 ? [] : [`without ${not.join(', ')}`]),
]
