// Errors of Google's services: `google.rpc.Status` with its standard details.
import { z } from 'zod'
import { typeOfCode, typeOfStatus } from '../codes.ts'
import { secondsOf } from '../retry-after.ts'
import { field, form, list, maybe, text } from './form.ts'

const detail = () =>
  z.object({
    '@type': maybe(text),
    reason: maybe(text),
    retryDelay: maybe(text),
    fieldViolations: maybe(list(z.object({ field: maybe(text), description: maybe(text) }))),
    violations: maybe(list(z.object({ subject: maybe(text), description: maybe(text) }))),
  })

const error = () =>
  z.object({
    code: z.int(),
    message: text,
    status: maybe(text),
    details: maybe(list(detail())),
    // The older services give reasons in a list of their own.
    errors: maybe(list(z.object({ reason: maybe(text), message: maybe(text) }))),
  })

const source = 'https://google.aip.dev/193'

function read({ code, message, status, details = [], errors = [] }: z.output<ReturnType<typeof error>>) {
  const given = details.flatMap((one) => (one === null ? [] : [one]))
  const reason = given.find((one) => one.reason !== undefined)?.reason ?? errors[0]?.reason
  const quota = given.some((one) => one['@type']?.endsWith('QuotaFailure') === true)
  const delay = given.find((one) => one.retryDelay !== undefined)?.retryDelay
  const wait = delay === undefined ? undefined : secondsOf(delay)
  const nearest = (reason === undefined ? undefined : typeOfCode(reason)) ?? undefined
  // "Resource exhausted" is said of rates and of quotas alike; a delay says that waiting helps.
  const exhausted = status === 'RESOURCE_EXHAUSTED' || code === 429
  const byStatus = (status === undefined ? undefined : typeOfCode(status)) ?? typeOfStatus(code)
  return {
    type:
      nearest ??
      (exhausted ? (quota && wait === undefined ? 'upstream_quota_used_up' : 'upstream_rate_limited') : byStatus),
    said: message,
    code: reason ?? status,
    fields: given.flatMap((one) =>
      (one.fieldViolations ?? []).flatMap((each) => (each === null ? [] : field(each.field, each.description))),
    ),
    retryAfterSeconds: wait,
  } as const
}

/** An error of a Google service, alone or under `error`. */
export const googleForms = [
  form(
    'google.status',
    source,
    () => z.object({ error: error() }),
    (value) => read(value.error),
  ),
  form('google.status', source, () => error().extend({ status: text }), read),
]
