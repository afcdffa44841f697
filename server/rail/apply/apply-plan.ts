// Arguments of many kilobytes do not fit a chat message, and no model copies them without fault. The reference form
// names the plan instead; the server runs what it stored.
import { z } from 'zod'
import type { Failure } from '../../errors/failure.ts'
import type { FieldError } from '../../errors/guidance.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { coaching } from '../../tools/rail-words.ts'
import { fieldErrors, plainArguments } from '../intake/parse.ts'
import { rationaleLimits } from '../intake/rationale.ts'

export const applyPlanName = 'apply_plan'
export const applyPlanTitle = 'Apply a confirmed plan'

/** A title is there to be read; the plan is named by its ticket. */
export const longestTitle = 2000

const schema = z.strictObject({
  tool: z.string().min(1).max(128),
  title: z.string().max(longestTitle).optional(),
  rationale: z.string().min(rationaleLimits.shortest).max(rationaleLimits.longestReason).optional(),
  ticket: z.string().max(64),
  preview: z.literal(false),
})

type ApplyPlanArguments = z.infer<typeof schema>

/** JSON Schema of `apply_plan` for the listing. Its arguments are copied from a message, so lengths are checked and not told. */
export const applyPlanSchema = (): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minLength
      delete jsonSchema.maxLength
    },
  })
  return rest
}

export const applyPlanDescription = `Applies a confirmed plan whose arguments are too long to repeat. ${coaching}`

/** Parses the arguments of `apply_plan`. */
export function readApplyPlan(args: unknown, maxBytes: number): Result<ApplyPlanArguments, Failure> {
  const invalid = (fields: readonly FieldError[]): Result<never, Failure> =>
    fail({ kind: 'invalid-arguments', tool: applyPlanName, fields })
  const plain = plainArguments(args, maxBytes)
  if (!plain.ok) return invalid([plain.failure])
  const parsed = schema.safeParse(plain.value)
  return parsed.success ? ok(parsed.data) : invalid(fieldErrors(parsed.error, plain.value, Object.keys(schema.shape)))
}

const planTool = schema.pick({ tool: true }).loose()

/** The tool that a call of `apply_plan` names, before anything else of it is looked at. */
export const readPlanTool = (args: unknown): string | undefined => planTool.safeParse(args).data?.tool
