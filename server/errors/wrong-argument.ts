// One wrong argument as the server knows it: what every door says of it, and what to do where another value would not
// help. The wording of an instruction follows from this data and never from the sentence that stands in `allowed`.
import type { FieldError } from './guidance.ts'
import type { Limit } from './limit.ts'

/** What to do about a wrong argument, where that is not to change it to what is allowed. */
export type Remedy =
  /** No value is right here: the argument is to be left out. `why` completes "Leave out /foo; …". */
  | { readonly kind: 'leave-out'; readonly why: string }
  /** No other arguments help; `instruction` is the whole sentence that says what does. */
  | { readonly kind: 'instead'; readonly instruction: string }
  /** `allowed` is a sentence of the tool's own, and no phrase that completes one of ours. */
  | { readonly kind: 'as-said' }

export interface WrongArgument extends FieldError {
  /** What `allowed` says, where a card in another language has words for it. */
  readonly limit?: Limit | undefined
  readonly remedy?: Remedy | undefined
}

type Said = Pick<WrongArgument, 'allowed' | 'remedy'>

/** An argument that a tool does not take. `names`: those that it takes. */
export function unknownArgument(names: readonly string[]): Said {
  const why = names.length === 0 ? 'this tool takes no arguments of its own' : `this tool takes ${listed(names)}`
  return { allowed: `no such argument; ${why}`, remedy: { kind: 'leave-out', why } }
}

/** A member that an object within the arguments does not take. */
export const unknownMember = (pointer: string): Said => ({
  allowed: 'no such argument',
  remedy: { kind: 'leave-out', why: `${pointer} has no such member` },
})

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** As it goes over the wire. */
export function fieldError(argument: WrongArgument): FieldError {
  const { remedy: _, limit: __, ...field } = argument
  return field
}
