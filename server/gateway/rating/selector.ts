// What every argument that decides has in common: what a value of it makes of a call, and the worst that it may.
import { actionIn } from './action-names.ts'
import { verbEvidence, type Evidence } from './evidence.ts'
import { valuesAt, type Place } from './schema-places.ts'
import { risks } from '../../model/risk.ts'
import type { FoundVerb } from './verbs.ts'

/**
 * What one argument makes of a call. `unset`: it is not given, so the call may be the worst of it, unless the tool's name
 * reads, because then the argument filters.
 */
export type Picked = 'reads' | 'nothing' | 'unset' | Evidence

export interface Selector {
  readonly place: Place
  /** The worst that it can make of a call. */
  readonly worst: Evidence
  /** Whether some value makes a read of the call. */
  readonly mayRead: boolean
  /** Whether it is the worst in every call. */
  readonly always?: true
  pick(args: unknown): Picked
}

export const highest = (evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.toSorted((a, b) => risks.indexOf(b.risk) - risks.indexOf(a.risk))[0]

/** Free text may name any action. */
export const mayDoAnything = (place: Place): Evidence => ({
  risk: 'critical',
  operation: 'destructive',
  reason: `Its argument "${place.name}" says what it does, and can say anything, so it may be critical.`,
})

/** A verb that acts is never below high: what creates in one call deletes in the next. */
export const verbOf = (place: Place, verb: FoundVerb): Evidence =>
  verbEvidence(`Its argument "${place.name}"`, verb.risk === 'medium' ? { ...verb, risk: 'high' } : verb)

export function acting(place: Place, value: unknown): Evidence | undefined {
  const verb = actionIn(value, 'sometimes')
  if (verb === undefined) return undefined
  return verb === 'unclear' ? mayDoMore(place) : verbOf(place, verb)
}

export const mayDoMore = (place: Place): Evidence => ({
  risk: 'high',
  operation: 'write',
  reason: `Its argument "${place.name}" says what it does, and can say more than reading, so it is high.`,
})

/** The values that a call gives, or what its schema puts there. */
export const given = ({ path, schema }: Place, args: unknown): readonly unknown[] => {
  const values = valuesAt(args, path)
  return values.length === 0 && Object.hasOwn(schema, 'default') ? [schema['default']] : values
}

/** The worst of what several values make of a call. */
export function worstOf(values: readonly unknown[], judge: (value: unknown) => Picked, absent: Picked): Picked {
  const picked = values.map(judge)
  if (picked.length === 0) return absent
  const evidence = highest(picked.filter((each) => typeof each === 'object'))
  return (
    evidence ??
    (picked.every((each) => each === 'reads') ? 'reads' : (picked.find((each) => each !== 'reads') ?? absent))
  )
}

/** Whether a value asks for what its argument is named after; of free text only none at all does not. */
export function isSet(value: unknown, isListed: boolean): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  if (isListed && typeof value === 'string' && /^(?:no|none|never|false|off|keep)$/i.test(value)) return false
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}
