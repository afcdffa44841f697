// A client that is turned away at the door is nearly always an MCP client, and it shows its user the `message` of a
// JSON-RPC error and nothing else. So every refusal of the web door has that shape, with the next step inside the
// sentence and once more as data.

/** What went wrong, with which value, and what to do about it. */
export interface DoorRefusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 500 | 503
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
