// One wrong argument as the server knows it: what every door says of it, and what to do where another value would not
// help. The wording of an instruction follows from this data and never from the sentence that stands in `allowed`.
import { z } from 'zod'
import type { FieldError } from './guidance.ts'

const remedySchema = z.discriminatedUnion('kind', [
  /** No value is right here: the argument is to be left out. `why` completes "Leave out /foo; …". */
  z.strictObject({ kind: z.literal('leave-out'), why: z.string() }),
  /** No other arguments help; `instruction` is the whole sentence that says what does. */
  z.strictObject({ kind: z.literal('instead'), instruction: z.string() }),
  /** `allowed` is a sentence of the tool's own, and no phrase that completes one of ours. */
  z.strictObject({ kind: z.literal('as-said') }),
])

/** What to do about a wrong argument, where that is not to change it to what is allowed. */
export type Remedy = Readonly<z.output<typeof remedySchema>>

export interface WrongArgument extends FieldError {
  readonly remedy?: Remedy | undefined
}

/** What a Zod issue of ours carries in its `params`, so that `allowed` and `remedy` survive the schema. */
const issueParams = z.object({ countersign: z.object({ allowed: z.string(), remedy: remedySchema.optional() }) })

/** The message and the `params` of a custom Zod issue that says what is allowed, as a phrase or with a remedy. */
export const customIssue = (allowed: string, remedy?: Remedy) => ({
  message: allowed,
  params: { countersign: remedy === undefined ? { allowed } : { allowed, remedy } },
})

/** What a custom Zod issue says: ours by its `params`, a tool's own by its message. */
export function readCustomIssue(issue: z.core.$ZodIssueCustom): Pick<WrongArgument, 'allowed' | 'remedy'> {
  const ours = issueParams.safeParse(issue.params)
  return ours.success ? ours.data.countersign : { allowed: issue.message, remedy: { kind: 'as-said' } }
}

/** An argument that nothing takes. `names`: what is taken in its place; `owner`: by what. */
export function unknownArgument(names: readonly string[], owner: string): Pick<WrongArgument, 'allowed' | 'remedy'> {
  const why = names.length === 0 ? `${owner} takes no arguments` : `${owner} takes ${listed(names)}`
  return { allowed: `no such argument; ${why}`, remedy: { kind: 'leave-out', why } }
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** As it goes over the wire. */
export function fieldError(argument: WrongArgument): FieldError {
  const { remedy: _, ...field } = argument
  return field
}
