// Settings come from the environment and the command line; both are outside, so both are parsed, and what is wrong is
// said with the name of the variable.
import { z } from 'zod'

const environmentSchema = z.object({
  COUNTERSIGN_DB: z.string().min(1, 'is empty').optional(),
  COUNTERSIGN_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters; make one with `openssl rand -base64 32`')
    .optional(),
  COUNTERSIGN_ADMIN_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters; make one with `openssl rand -base64 32`')
    .regex(/^[!-~]*$/, 'must have no blanks and only characters that a header can carry')
    .optional(),
})

export interface Environment {
  readonly db: string | undefined
  readonly secret: string | undefined
  readonly adminToken: string | undefined
}

export type EnvironmentResult =
  | { readonly ok: true; readonly value: Environment }
  | { readonly ok: false; readonly failure: { readonly message: string; readonly next: string } }

/** Reads our variables from an environment. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentResult {
  const parsed = environmentSchema.safeParse(env)
  if (parsed.success) {
    const { COUNTERSIGN_DB: db, COUNTERSIGN_SECRET: secret, COUNTERSIGN_ADMIN_TOKEN: adminToken } = parsed.data
    return { ok: true, value: { db, secret, adminToken } }
  }
  const issue = parsed.error.issues[0]
  return {
    ok: false,
    failure: {
      message: `The environment variable ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be read'}.`,
      next: 'Change it or unset it, and start again.',
    },
  }
}
