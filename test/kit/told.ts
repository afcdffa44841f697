// What a server told in one HTTP response, read whole.
export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Reads a response to its end; the body is empty unless it is a JSON object. */
export async function toTold(response: Response): Promise<Told> {
  const text = await response.text()
  const body = text.startsWith('{') ? (JSON.parse(text) as Told['body']) : {}
  return { status: response.status, headers: response.headers, text, body }
}
