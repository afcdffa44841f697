// A request ends in more ways than yes and no, and each asks something else of the person: sign in again, wait for the
// network, or read why the server refused. So an answer is a value that says which of them it is.

/** Why there is no value. */
export type Trouble =
  /** Nobody is signed in, or not any more. */
  | { readonly kind: 'signed-out'; readonly message: string }
  /** The server was not reached. */
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused'
      /** HTTP status. */
      readonly status: number
      readonly code: string
      /** What happened, with which value. */
      readonly message: string
      /** What to do next, where the server says it. */
      readonly next: string | undefined
      /** The whole body, for refusals that carry more. */
      readonly body: unknown
    }

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble }

interface RefusalBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly next?: string }
}

/** Reads a response of `/api/v1`: errors are `{error: {code, message, next}}`. */
export const readAnswer = async <T>(response: Response): Promise<Answer<T>> => {
  const text = await response.text().catch(() => '')
  const body = parse(text)
  if (response.ok) {
    return body === undefined && text !== ''
      ? { ok: false, trouble: refusal(response.status, 'unreadable', 'The answer of the server cannot be read.', body) }
      : { ok: true, value: body as T }
  }
  const error = (body as RefusalBody | undefined)?.error
  if (response.status === 401) {
    const message = [error?.message, error?.next].filter(Boolean).join(' ')
    return { ok: false, trouble: { kind: 'signed-out', message } }
  }
  return {
    ok: false,
    trouble: refusal(
      response.status,
      error?.code ?? 'unknown',
      error?.message ?? `The server answered ${response.status}.`,
      body,
      error?.next,
    ),
  }
}

const refusal = (status: number, code: string, message: string, body: unknown, next?: string): Trouble => ({
  kind: 'refused',
  status,
  code,
  message,
  next,
  body,
})

const parse = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A trouble as one text, for toasts. */
export const troubleText = (trouble: Trouble): string => {
  switch (trouble.kind) {
    case 'signed-out':
      return 'You are signed out. Sign in and try again.'
    case 'offline':
      return 'The server does not answer. Nothing was sent; try again.'
    case 'refused':
      return [trouble.message, trouble.next].filter(Boolean).join(' ')
    default:
      return trouble satisfies never
  }
}
