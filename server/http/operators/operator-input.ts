// An operator's typo must never look like an answer: a filter or a field that cannot be understood is a 400 that names
// it, with what was received and what is allowed. Nothing is ignored.
import type { Context } from 'hono'
import { z } from 'zod'
import type { OperatorEnv } from './operator.ts'
import { readTime, timeWords } from '../activity/time-input.ts'

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly response: Response }

interface FieldProblem {
  readonly name: string
  readonly received: unknown
  readonly allowed: string
}

/** Reads the query's filters. */
export function readQuery<T>(c: Context, schema: z.ZodType<T>): Read<T> {
  const given: Record<string, string> = {}
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (Object.hasOwn(given, name))
      return badRequest('bad-filter', [{ name, received: `${given[name] ?? ''}, ${value}`, allowed: 'one value' }])
    given[name] = value
  }
  return parsed(schema, given, 'bad-filter')
}

/** Reads a JSON body; none at all is an empty object. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const text = await c.req.text()
  try {
    return parsed(schema, text.trim() === '' ? {} : JSON.parse(text), 'bad-body')
  } catch {
    return badRequest('bad-body', [{ name: '(body)', received: text.slice(0, 80), allowed: 'a JSON object' }])
  }
}

function parsed<T>(schema: z.ZodType<T>, given: unknown, code: string): Read<T> {
  const result = schema.safeParse(given)
  if (result.success) return { ok: true, value: result.data }
  const fields = result.error.issues.flatMap((issue): FieldProblem[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ name, received: valueOf(given, name), allowed: 'nothing: it is not known here' }))
      : [
          {
            name: issue.path.join('.') || '(all)',
            received: valueOf(given, String(issue.path[0] ?? '')),
            allowed: issue.message,
          },
        ],
  )
  return badRequest(code, fields)
}

const valueOf = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null ? ((given as Record<string, unknown>)[name] ?? null) : given

function badRequest(
  code: string,
  fields: readonly FieldProblem[],
): { readonly ok: false; readonly response: Response } {
  const message = fields
    .map(({ name, received, allowed }) => `${name} is ${JSON.stringify(received)}: ${allowed}`)
    .join('; ')
  return {
    ok: false,
    response: Response.json({ error: { code, message: `${message}.`, fields } }, { status: 400 }),
  }
}

/** The refusal of an admin door. */
export const refuseOperator = (
  status: 403 | 404 | 409 | 429,
  error: { readonly code: string; readonly message: string; readonly next: string },
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ error, ...more }, { status, headers })

/** A name that a person gave: one line. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, 'a name of 1 to 100 characters')
  .max(100, 'a name of 1 to 100 characters')
  .regex(/^[^\p{C}]*$/u, 'a name without control characters')

/** Who decides. Only the holder of the admin token may say another name than their own: a token has none. */
export const approverOf = (c: Context<OperatorEnv>, by: string | undefined): string =>
  c.var.operator.via === 'admin-token' && by !== undefined ? by : c.var.operator.name

/** A filter `since`. */
export const sinceSchema = (now: () => number) =>
  z.string().transform((text, ctx) => {
    const at = readTime(text, now())
    if (at !== undefined) return at
    ctx.addIssue({ code: 'custom', message: timeWords })
    return z.NEVER
  })

/** A filter `limit`. */
export const limitSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'a number from 1 to 200')
  .transform(Number)
  .refine((limit) => limit <= 200, 'a number from 1 to 200')
  .optional()
