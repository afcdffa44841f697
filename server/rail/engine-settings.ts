// Settings come from whoever starts the server, often from plain JavaScript. A misspelt proof must not quietly become
// none, so they are parsed once, before anything is served.
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import { toPointer } from '../errors/pointer.ts'
import { defaultSettings, type EngineSettings } from './engine.ts'
import { risks } from '../model/risk.ts'

const proof = z.enum(['none', 'plan', 'ticket', 'recorded'])
const milliseconds = z
  .number()
  .int()
  .min(1)
  .max(366 * 24 * 3_600_000)
const callable = z.custom<NonNullable<EngineSettings['riskOf']>>(
  (value) => typeof value === 'function',
  'must be a function',
)

const settingsSchema = z.strictObject({
  source: z.string().optional(),
  languages: z.array(z.string()).optional(),
  apply: z.enum(['auto', 'inline', 'reference']).optional(),
  proof: z
    .strictObject({
      low: proof.optional(),
      medium: proof.optional(),
      high: proof.optional(),
      critical: proof.optional(),
    })
    .optional(),
  guidance: z
    .strictObject({
      errors: z.boolean().default(true),
      budget: z.boolean().default(true),
      sample: z.number().min(0).max(1).default(1),
    })
    .optional(),
  confirmation: z.enum(['rail', 'host']).optional(),
  rationale: z
    .union([
      z.strictObject({ mode: z.literal('required') }),
      z.strictObject({ mode: z.literal('grace'), until: z.iso.datetime() }),
    ])
    .optional(),
  autoApproveHigh: z
    .union([z.array(z.string()), z.custom<(tenant: string) => boolean>((value) => typeof value === 'function')])
    .optional(),
  riskOf: callable.optional(),
  webAddress: z.url().optional(),
  operatorOptions: z.string().optional(),
  operatorVariables: z.array(z.string().min(1)).optional(),
  approvals: z
    .array(
      z.strictObject({
        tools: z.array(z.string().min(1)).min(1),
        risk: z.array(z.enum(risks)).optional(),
        approvers: z.int().min(1).max(5),
        fourEyes: z.boolean(),
      }),
    )
    .optional(),
  approvalTtlMs: milliseconds.optional(),
  planTtlMs: milliseconds.optional(),
  clickExtendsMs: z.number().int().min(0).optional(),
  leaseMs: milliseconds.optional(),
  runTimeoutMs: milliseconds.optional(),
  maxArgumentBytes: z.number().int().min(1).optional(),
})

interface SettingsFailure {
  readonly message: string
  readonly next: string
}

/** Settings as they were given, over the defaults. What is unknown, misspelt or out of range is refused by its place. */
export function readSettings(given: unknown): Result<EngineSettings, SettingsFailure> {
  const parsed = settingsSchema.safeParse(given ?? {})
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return fail({
      message: `The setting ${toPointer(issue?.path ?? [])} cannot be used: ${issue?.message ?? 'not understood'}.`,
      next: 'Change it or leave it out to get the default.',
    })
  }
  const told = Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined))
  const proofs = Object.fromEntries(Object.entries(parsed.data.proof ?? {}).filter(([, value]) => value !== undefined))
  return ok({ ...defaultSettings, ...told, proof: { ...defaultSettings.proof, ...proofs } })
}
