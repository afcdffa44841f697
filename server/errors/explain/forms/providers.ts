// Errors in forms of single services, as their own pages give them.
import { z } from 'zod'
import { typeOfCode, typeOfStatus } from '../codes.ts'
import { field, form, list, maybe, status, text } from './form.ts'

const typed = (code: string | undefined) => (code === undefined ? undefined : typeOfCode(code))
const byStatus = (given: number | undefined) => (given === undefined ? undefined : typeOfStatus(given))

const github = form(
  'github.rest',
  'https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api',
  () =>
    z.object({
      message: text,
      documentation_url: text,
      status: maybe(status),
      errors: maybe(
        list(
          z.union([
            z.object({ resource: maybe(text), field: maybe(text), code: maybe(text), message: maybe(text) }),
            text.transform((message) => ({ resource: undefined, field: undefined, code: undefined, message })),
          ]),
        ),
      ),
    }),
  ({ message, status: given, errors = [] }) => {
    const listed = errors.flatMap((one) => (one === null ? [] : [one]))
    const limited = /\b(?:API rate limit|secondary rate limit|abuse detection)/i.test(message)
    const [only] = listed
    return {
      type: limited
        ? 'upstream_rate_limited'
        : (typed(listed.length === 1 ? only?.code : undefined) ??
          (/^(?:Validation Failed|Invalid request)/.test(message) ? 'upstream_invalid_arguments' : byStatus(given)) ??
          (message === 'Bad credentials' ? 'upstream_not_signed_in' : undefined) ??
          (message === 'Not Found' ? 'upstream_not_found' : undefined)),
      said: [message, ...listed.flatMap((one) => one.message ?? [])].join(': ').slice(0, 500),
      code: only?.code,
      fields: listed.flatMap((one) => field(one.field, one.message ?? one.code)),
    }
  },
)

const stripe = form(
  'stripe.error',
  'https://docs.stripe.com/api/errors',
  () =>
    z.object({
      error: z.object({
        type: text,
        code: maybe(text),
        decline_code: maybe(text),
        param: maybe(text),
        message: maybe(text),
      }),
    }),
  ({ error: { type, code, decline_code: declined, param, message } }) => {
    const known = typed(code) ?? typed(declined) ?? typed(type)
    return known === undefined && code === undefined
      ? undefined
      : { type: known, said: message, code: declined ?? code ?? type, fields: field(param, message) }
  },
)

/** The errors of GraphQL, which are like those of JSON:API with less in them. */
export const graphql = form(
  'graphql.errors',
  'https://spec.graphql.org/October2021/#sec-Errors',
  () =>
    z.object({
      errors: list(
        z.object({
          message: text,
          type: maybe(text),
          path: maybe(list(z.union([text, z.number().transform(String)]))),
          extensions: maybe(z.object({ code: maybe(text), userPresentableMessage: maybe(text) })),
        }),
      ),
    }),
  ({ errors }) => {
    const [first] = errors.flatMap((one) => (one === null ? [] : [one]))
    if (first === undefined) return undefined
    const code = first.extensions?.code ?? first.type
    return { type: typed(code), said: first.extensions?.userPresentableMessage ?? first.message, code }
  },
)

const notion = form(
  'notion.error',
  'https://developers.notion.com/reference/status-codes',
  () => z.object({ object: z.literal('error'), status: maybe(status), code: text, message: maybe(text) }),
  ({ code, message, status: given }) => ({ type: typed(code) ?? byStatus(given), said: message, code }),
)

const slack = form(
  'slack.error',
  'https://docs.slack.dev/apis/web-api/#responses',
  () => z.object({ ok: z.literal(false), error: text, retry_after: maybe(z.number()) }),
  ({ error, retry_after: seconds }) => ({ type: typed(error), said: error, code: error, retryAfterSeconds: seconds }),
)

const kubernetes = form(
  'kubernetes.status',
  'https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.32/#status-v1-meta',
  () =>
    z.object({
      kind: z.literal('Status'),
      status: z.literal('Failure'),
      message: maybe(text),
      reason: maybe(text),
      code: maybe(z.int()),
      details: maybe(
        z.object({
          retryAfterSeconds: maybe(z.number()),
          causes: maybe(list(z.object({ field: maybe(text), message: maybe(text) }))),
        }),
      ),
    }),
  ({ message, reason, code, details }) => ({
    type: typed(reason) ?? byStatus(code),
    said: message,
    code: reason,
    fields: (details?.causes ?? []).flatMap((one) => (one === null ? [] : field(one.field, one.message))),
    // Zero stands for "not said".
    retryAfterSeconds: details?.retryAfterSeconds === 0 ? undefined : details?.retryAfterSeconds,
  }),
)

const awsSource = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html'

const ofAws = (code: string, said: string | undefined) => ({ type: typed(code), said, code })

/** AWS writes JSON as its services do, as its SDKs throw it, and as its command line prints it. */
const aws = [
  form(
    'aws.error',
    awsSource,
    () => z.object({ __type: text, message: maybe(text), Message: maybe(text) }),
    (value) => ofAws(value.__type, value.message ?? value.Message),
  ),
  form(
    'aws.error',
    awsSource,
    () => z.object({ Error: z.object({ Code: text, Message: maybe(text) }) }),
    ({ Error: error }) => ofAws(error.Code, error.Message),
  ),
  form(
    'aws.error',
    awsSource,
    () => z.object({ Code: text, Message: maybe(text) }),
    ({ Code, Message }) => ofAws(Code, Message),
  ),
]

/** The forms of other single services. */
export const serviceForms = [github, stripe, notion, slack, kubernetes, ...aws]
