// Ajv tells everything that is wrong, every branch of every choice included. An agent is told what it can change: each
// place once, with what is allowed there.
import type { z } from 'zod'
import { fromPointer } from '../errors/pointer.ts'
import { customIssue } from './custom-issue.ts'

/** One error of Ajv. */
interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

type Issue = Parameters<z.core.$RefinementCtx['addIssue']>[0]

/** Of a list of a hundred thousand wrong items the first are enough. */
const mostErrors = 1000

/** What a check found, as the issues of a Zod schema. `input` is what was checked. */
export function issuesOf(all: readonly SchemaError[], input: unknown): readonly Issue[] {
  const errors = all.slice(0, mostErrors)
  const choices = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const inChoice = (error: SchemaError): boolean =>
    choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`))
  return errors
    .filter((error) => !inChoice(error) && error.keyword !== 'if')
    .slice(0, 20)
    .map((error): Issue => {
      const path = pathOf(error)
      if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties')
        return {
          code: 'unrecognized_keys',
          keys: [String(path.at(-1))],
          path: path.slice(0, -1),
          input: undefined as never,
        }
      return { code: 'custom', path, ...customIssue(allowed(error, errors)), input }
    })
}

function pathOf(error: SchemaError): PropertyKey[] {
  const path: PropertyKey[] = fromPointer(error.instancePath)
  const { params } = error
  const below = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof below === 'string' ? [...path, below] : path
}

/** Completes "allowed is …". */
function allowed(error: SchemaError, all: readonly SchemaError[]): string {
  const { params } = error
  const list = (value: unknown): string =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).join(', ') : ''
  switch (error.keyword) {
    case 'required':
      return 'a value; this argument is required'
    case 'type':
      return `a value of type ${Array.isArray(params['type']) ? params['type'].join(' or ') : String(params['type'])}`
    case 'enum':
      return `one of ${list(params['allowedValues'])}`
    case 'const':
      return JSON.stringify(params['allowedValue'])
    case 'pattern':
      return `text that matches ${String(params['pattern'])}`
    case 'format':
      return `text in the format ${String(params['format'])}`
    case 'anyOf':
    case 'oneOf':
      return alternatives(error, all)
    case 'minLength':
    case 'maxLength':
      return sized(error, 'text', 'character')
    case 'minItems':
    case 'maxItems':
      return sized(error, 'a list', 'item')
    case 'minProperties':
    case 'maxProperties':
      return sized(error, 'an object', 'member')
    case 'uniqueItems':
      return 'a list in which no item stands twice'
    case 'minimum':
    case 'maximum':
      return sized(error, 'a number')
    case 'exclusiveMinimum':
      return `a number greater than ${String(params['limit'])}`
    case 'exclusiveMaximum':
      return `a number less than ${String(params['limit'])}`
    case 'multipleOf':
      return `a multiple of ${String(params['multipleOf'])}`
    case 'not':
      return 'a value that the schema of the tool does not exclude'
    default:
      return (error.message ?? 'what the schema of the tool says').replace(/^must (be )?/, '')
  }
}

/** A limit as a phrase: "text of at least 1 character". */
function sized({ keyword, params }: SchemaError, kind: string, item?: string): string {
  const limit = String(params['limit'])
  const counted = item === undefined ? '' : ` ${item}${limit === '1' ? '' : 's'}`
  return `${kind} of ${keyword.startsWith('min') ? 'at least' : 'at most'} ${limit}${counted}`
}

/** What each branch of a choice would have taken, as far as it says something about this very value. */
function alternatives(choice: SchemaError, all: readonly SchemaError[]): string {
  const branches = all
    .filter(
      (error) => error.schemaPath.startsWith(`${choice.schemaPath}/`) && error.instancePath === choice.instancePath,
    )
    .map((error) =>
      error.keyword === 'required' ? `an object with ${String(pathOf(error).at(-1))}` : allowed(error, []),
    )
  const unique = [...new Set(branches)].slice(0, 5)
  return unique.length === 0 ? 'one of the forms that the schema describes' : unique.join(', or ')
}
