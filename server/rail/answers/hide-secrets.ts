// What is said of wrong arguments is read, forwarded and logged where the call itself is not: secrets are not repeated there.
import { isDeepStrictEqual } from 'node:util'
import { fromPointer, valueAt } from '../../errors/pointer.ts'
import type { Failure } from '../../errors/failure.ts'
import { redact, redacted } from '../../policy/redact.ts'
import { isBundleTool } from '../bundles/bundle-contract.ts'
import type { Tool } from '../../tools/catalog.ts'

/** Whether its contract names arguments that are secret: no message that a person sends repeats those. */
export const marksSecrets = ({ contract }: Tool): boolean => (contract.secrets?.arguments ?? []).length > 0

/** A value of an argument as it may be repeated: hidden by the contract, by the name of the argument, and by its look. */
export function hiddenValue(tool: Tool | undefined, pointer: string, value: unknown): unknown {
  if (value === undefined) return value
  if (tool !== undefined && isBundleTool(tool)) return withoutArguments(value)
  const path = fromPointer(pointer)
  const whole = path.reduceRight<unknown>((inside, key) => ({ [key]: inside }), value)
  return valueAt(redact(whole, tool?.contract.secrets?.arguments), path) ?? (value === null ? value : redacted)
}

/** A step of a bundle, of whose arguments another tool says which are secret, by its name. */
const withoutArguments = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutArguments)
  return typeof value === 'object' && value !== null && 'arguments' in value ? { ...value, arguments: redacted } : value
}

/** The failure without the secrets in its arguments: by the contract, by the name of an argument, and by their look. */
export function hideSecrets(failure: Failure, tool: Tool | undefined): Failure {
  const hidden = (pointer: string, value: unknown): unknown => hiddenValue(tool, pointer, value)
  switch (failure.kind) {
    case 'invalid-arguments':
    case 'tool-failed':
      return {
        ...failure,
        fields: failure.fields.map((field) => ({ ...field, received: hidden(field.pointer, field.received) })),
      }
    case 'mismatch':
      return {
        ...failure,
        fields: failure.fields.map(({ pointer, confirmed, received }) => ({
          pointer,
          confirmed: hidden(pointer, confirmed),
          received: hidden(pointer, received),
          ...(isDeepStrictEqual(hidden(pointer, confirmed), confirmed) ? {} : { isHidden: true as const }),
        })),
      }
    default:
      return failure
  }
}
