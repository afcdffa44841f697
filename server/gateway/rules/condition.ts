// An upsert that creates is not one that overwrites, and only the arguments tell. Operators say so with conditions.
import type { Condition, ToolRule } from '../upstream/settings/upstream-config.schema.ts'
import { fromPointer, valueAt } from '../../errors/pointer.ts'
import { linearPattern, type LinearPattern } from './linear-pattern.ts'

/** A call is rated at several steps, each time with the same arguments. */
const answers = new WeakMap<object, Map<object, boolean>>()

/** Whether every condition of a rule holds for these arguments. */
export function ruleHolds(rule: Pick<ToolRule, 'if'>, args: unknown): boolean {
  const ask = (): boolean =>
    Object.entries(rule.if).every(([place, condition]) => holds(condition, valueAt(args, pathOf(place))))
  if (typeof args !== 'object' || args === null) return ask()
  const known = answers.get(args) ?? new Map<object, boolean>()
  answers.set(args, known)
  const answer = known.get(rule) ?? ask()
  known.set(rule, answer)
  return answer
}

/** Steps that the pattern of one rule may take with one text. */
const mostSteps = 2_000_000

/** An argument that is longer than the pattern of a rule looks through without keeping others waiting. */
interface UnseenText {
  readonly path: readonly string[]
  /** In characters. */
  readonly most: number
}

/** The first such argument. What a rule cannot see it cannot forbid, so a call with one is refused. */
export function unseenBy(rules: readonly ToolRule[], args: unknown): UnseenText | undefined {
  for (const rule of rules)
    for (const [place, { matches }] of Object.entries(rule.if)) {
      const value = matches === undefined ? undefined : valueAt(args, pathOf(place))
      if (matches === undefined || value === undefined) continue
      const most = Math.floor(mostSteps / compiledPattern(matches).steps)
      if (asText(value).length > most) return { path: pathOf(place), most }
    }
  return undefined
}

function holds(condition: Condition, value: unknown): boolean {
  const { present, equals, one_of: oneOf, matches, greater_than: above, less_than: below } = condition
  if (present !== undefined && present !== (value !== undefined)) return false
  if (equals !== undefined && value !== equals) return false
  if (oneOf !== undefined && !(oneOf as readonly unknown[]).includes(value)) return false
  // What is absent matches nothing, not even a pattern that the empty text would fit.
  if (matches !== undefined && (value === undefined || !compiledPattern(matches).test(asText(value)))) return false
  if (above !== undefined && !(typeof value === 'number' && value > above)) return false
  return below === undefined || (typeof value === 'number' && value < below)
}

const known = new Map<string, LinearPattern>()

/** The settings' own patterns, of which there are few; each is compiled once. */
export function compiledPattern(source: string): LinearPattern {
  const made = known.get(source) ?? linearPattern(source)
  if (made === undefined) throw new Error(`No setting takes ${source} as a pattern.`)
  known.set(source, made)
  return made
}

/** Anything but text is matched as its JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** A plain name is a top-level argument; what begins with "/" is a JSON Pointer. */
export const pathOf = (place: string): readonly string[] => (place.startsWith('/') ? fromPointer(place) : [place])
