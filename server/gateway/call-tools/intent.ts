// Two keys: the call tool that the agent chose, and the intent that it declares in the call. Both must say the same, and the
// server's own annotations must not contradict them. A host can then permit reading and ask for the rest by the tool's
// name alone. Pure; agents and tests rely on the words of the messages.
import { fail, ok, type Result } from '../../errors/result.ts'
import { markedAs, type Hints, type Variant } from './call-with.ts'
import type { IntentSettings } from '../upstream/settings/upstream-config.schema.ts'

export const operationTypes = ['read', 'write', 'destructive'] as const
export type OperationType = (typeof operationTypes)[number]

export const sensitivities = ['public', 'internal', 'private', 'unknown'] as const
type DataSensitivity = (typeof sensitivities)[number]

/** The longest `intent.reason`, and the shortest that counts as the call's rationale. */
export const reasonLimits = { longest: 1000, rationaleFrom: 10 } as const

/** What an agent declared, complete, as the record keeps it. */
export interface Intent {
  readonly operation_type: OperationType
  readonly data_sensitivity?: DataSensitivity
  readonly reason?: string
}

interface IntentFailure {
  readonly code: 'intent_required' | 'intent_invalid' | 'intent_mismatch' | 'annotation_mismatch'
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  /** One sentence: what to do next. */
  readonly guidance: string
  /** What was declared, where that could be read and only contradicts the call tool or the tool. */
  readonly intent?: Intent
}

export interface Declared {
  readonly intent: Intent
  /** The reason, where it is long enough to serve as the call's rationale. */
  readonly rationale: string | undefined
  /** Said with the answer, and recorded. */
  readonly warnings: readonly string[]
  /** Whether the server's annotations contradict the call tool; the operator lets that pass. */
  readonly contradicted: boolean
}

interface IntentQuestion {
  readonly variant: Variant
  /** Arguments of the meta tool, as they came: `intent`, or its flat aliases. */
  readonly args: Readonly<Record<string, unknown>>
  /** Name of the upstream tool, `server:tool`. */
  readonly tool: string
  readonly hints: Hints | undefined
  /** The call tool that its rating names; where the annotations are contradicted, it is not theirs. */
  readonly callWith?: Variant | undefined
  readonly settings: IntentSettings
}

/** The operation that each call tool stands for. */
export const keyOf: Readonly<Record<Variant, OperationType>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'destructive',
}

/** Checks what the agent declares against the call tool it took and against the server's annotations. */
export function checkIntent(question: IntentQuestion): Result<Declared, IntentFailure> {
  const { variant, tool, hints, settings } = question
  const read = readIntent(question)
  if (!read.ok) return read
  const intent = read.value
  if (intent.operation_type !== keyOf[variant])
    return fail({
      code: 'intent_mismatch',
      message: `Intent mismatch: tool is ${variant} but intent declares ${intent.operation_type}`,
      details: { tool, variant, expected: keyOf[variant], received: intent.operation_type },
      guidance: `Call call_tool_${intent.operation_type} if you mean to ${verbOf[intent.operation_type]}; otherwise declare operation_type "${keyOf[variant]}".`,
      intent,
    })
  const marked = markedAs(hints)
  const warnings: string[] = []
  const contradicted = marked === 'destructive' && variant !== 'call_tool_destructive'
  if (contradicted) {
    const message = `Tool '${tool}' is marked destructive by server, use call_tool_destructive`
    if (settings.strict_server_validation)
      return fail({
        code: 'annotation_mismatch',
        message,
        details: { tool, variant, server_says: 'destructive', use: 'call_tool_destructive' },
        guidance: 'Make the same call with call_tool_destructive and operation_type "destructive".',
        intent,
      })
    warnings.push(message)
  }
  if (
    marked === 'read-only' &&
    variant === 'call_tool_write' &&
    (question.callWith ?? 'call_tool_read') === 'call_tool_read'
  )
    warnings.push(`Tool '${tool}' is marked read-only by server, call_tool_read would do`)
  return ok({ intent, rationale: rationaleOf(intent.reason), warnings, contradicted })
}

const verbOf: Readonly<Record<OperationType, string>> = {
  read: 'change nothing',
  write: 'create or update',
  destructive: 'delete, or do what cannot be undone',
}

const rationaleOf = (reason: string | undefined): string | undefined =>
  reason !== undefined && reason.trim().length >= reasonLimits.rationaleFrom ? reason : undefined

/** Reads the intent in either form. Both forms at once must agree. */
function readIntent({ args, settings }: IntentQuestion): Result<Intent, IntentFailure> {
  const nested = nestedIntent(args['intent'])
  if (nested === undefined)
    return invalid(
      'intent',
      'intent must be an object with operation_type',
      glimpse(args['intent']),
      settings.shape === 'flat' ? 'Use intent_operation_type instead.' : 'Send intent: {"operation_type": "read"}.',
    )
  const merged: Record<string, unknown> = {}
  for (const field of ['operation_type', 'data_sensitivity', 'reason'] as const) {
    const inside = nested[field] ?? undefined
    const flat = args[`intent_${field}`] ?? undefined
    if (inside !== undefined && flat !== undefined && inside !== flat)
      return invalid(
        `intent_${field}`,
        `intent.${field} and intent_${field} say different things`,
        glimpse(flat),
        'Give it once.',
      )
    merged[field] = inside ?? flat
  }
  return checkFields(merged, settings)
}

function checkFields(fields: Record<string, unknown>, settings: IntentSettings): Result<Intent, IntentFailure> {
  const { operation_type: operation, data_sensitivity: sensitivity, reason } = fields
  const name = (field: string): string => (settings.shape === 'flat' ? `intent_${field}` : `intent.${field}`)
  if (operation === undefined || operation === '')
    return fail({
      code: 'intent_required',
      message: 'intent.operation_type is required',
      details: { field: name('operation_type'), allowed: operationTypes },
      guidance: `Send ${name('operation_type')}: "read", "write" or "destructive", matching the tool that you call.`,
    })
  if (!isOneOf(operationTypes, operation))
    return invalid(
      name('operation_type'),
      `Invalid intent.operation_type ${quote(operation)}: must be read, write or destructive`,
      glimpse(operation),
      'Use the one that matches the tool that you call.',
    )
  if (sensitivity !== undefined && !isOneOf(sensitivities, sensitivity))
    return invalid(
      name('data_sensitivity'),
      `Invalid intent.data_sensitivity ${quote(sensitivity)}: must be public, internal, private or unknown`,
      glimpse(sensitivity),
      'Use one of them, or leave it out.',
    )
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > reasonLimits.longest))
    return invalid(
      name('reason'),
      typeof reason === 'string'
        ? `intent.reason has ${reason.length} characters: at most ${reasonLimits.longest} are allowed`
        : 'intent.reason must be text',
      glimpse(reason),
      'Say it in one or two sentences.',
    )
  return ok({
    operation_type: operation,
    ...(sensitivity === undefined ? {} : { data_sensitivity: sensitivity }),
    ...(reason === undefined ? {} : { reason }),
  })
}

/** Reads `intent`: some models write the object as JSON text, which is the same object. `undefined` where it is none. */
export function nestedIntent(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined || given === null || given === '') return {}
  const value = typeof given === 'string' ? parseObject(given) : given
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  (list as readonly unknown[]).includes(value)

const invalid = (field: string, message: string, received: unknown, guidance: string): Result<never, IntentFailure> =>
  fail({ code: 'intent_invalid', message, details: { field, received }, guidance })

const quote = (value: unknown): string => `'${String(glimpse(value))}'`

function glimpse(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 77)}…` : typeof value === 'object' ? text : value
}
