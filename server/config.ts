// Settings come from the environment and the command line; both are outside, so both are parsed, and what is wrong is
// said with the name of the variable.
import { z } from 'zod'

const count = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number from 1 up')
  .transform(Number)
  .optional()

const environmentSchema = z.object({
  COUNTERSIGN_ANCHOR: z.string().min(1, 'is empty').optional(),
  COUNTERSIGN_ACTIVITY_DAYS: count,
  COUNTERSIGN_ACTIVITY_ROWS: count,
  COUNTERSIGN_ACTIVITY_BYTES: count,
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
  /** Where the heads of the activity log are appended, and what may stay of it. */
  readonly activity: {
    readonly anchor: string | undefined
    readonly retention: { readonly days?: number; readonly rows?: number; readonly bytes?: number } | undefined
  }
}

export type EnvironmentResult =
  | { readonly ok: true; readonly value: Environment }
  | { readonly ok: false; readonly failure: { readonly message: string; readonly next: string } }

/** Reads our variables from an environment. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentResult {
  const parsed = environmentSchema.safeParse(env)
  if (parsed.success) {
    const { COUNTERSIGN_DB: db, COUNTERSIGN_SECRET: secret, COUNTERSIGN_ADMIN_TOKEN: adminToken } = parsed.data
    return { ok: true, value: { db, secret, adminToken, activity: activityOf(parsed.data) } }
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

function activityOf(env: z.infer<typeof environmentSchema>): Environment['activity'] {
  const { COUNTERSIGN_ACTIVITY_DAYS: days, COUNTERSIGN_ACTIVITY_ROWS: rows, COUNTERSIGN_ACTIVITY_BYTES: bytes } = env
  const limits = {
    ...(days === undefined ? {} : { days }),
    ...(rows === undefined ? {} : { rows }),
    ...(bytes === undefined ? {} : { bytes }),
  }
  return { anchor: env.COUNTERSIGN_ANCHOR, retention: Object.keys(limits).length === 0 ? undefined : limits }
}
