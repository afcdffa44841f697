// What an argument that is a program makes of a call, in whatever language it is.
import type { ProgramReading } from '../programs/read-program.ts'
import type { Evidence } from './evidence.ts'
import type { Place } from './schema-places.ts'
import { wordsOf } from './words.ts'

/** What a tool says of itself. */
export interface Said {
  readonly name: string
  readonly description: string
}

/** Everything that is said around an argument, in which its language may be named. */
export function saidAround(place: Place, { name, description }: Said): string {
  const own = typeof place.schema['description'] === 'string' ? place.schema['description'] : ''
  return [...wordsOf(place.name), ...wordsOf(name), own, description].join(' ')
}

/** Of a program that is not read. */
export const unread = ({ name }: Place): Evidence => ({
  risk: 'critical',
  operation: 'destructive',
  reason: `Its argument "${name}" is a program: it does whatever that says, so it may be critical.`,
})

const mostReasons = 5

/** Of a program that was read: the first of what is said of its parts. */
export const evidenceOf = ({ risk, operation, reasons }: ProgramReading): Evidence => ({
  risk,
  operation,
  reason: [
    ...reasons.slice(0, mostReasons),
    ...(reasons.length > mostReasons ? [`It holds ${reasons.length - mostReasons} more such statements.`] : []),
  ].join(' '),
})
