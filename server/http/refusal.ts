// A client that is turned away at the door is nearly always an MCP client, and it shows its user the `message` of a
// JSON-RPC error and nothing else. So every refusal of the web door has that shape, with the next step inside the
// sentence and once more as data. Programs and pages below `/api/v1` read the plainer shape of `refuseApi`.
import type { TypedResponse } from 'hono'
import type { ClientErrorStatusCode } from 'hono/utils/http-status'
import type { AccessRefusal } from '../mcp/identity.ts'

/** What went wrong, with which value, and what to do about it. */
interface DoorRefusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 500 | 503
  readonly code: string
  readonly message: string
  readonly next: string
}

/** The answer for a refused request: a JSON-RPC error without an id, because the body was not read. */
export function refuse(refusal: DoorRefusal, headers: Readonly<Record<string, string>> = {}): Response {
  const error = {
    code: refusal.status === 500 ? -32603 : -32000,
    message: `${refusal.message} ${refusal.next}`,
    data: { code: refusal.code, next: refusal.next },
  }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: refusal.status, headers })
}

/** A refusal below `/api/v1`, as the pages' client knows it. */
export type ApiRefusal<Status extends ClientErrorStatusCode, More = unknown> = Response &
  TypedResponse<ApiRefusalBody & More, Status, 'json'>

export interface ApiRefusalBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly next?: string
    /** What it is about. */
    readonly filter?: string
    readonly field?: string
    readonly at?: { readonly start: number; readonly end: number }
  }
}

/** The answer for a request below `/api/v1` that is refused: `{error: {code, message, next}}`, with `more` beside it. */
export const refuseApi = <Status extends ClientErrorStatusCode, More extends object = object>(
  status: Status,
  error: ApiRefusalBody['error'],
  more?: More,
  headers: Readonly<Record<string, string>> = {},
): ApiRefusal<Status, More> => Response.json({ error, ...more }, { status, headers }) as ApiRefusal<Status, More>

/** The refusal of a request below `/api/v1` whose sender is not known. */
export const refuseSender = ({ status, code, message, next, headers }: AccessRefusal): Response =>
  Response.json({ error: { code, message, next } }, { status, headers })

/** The refusal of something that is not there, or not for this operator's eyes. `list`: the address below `/api/v1` that lists those that are. */
export const refuseUnknown = (thing: string, list: string, those = 'those that there are'): ApiRefusal<404> =>
  refuseApi(404, {
    code: `unknown-${thing}`,
    message: `There is no such ${thing}.`,
    next: `GET /api/v1/${list} lists ${those}.`,
  })
