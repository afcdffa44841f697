// What a new token may say, for both doors that make one: the operators' API and the terminal.
import { z } from 'zod'
import { operatorsTenant } from '../call/operator-record.ts'
import { readTime } from './time-input.ts'

const expiryWords = 'how long it lasts (12h, 30d, 52w) or a moment to come like 2027-01-31'

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

/** When a token ends: an age from now on, or a moment that is still to come. Epoch milliseconds. */
export function readExpiry(text: string, now: number): number | undefined {
  const at = readTime(text, now)
  if (at === undefined) return undefined
  const ends = /^\d+[smhdw]$/.test(text) ? now + (now - at) : at
  return ends > now ? ends : undefined
}

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
      .string(expiryWords)
      .transform((text, context) => {
        const at = readExpiry(text, now())
        if (at !== undefined) return at
        context.addIssue({ code: 'custom', message: expiryWords })
        return z.NEVER
      })
      .optional(),
  })
