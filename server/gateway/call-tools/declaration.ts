// What a call of a call tool declares, whether or not it is accepted: operators look for what was refused as well, and there
// the intent may be of any form. Nothing is checked here; that is `intent.ts`.
import { UnreadArguments } from '../../errors/unread-arguments.ts'
import type { Declaration } from '../../model/activity.ts'
import type { Variant } from './call-with.ts'
import { keyOf, nestedIntent, operationTypes } from './intent.ts'

/** Reads what these arguments of a call tool declare, as far as they can be read. */
export function declarationOf(variant: Variant, args: unknown): Declaration {
  const given = fieldsOf(args instanceof UnreadArguments ? args.begins : args)
  const nested = nestedIntent(given['intent']) ?? {}
  const said = (field: string): unknown => nested[field] ?? given[`intent_${field}`] ?? undefined
  const operation = operationTypes.find((each) => each === said('operation_type'))
  const rationale = given['rationale'] ?? said('reason')
  return {
    variant,
    operation: operation ?? keyOf[variant],
    operationSource: operation === undefined ? 'derived' : 'declared',
    intent: {
      operation_type: said('operation_type'),
      data_sensitivity: said('data_sensitivity'),
      reason: said('reason'),
    },
    rationale: typeof rationale === 'string' && rationale !== '' ? rationale : undefined,
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
