// Errors of Ajv as issues of Zod, which say what is allowed in each place that is wrong.
import { limitIn } from '../../cards/limit-words.ts'
import type { Limit } from '../../errors/limit.ts'
import { fromPointer, toPointer } from '../../errors/pointer.ts'
import { customIssue } from '../custom-issue.ts'

/** One error, as Ajv tells it. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  /** What the keyword says; with the option `verbose` alone. */
  readonly schema?: unknown
  /** The schema with the keyword; with the option `verbose` alone. */
  readonly parentSchema?: object
  /** Of a choice of which no branch is meant more than another: what is wrong with the value itself in each. */
  readonly forms?: readonly SchemaError[]
  /** Of a choice that nothing has been found out about: looks for what is wrong in each branch, in the same run. */
  readonly branches?: () => readonly (readonly SchemaError[])[]
}

// Zod takes issues with any further member, which an interface is not.
type StrayIssue = {
  readonly code: 'unrecognized_keys'
  readonly keys: string[]
  readonly path: PropertyKey[]
  readonly input: never
}

type WrongValueIssue = ReturnType<typeof customIssue> & {
  readonly code: 'custom'
  readonly path: PropertyKey[]
  readonly input: unknown
}

/** An issue as Zod takes it. */
export type SchemaIssue = StrayIssue | WrongValueIssue

/** One of a member that nothing names. */
export const strayIssue = (path: readonly PropertyKey[]): StrayIssue => ({
  code: 'unrecognized_keys',
  keys: [String(path.at(-1))],
  path: path.slice(0, -1),
  input: undefined as never,
})

/** Of so many an agent is told at once. */
export const mostIssues = 20

/** What a check found, as the issues of a Zod schema. `input` is what was checked. */
export const issuesOf = (errors: readonly SchemaError[], input: unknown): readonly SchemaIssue[] =>
  [
    ...new Map(
      errors.map((error): [string, SchemaIssue] => {
        const path = pathOf(error)
        const text = allowed(error)
        return [
          JSON.stringify([error.instancePath, path.length, path.at(-1), text]),
          isStray(error)
            ? strayIssue(path)
            : { code: 'custom', path, ...customIssue(text, { limit: limitOf(error) }), input },
        ]
      }),
    ).values(),
  ].slice(0, mostIssues)

const isStray = ({ keyword }: SchemaError): boolean =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'

/** Which member an error calls too many. */
export const strayPointer = (error: SchemaError): string | undefined =>
  isStray(error) ? toPointer(pathOf(error)) : undefined

function pathOf(error: SchemaError): PropertyKey[] {
  const path: PropertyKey[] = fromPointer(error.instancePath)
  const { params } = error
  const below = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof below === 'string' ? [...path, below] : path
}

/** What a keyword allows, where every language of cards has words for it. */
function limitOf({ keyword, params }: SchemaError): Limit | undefined {
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'required':
      return { is: 'given' }
    case 'type':
      return typeof params['type'] === 'string' ? { is: 'type', type: params['type'] } : undefined
    case 'enum':
      return { is: 'oneOf', values: (params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)) }
    case 'format':
      return { is: 'format', format: String(params['format']) }
    case 'minLength':
      return { is: 'text', bound: 'least', limit }
    case 'maxLength':
      return { is: 'text', bound: 'most', limit }
    case 'minItems':
      return { is: 'list', bound: 'least', limit }
    case 'maxItems':
      return { is: 'list', bound: 'most', limit }
    case 'minimum':
      return { is: 'number', bound: 'least', limit }
    case 'maximum':
      return { is: 'number', bound: 'most', limit }
    case 'exclusiveMinimum':
      return { is: 'number', bound: 'above', limit }
    case 'exclusiveMaximum':
      return { is: 'number', bound: 'below', limit }
    case 'multipleOf':
      return { is: 'multiple', of: Number(params['multipleOf']) }
    default:
      return undefined
  }
}

/** Completes "allowed is …". */
function allowed(error: SchemaError): string {
  const { params } = error
  if (error.keyword === 'required') return 'a value; this argument is required'
  const limit = limitOf(error)
  if (limit !== undefined) return limitIn('en', limit)
  switch (error.keyword) {
    case 'type':
      return `a value of type ${Array.isArray(params['type']) ? params['type'].join(' or ') : ''}`
    case 'const':
      return JSON.stringify(params['allowedValue'])
    case 'pattern':
      return `text that matches ${String(params['pattern'])}`
    case 'anyOf':
    case 'oneOf':
      return alternatives(error)
    case 'minProperties':
    case 'maxProperties':
      return membersText(error)
    case 'uniqueItems':
      return 'a list in which no item stands twice'
    case 'dependentRequired':
      return `a value, because ${String(params['property'])} is given`
    case 'not':
      return 'a value that the schema of the tool does not exclude'
    default:
      return (error.message ?? 'what the schema of the tool says').replace(/^must (be )?/, '')
  }
}

/** How many members an object may have. */
const membersText = ({ keyword, params }: SchemaError): string =>
  `an object of ${keyword === 'minProperties' ? 'at least' : 'at most'} ${String(params['limit'])} member${params['limit'] === 1 ? '' : 's'}`

/** What each branch of a choice would have taken, as far as it says something about this very value. */
function alternatives({ params, forms = [] }: SchemaError): string {
  if (Array.isArray(params['passingSchemas'])) return 'just one of the forms that the schema describes'
  const unique = [...new Set(forms.map(form))].slice(0, 5)
  return unique.length === 0 ? 'one of the forms that the schema describes' : unique.join(', or ')
}

/** What one branch would have taken. */
function form(error: SchemaError): string {
  const member = String(pathOf(error).at(-1))
  if (error.keyword === 'required' || error.keyword === 'dependentRequired') return `an object with ${member}`
  return isStray(error) ? `an object without ${member}` : allowed(error)
}
