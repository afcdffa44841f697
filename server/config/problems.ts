// What a schema says of a value is for programs; a person needs to know which key, what it is now, what it may be, and
// the nearest right spelling. Values that may be secrets are never repeated: messages end up in logs.
import { z } from 'zod'
import { kindOf } from '../errors/kind-of.ts'
import { nearest } from '../errors/nearest.ts'
import { valueAt } from '../errors/pointer.ts'

export interface Said {
  /** Path of what is wrong; for an unknown key the key itself. */
  readonly path: readonly PropertyKey[]
  /** The place is the key's, not the value's. */
  readonly key: boolean
  readonly message: string
  readonly next: string
}

/** One entry for each mistake, in the words of whoever writes the file. */
export function explain(
  schema: z.ZodType,
  error: z.ZodError,
  input: unknown,
  isSecret: (path: readonly PropertyKey[]) => boolean,
): readonly Said[] {
  return error.issues.flatMap((issue): readonly Said[] => {
    const { path } = issue
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(schema, path, key))
    const [message, next] = wrongValue(issue, valueAt(input, path), isSecret(path))
    return [{ path, key: false, message, next }]
  })
}

function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): Said {
  const known = keysAt(schema, path)
  const [near] = nearest(key, known)
  const where = path.length === 0 ? '' : `${path.map(String).join('.')} has an unknown key `
  return {
    path: [...path, key],
    key: true,
    message: where === '' ? `"${key}" is an unknown key` : `${where}"${key}"`,
    next:
      near !== undefined
        ? `Did you mean "${near}"?`
        : known.length === 0
          ? 'Take it out.'
          : `Known are ${known.join(', ')}.`,
  }
}

function wrongValue(
  issue: z.core.$ZodIssue,
  given: unknown,
  secret: boolean,
): readonly [message: string, next: string] {
  const name = issue.path.map(String).join('.')
  const head = name === '' ? '' : `${name} `
  if (issue.code === 'custom') return [`${head}${issue.message}`, 'Correct it and start again.']
  const reason = reasonOf(issue)
  const next = 'Correct it and start again.'
  if (given === undefined && issue.code === 'invalid_type') return [`${head}is missing: it ${reason}`, next]
  if (secret || reason.startsWith('is ')) return [`${head}${reason}`, next]
  return [`${head}cannot be ${shown(given)}: it ${reason}`, next]
}

/** A program may give what no file has: a function, a BigInt. */
function shown(given: unknown): string {
  try {
    return (JSON.stringify(given) ?? kindOf(given)).slice(0, 80)
  } catch {
    return kindOf(given)
  }
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? issue.expected}`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is empty'
      return own.test(issue.message) ? issue.message : `must be at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return own.test(issue.message) ? issue.message : `must be at most ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_union':
      return unionReason(issue)
    default:
      return issue.message
  }
}

/** A message that stands in the schema. */
const own = /^(?:must|is|has) /

const unit = (origin: string): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' entries' : ''

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list [ … ]',
  object: 'an object { … }',
  record: 'an object { … }',
}

/** Of several forms the one that was meant is the one whose mistake lies deepest. */
function unionReason(issue: z.core.$ZodIssueInvalidUnion): string {
  const inner = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length)
  const [deepest] = inner
  if (deepest === undefined) return issue.message
  const at = deepest.path.length === 0 ? '' : `its ${deepest.path.map(String).join('.')} `
  if (at !== '') return `has a mistake: ${at}${reasonOf(deepest)}`
  return [...new Set(inner.map(reasonOf))].join(', or it ')
}

/** The keys that the object at a path may have. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const found = schemaAt(schema, path)
  const forms: readonly unknown[] = found instanceof z.ZodUnion ? found.options : [found]
  return forms.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []))
}

/** The schema of what is at a path, without its wrappers. */
function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((held, key) => step(held, key), peel(schema))
}

function step(held: unknown, key: PropertyKey): unknown {
  if (held instanceof z.ZodObject) return peel((held.shape as Record<PropertyKey, unknown>)[key])
  if (held instanceof z.ZodRecord) return peel(held.valueType)
  if (held instanceof z.ZodArray) return peel(held.element)
  if (held instanceof z.ZodUnion)
    return step(
      held.options.find((option) => option instanceof z.ZodObject),
      key,
    )
  return undefined
}

function peel(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return peel(schema.unwrap())
  return schema
}

/** Whether the schema says that what is at this path is a secret. */
export function isSecretAt(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  let held: unknown = peel(schema)
  for (const key of path) {
    const next = held instanceof z.ZodObject ? (held.shape as Record<PropertyKey, unknown>)[key] : step(held, key)
    if (isMarked(next)) return true
    held = peel(next)
  }
  return false
}

function isMarked(schema: unknown): boolean {
  if (!(schema instanceof z.ZodType)) return false
  if (schema.meta()?.['writeOnly'] === true) return true
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : undefined
  return inner === undefined ? false : isMarked(inner)
}
