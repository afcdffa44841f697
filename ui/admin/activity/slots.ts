// Rows by time as bars of four kinds: what a call became, as far as a picture of many shows it.
import type { Outcome } from '../../../server/model/outcome.ts'
import type { Bars } from '../shapes.ts'

export type Group = 'done' | 'asked' | 'refused' | 'failed'

const groupOf: Readonly<Record<Outcome | 'open', Group>> = {
  ok: 'done',
  applied: 'done',
  replayed: 'done',
  previewed: 'asked',
  awaiting_approval: 'asked',
  running: 'asked',
  open: 'asked',
  refused: 'refused',
  mismatch: 'refused',
  stale: 'refused',
  failed: 'failed',
  outcome_unknown: 'failed',
}

/** From the foot of a bar up. */
export const groups = [
  ['done', 'done'],
  ['asked', 'asked for'],
  ['refused', 'refused'],
  ['failed', 'failed'],
] as const satisfies readonly (readonly [Group, string])[]

export interface Slot {
  readonly at: number
  readonly counts: Readonly<Record<Group, number>>
  readonly total: number
}

/** All bars, those without rows as well. */
export const slotsOf = ({ bars_from, until, step_ms: step, bars }: Bars): readonly Slot[] => {
  const first = Date.parse(bars_from)
  const byTime = new Map(bars.map((bar) => [Date.parse(bar.time), bar.outcomes]))
  return Array.from({ length: Math.max(1, Math.ceil((Date.parse(until) - first) / step)) }, (_, index) => {
    const at = first + index * step
    const counts = { done: 0, asked: 0, refused: 0, failed: 0 }
    for (const [outcome, rows] of Object.entries(byTime.get(at) ?? {}))
      counts[Object.hasOwn(groupOf, outcome) ? groupOf[outcome as Outcome] : 'asked'] += rows
    return { at, counts, total: counts.done + counts.asked + counts.refused + counts.failed }
  })
}

/** How many rows of each kind, in words. */
export const totals = (slots: readonly Slot[], locale: string | undefined): string => {
  const numbers = new Intl.NumberFormat(locale ?? 'en')
  const parts = groups.flatMap(([group, words]) => {
    const rows = slots.reduce((sum, { counts }) => sum + counts[group], 0)
    return rows === 0 ? [] : [`${numbers.format(rows)} ${words}`]
  })
  return parts.length === 0 ? 'nothing.' : `${parts.join(', ')}.`
}
