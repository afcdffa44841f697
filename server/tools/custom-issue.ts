// A custom issue of Zod has one message, and a wrong argument has two things to say: what is allowed, and what to do where
// that is not to change the value. Ours carry both in `params`; what has none is a sentence of a tool's author.
import { z } from 'zod'
import type { Limit } from '../errors/limit.ts'
import type { Remedy, WrongArgument } from '../errors/wrong-argument.ts'

const remedySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('leave-out'), why: z.string() }),
  z.object({ kind: z.literal('instead'), instruction: z.string() }),
  z.object({ kind: z.literal('as-said') }),
]) satisfies z.ZodType<Remedy>

const paramsSchema = z.object({
  countersign: z.object({ allowed: z.string(), remedy: remedySchema.optional(), limit: z.custom<Limit>().optional() }),
})

/** The message and the `params` of a custom issue that says what is allowed, as a phrase or with a remedy. */
export const customIssue = (allowed: string, { remedy, limit }: Pick<WrongArgument, 'remedy' | 'limit'> = {}) => ({
  message: allowed,
  params: {
    countersign: { allowed, ...(remedy === undefined ? {} : { remedy }), ...(limit === undefined ? {} : { limit }) },
  },
})

/** What a custom issue says: ours by its `params`, a tool's own by its message. */
export function readCustomIssue(issue: z.core.$ZodIssueCustom): Pick<WrongArgument, 'allowed' | 'remedy' | 'limit'> {
  const ours = paramsSchema.safeParse(issue.params)
  return ours.success ? ours.data.countersign : { allowed: issue.message, remedy: { kind: 'as-said' } }
}
