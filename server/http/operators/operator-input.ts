// An operator's typo must never look like an answer: a filter or a field that cannot be understood is a 400 that names
// it, with what was received and what is allowed. Nothing is ignored.
import type { Context, Env, MiddlewareHandler, Next } from 'hono'
import { z } from 'zod'
import { beginAct } from '../../operators/operator-record.ts'
import type { Store } from '../../store/store.ts'
import type { OperatorEnv } from './operator.ts'
import { readTime, timeWords } from '../activity/time-input.ts'

interface FieldProblem {
  readonly name: string
  readonly received: unknown
  readonly allowed: string
}

type Kind = 'query' | 'json'
type Names<Schema extends z.ZodType> = { readonly [Name in keyof z.input<Schema>]?: string | undefined }

/** What a request brings, as the pages write it, and as the handler behind reads it by `c.req.valid(…)`. */
interface Parsed<K extends Kind, Schema extends z.ZodType> {
  in: Record<K, K extends 'query' ? Names<Schema> : z.input<Schema>>
  out: Record<K, z.output<Schema>>
}

/** Reads the query's filters, each at most once. */
export const query =
  <Schema extends z.ZodType>(schema: Schema): MiddlewareHandler<Env, string, Parsed<'query', Schema>> =>
  async (c, next) => {
    const given: Record<string, string> = {}
    for (const [name, value] of new URL(c.req.url).searchParams) {
      if (Object.hasOwn(given, name))
        return badRequest('bad-filter', [{ name, received: `${given[name] ?? ''}, ${value}`, allowed: 'one value' }])
      given[name] = value
    }
    return parsed(c, next, 'query', schema, given)
  }

/** Reads a JSON body; none at all is an empty object. */
export const body =
  <Schema extends z.ZodType>(schema: Schema): MiddlewareHandler<Env, string, Parsed<'json', Schema>> =>
  async (c, next) => {
    const text = await c.req.text()
    let given: unknown
    try {
      given = text.trim() === '' ? {} : JSON.parse(text)
    } catch {
      return badRequest('bad-body', [{ name: '(body)', received: text.slice(0, 80), allowed: 'a JSON object' }])
    }
    return parsed(c, next, 'json', schema, given)
  }

async function parsed(c: Context, next: Next, kind: Kind, schema: z.ZodType, given: unknown): Promise<Response | void> {
  const result = schema.safeParse(given)
  if (result.success) {
    c.req.addValidatedData(kind, result.data as object)
    return next()
  }
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
  return badRequest(kind === 'query' ? 'bad-filter' : 'bad-body', fields)
}

const valueOf = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null ? ((given as Record<string, unknown>)[name] ?? null) : given

function badRequest(code: string, fields: readonly FieldProblem[]): Response {
  const message = fields
    .map(({ name, received, allowed }) => `${name} is ${JSON.stringify(received)}: ${allowed}`)
    .join('; ')
  return Response.json({ error: { code, message: `${message}.`, fields } }, { status: 400 })
}

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

/** Writes down what the operator of a request is about to do; answers how to say what came of it. */
export const beginBy = (
  c: Context<OperatorEnv>,
  activityLog: Store['activityLog'],
  act: string,
  tenant: string | undefined,
  details: Readonly<Record<string, unknown>>,
  by?: string,
): ReturnType<typeof beginAct> =>
  beginAct(activityLog, { who: approverOf(c, by), tenant, via: c.var.operator.via, act, details })

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
