// What a schema of Zod allows in a place, read off the issue that it has with what stood there.
import type { z } from 'zod'
import type { Limit } from '../../errors/limit.ts'

/** It as a limit; nothing for an issue that only Zod's own message describes. */
export function limitOf(issue: z.core.$ZodIssue): Limit | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'nonoptional' ? { is: 'given' } : { is: 'type', type: issue.expected }
    case 'invalid_value':
      return { is: 'oneOf', values: issue.values.map((value) => JSON.stringify(value)) }
    case 'too_small':
      return sized(issue.origin, issue.inclusive === false ? 'above' : 'least', issue.minimum)
    case 'too_big':
      return sized(issue.origin, issue.inclusive === false ? 'below' : 'most', issue.maximum)
    case 'not_multiple_of':
      return { is: 'multiple', of: issue.divisor }
    case 'invalid_format':
      return { is: 'format', format: issue.format, pattern: 'pattern' in issue ? issue.pattern : undefined }
    default:
      return undefined
  }
}

/** Texts and lists have no size between two whole numbers, so for them no limit is exclusive. */
function sized(origin: string, bound: 'least' | 'most' | 'above' | 'below', limit: number | bigint): Limit | undefined {
  const inclusive = bound === 'least' || bound === 'above' ? 'least' : 'most'
  switch (origin) {
    case 'string':
      return { is: 'text', bound: inclusive, limit: Number(limit) }
    case 'array':
    case 'set':
      return { is: 'list', bound: inclusive, limit: Number(limit) }
    case 'number':
    case 'int':
    case 'bigint':
      return { is: 'number', bound, limit }
    default:
      return undefined
  }
}
