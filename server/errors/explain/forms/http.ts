// Errors in the forms that HTTP itself has standards for.
import { z } from 'zod'
import { typeOfCode, typeOfStatus } from '../codes.ts'
import { field, form, list, maybe, status, text } from './form.ts'

const problem = () =>
  z
    .object({
      type: maybe(text),
      title: maybe(text),
      status: maybe(status),
      detail: maybe(text),
      instance: maybe(text),
      code: maybe(text),
      errors: maybe(
        list(
          z.object({
            pointer: maybe(text),
            detail: maybe(text),
            message: maybe(text),
            // JSON:API, which shares the member names (https://jsonapi.org/format/#error-objects).
            source: maybe(z.object({ pointer: maybe(text), parameter: maybe(text) })),
          }),
        ),
      ),
    })
    .refine((value) => value.status !== undefined && (value.title !== undefined || value.detail !== undefined))

/** RFC 9457, with the extension of its own example: `errors` with pointers. */
export const problemDetails = form(
  'http.problem_details',
  'https://www.rfc-editor.org/rfc/rfc9457',
  problem,
  (value) => ({
    type: (value.code === undefined ? undefined : typeOfCode(value.code)) ?? typeOfStatus(value.status ?? 0),
    said: [value.title, value.detail].filter((part) => part !== undefined).join(': '),
    code: value.code,
    fields: (value.errors ?? []).flatMap((each) =>
      each === null
        ? []
        : field(each.pointer ?? each.source?.pointer ?? each.source?.parameter, each.detail ?? each.message),
    ),
  }),
)

const jsonApiError = () =>
  z.object({
    status: maybe(status),
    code: maybe(text),
    title: maybe(text),
    detail: maybe(text),
    source: maybe(z.object({ pointer: maybe(text), parameter: maybe(text) })),
  })

/** JSON:API: a list of error objects. */
export const jsonApi = form(
  'http.json_api',
  'https://jsonapi.org/format/#error-objects',
  () => z.object({ errors: list(jsonApiError()) }),
  ({ errors }) => {
    const given = errors.flatMap((one) => (one?.title === undefined && one?.detail === undefined ? [] : [one]))
    const [first] = given
    if (first?.status === undefined) return undefined
    return {
      type: (first.code === undefined ? undefined : typeOfCode(first.code)) ?? typeOfStatus(first.status),
      said: [first.title, first.detail].filter((part) => part !== undefined).join(': '),
      code: first.code,
      fields: given.flatMap((each) => field(each.source?.pointer ?? each.source?.parameter, each.detail ?? each.title)),
    }
  },
)

/** The errors of OAuth 2.0, which also many APIs give that only take its tokens. */
export const oauth = form(
  'http.oauth',
  'https://www.rfc-editor.org/rfc/rfc6749#section-5.2',
  () => z.object({ error: text, error_description: maybe(text), error_uri: maybe(text) }),
  ({ error, error_description }) => {
    const type = typeOfCode(error)
    // A sentence under `error` is some form of its own.
    return type === undefined && error_description === undefined
      ? undefined
      : { type, said: error_description ?? error, code: error }
  },
)

/** OData: a code of the service, with details for single targets. */
export const odata = form(
  'http.odata',
  'https://docs.oasis-open.org/odata/odata-json-format/v4.01/odata-json-format-v4.01.html#sec_ErrorResponse',
  () =>
    z.object({
      error: z.object({
        code: text,
        message: text,
        target: maybe(text),
        details: maybe(list(z.object({ message: maybe(text), target: maybe(text) }))),
      }),
    }),
  ({ error }) => ({
    type: typeOfCode(error.code),
    said: error.message,
    code: error.code,
    fields: [
      ...field(error.target, error.message),
      ...(error.details ?? []).flatMap((each) => (each === null ? [] : field(each.target, each.message))),
    ],
  }),
)
