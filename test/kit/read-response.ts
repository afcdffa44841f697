// What a server told in one HTTP response, read whole.
export interface ReadResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Reads a response to its end; the body is empty unless it is a JSON object. */
export async function readResponse(response: Response): Promise<ReadResponse> {
  const text = await response.text()
  const body = text.startsWith('{') ? (JSON.parse(text) as ReadResponse['body']) : {}
  return { status: response.status, headers: response.headers, text, body }
}
