// What a new token may say, for both doors that make one: the operators' API and the terminal.
import { z } from 'zod'
import { operatorsTenant } from '../../operators/operator-record.ts'
import { readUntil, untilWords } from '../activity/time-input.ts'

/** A permission as OAuth spells a scope (RFC 6749, section 3.3). */
const permission = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/, 'a name like orders:write, without blanks')

const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'is empty')
    .max(longest, `has more than ${longest} characters`)
    .regex(/^[^\p{C}]*$/u, 'has control characters')

const tenantSchema = line(200).refine((name) => name !== operatorsTenant, 'is taken for the operators themselves')

/** Whether a tenant may have this name. */
export const isTenantName = (name: unknown): name is string => tenantSchema.safeParse(name).data === name

/** A body of `POST /api/v1/tokens`. */
export const tokenSchema = (now: () => number) =>
  z.strictObject({
    tenant: tenantSchema.optional(),
    subject: line(255),
    /** `["*"]` for everything. */
    permissions: z
      .array(permission)
      .max(200)
      .default([])
      .transform((names) => (names.includes('*') ? ('all' as const) : [...new Set(names)])),
    label: line(100).optional(),
    expires: z
      .string(untilWords)
      .transform((text, context) => {
        const from = now()
        const at = readUntil(text, from)
        if (at !== undefined && at > from) return at
        context.addIssue({ code: 'custom', message: untilWords })
        return z.NEVER
      })
      .optional(),
  })
