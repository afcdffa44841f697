// All structured forms, the ones that are easy to mistake for another last, and how a value is read by them.
import { z } from 'zod'
import { typeOfCode, typeOfStatus } from '../codes.ts'
import type { Stated, StatedField } from '../stated.ts'
import { form, list, maybe, status, text, type Form } from './form.ts'
import { googleForms } from './google.ts'
import { jsonApi, oauth, odata, problemDetails } from './http.ts'
import { graphql, serviceForms } from './providers.ts'

/** One issue of Zod, as servers that are made with the MCP SDK put it into their errors. */
const zodIssue = () =>
  z.object({
    code: text,
    path: list(z.union([text, z.number().transform(String)])),
    message: text,
  })

/** An error of any service that names at least a code or a status, under the names that most give it. */
const plainCode = form(
  'http.code',
  'https://www.rfc-editor.org/rfc/rfc9110#section-15',
  () =>
    z.object({
      error: maybe(z.union([text, z.object({ message: maybe(text), code: maybe(z.union([text, z.int()])) })])),
      message: maybe(text),
      code: maybe(z.union([text, z.int()])),
      status: maybe(z.union([status, text])),
      statusCode: maybe(status),
      errno: maybe(text),
      retry_after: maybe(z.number()),
      retryAfter: maybe(z.number()),
    }),
  (value) => {
    const inner = typeof value.error === 'object' ? value.error : undefined
    const worded = [
      inner?.code,
      value.code,
      value.errno,
      value.status,
      typeof value.error === 'string' ? value.error : undefined,
    ]
    const code = worded.find((each) => typeof each === 'string' && typeOfCode(each) !== undefined)
    const numbered = [value.statusCode, value.status, value.code, inner?.code].find(
      (each) => typeof each === 'number' && typeOfStatus(each) !== undefined,
    )
    const said = inner?.message ?? value.message ?? (typeof value.error === 'string' ? value.error : undefined)
    if (code === undefined && numbered === undefined && said === undefined) return undefined
    return {
      type:
        typeof code === 'string' ? typeOfCode(code) : typeof numbered === 'number' ? typeOfStatus(numbered) : undefined,
      said,
      code: typeof code === 'string' ? code : undefined,
      retryAfterSeconds: value.retry_after ?? value.retryAfter,
    }
  },
)

/** Every form, nearer ones first. */
export const allForms: readonly Form[] = [
  ...serviceForms,
  ...googleForms,
  problemDetails,
  jsonApi,
  graphql,
  oauth,
  odata,
  plainCode,
]

/** What a value states, by the first form that it has. */
export function statedIn(value: unknown): Stated | undefined {
  if (Array.isArray(value)) return zodIssues(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const each of allForms) {
    const stated = each.read(value as Readonly<Record<string, unknown>>)
    if (stated !== undefined) return { form: each.id, ...stated }
  }
  return undefined
}

/** Issues of Zod: which argument is wrong, and why. */
function zodIssues(value: readonly unknown[]): Stated | undefined {
  const parsed = z.array(zodIssue()).min(1).safeParse(value.slice(0, 20))
  if (!parsed.success) return undefined
  const fields = parsed.data.flatMap(({ path, message }): readonly StatedField[] =>
    path.length === 0 ? [] : [{ path: path.flatMap((key) => key ?? []), said: message }],
  )
  return {
    form: 'zod.issues',
    type: 'upstream_invalid_arguments',
    said: parsed.data
      .map(({ message }) => message)
      .join('; ')
      .slice(0, 500),
    fields,
  }
}
