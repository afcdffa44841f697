// The rows of the two failures that blame single arguments, field by field and bounded: whoever sends fifty thousand wrong
// arguments must not get fifty thousand sentences back.
import type { Failure } from './failure.ts'
import { glimpse } from './glimpse.ts'
import type { Fix } from './guidance.ts'
import { at, show, type Row } from './row.ts'
import { fieldError, type WrongArgument } from './wrong-argument.ts'

/** Wrong arguments beyond these are counted, not named. */
const namedFields = 20

/** Larger values are in the Apply message and are not repeated here. In bytes of JSON. */
const isLong = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) > 2048

/** `undefined` means that the call has no such argument; `null` is a value. */
const receivedText = (value: unknown): string => (value === undefined ? 'missing' : `received ${show(value)}`)
const showIfAny = (value: unknown): string => (value === undefined ? 'nothing' : show(value))

/** The instruction for one wrong argument. */
function advice({ pointer, received, allowed, remedy }: WrongArgument): string {
  switch (remedy?.kind) {
    case 'leave-out':
      return `Leave out ${at(pointer)}; ${ended(remedy.why)}`
    case 'instead':
      return ended(remedy.instruction)
    case 'as-said':
      return `Change ${at(pointer)}: ${ended(allowed)}`
    case undefined:
      return received === undefined && pointer !== ''
        ? `Add ${at(pointer)}: ${ended(allowed)}`
        : `Change ${at(pointer)} to ${ended(allowed)}`
    default:
      return remedy satisfies never
  }
}

/** A sentence of a tool's own may have its full stop already. */
const ended = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

/** What is wrong with one argument, as a part of a sentence. */
const causeOf = ({ pointer, received, allowed, remedy }: WrongArgument): string =>
  `${at(pointer)}: ${receivedText(received)}${remedy === undefined ? `, allowed is ${allowed}` : `; ${allowed}`}`

const whyEdited = ({ allowed, remedy }: WrongArgument): string => {
  switch (remedy?.kind) {
    case 'leave-out':
      return `leave it out; ${remedy.why}`
    case 'instead':
      return remedy.instruction
    case 'as-said':
      return allowed
    case undefined:
      return `allowed is ${allowed}`
    default:
      return remedy satisfies never
  }
}

/** For each wrong argument: what is allowed there. */
export const editsFor = (fields: readonly WrongArgument[]): readonly Fix[] =>
  fields.map((field) => ({ kind: 'edit_arguments', pointer: field.pointer, why: whyEdited(field) }))

/** Arguments that the schema refuses. */
export function invalidArguments(failure: Extract<Failure, { kind: 'invalid-arguments' }>): Row {
  const fields = failure.fields.slice(0, namedFields)
  const more = failure.fields.length - fields.length
  return {
    error_type: 'validation_error',
    category: 'arguments',
    message: `${failure.tool} was not run: ${failure.fields.length === 1 ? 'one argument is' : `${failure.fields.length} arguments are`} wrong.`,
    cause: [...fields.map(causeOf), ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    actionable_guidance: fields.map(advice),
    fix: editsFor(fields),
    retryable: 'after_change',
    field_errors: fields.map(fieldError),
    rule: 'arguments.schema',
  }
}

/** Arguments that are not those that a person confirmed. */
export function mismatch(failure: Extract<Failure, { kind: 'mismatch' }>): Row {
  const fields = failure.fields.slice(0, namedFields)
  const others = failure.fields.length > fields.length ? ['and others'] : []
  return {
    error_type: 'confirmation_mismatch',
    category: 'confirmation',
    message: `Nothing was run: these are not the arguments that were confirmed (${[...fields.map((field) => at(field.pointer)), ...others].join(', ')}).`,
    cause: [
      ...fields.map(
        (field) =>
          `${at(field.pointer)}: confirmed ${showIfAny(field.confirmed)}, received ${showIfAny(field.received)}`,
      ),
      ...others,
    ].join('; '),
    actionable_guidance: [
      "Repeat the user's Apply message exactly as it was sent, or let the person confirm the fresh preview that comes with this answer.",
    ],
    fix: fields.map((field): Fix => ({
      kind: 'edit_arguments',
      pointer: field.pointer,
      ...(field.confirmed === undefined || field.isHidden === true || isLong(field.confirmed)
        ? {}
        : { to: field.confirmed }),
      why: field.confirmed === undefined ? 'leave it out, as the confirmed call did' : 'this is what was confirmed',
    })),
    retryable: 'after_change',
    field_errors: fields.map((field) => ({
      pointer: field.pointer,
      received: glimpse(field.received),
      allowed:
        field.confirmed === undefined
          ? 'nothing: it was not part of what was confirmed'
          : `the confirmed value ${show(field.confirmed)}`,
    })),
    rule: 'plan.digest',
  }
}
