// Arguments of many kilobytes do not fit a chat message, and no model copies them without fault. The reference form
// names the plan instead; the server runs what it stored.
import { z } from 'zod'
import type { Failure } from '../errors/failure.ts'
import { toPointer } from '../errors/pointer.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { glimpse } from './parse.ts'

export const applyPlanName = 'apply_plan'

const schema = z.strictObject({
  tool: z.string().min(1).max(128).describe('The tool of the plan, from the Apply message.'),
  title: z.string().max(2000).optional().describe('The title of the plan, from the Apply message.'),
  rationale: z.string().min(10).max(500).describe('One sentence: why you make this call.'),
  ticket: z.string().max(64).describe('The ticket, from the Apply message.'),
  preview: z.literal(false).describe('Always false: a plan has been previewed already.'),
})

export type ApplyPlanArguments = z.infer<typeof schema>

/** JSON Schema of `apply_plan` for the listing. */
export const applyPlanSchema = (): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema)
  return rest
}

export const applyPlanDescription =
  "Applies a plan that the person has confirmed, where its arguments are too long to repeat. Only when the user's own message is `Apply: call apply_plan(…)` with the ticket of a preview in this conversation, make exactly that call."

/** Parses the arguments of `apply_plan`. */
export function readApplyPlan(args: unknown): Result<ApplyPlanArguments, Failure> {
  const parsed = schema.safeParse(args ?? {})
  if (parsed.success) return ok(parsed.data)
  return fail({
    kind: 'invalid-arguments',
    tool: applyPlanName,
    fields: parsed.error.issues.map((issue) => ({
      pointer: toPointer(issue.path),
      received: glimpse(
        issue.path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | undefined)?.[key], args),
      ),
      allowed: issue.message,
    })),
  })
}
