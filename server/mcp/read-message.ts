// Reads JSON-RPC messages of bounded size. Arguments past the limit must be refused by a tool result with the request's own
// id, so the message around them is parsed without them; any other message past the limit is refused as a whole.
import { cutJson, spanOf } from '../errors/cut-json.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { argumentLimits, parseArguments } from '../errors/unread-arguments.ts'

/** More than the arguments may hold, for the message around them and the list of a batch. */
const limits = { values: argumentLimits.values + 101, levels: argumentLimits.levels + 10 }

/** In characters. All messages of a batch are answered at once; only older clients send batches, and small ones. */
const longestBatch = 256 * 1024

/** A JSON-RPC error code and a message. */
type Refusal = readonly [code: number, message: string]
const notJson: Refusal = [-32700, 'The body is not JSON. Send one JSON-RPC message.']
const within = `at most ${limits.values} values in at most ${limits.levels} levels`
const tooMuch: Refusal = [-32600, `Outside the arguments of a tool's call, a body holds ${within}. Send less at once.`]

/** What whoever mounts the server is told, because no client can help it. */
export const bodyRead = {
  status: 500,
  code: 'body-already-read',
  message: 'The body of this request was read before it came here.',
  next: 'Tell whoever runs this server: hand the request over before anything reads its body, or a clone of it; behind a parser of Node pass what it has parsed to toNodeHandler.',
} as const

/** Whether it could not be read because somebody has its stream; reading it here would have used it. */
const isHeldElsewhere = (request: Request): boolean => !request.bodyUsed

/** Reads the body of a request; `undefined` where another has it. The `params.arguments` of a single `tools/call` may be `UnreadArguments`. */
export async function readMessage(request: Request): Promise<Result<unknown, Refusal> | undefined> {
  if (request.bodyUsed) return undefined
  let text: string
  try {
    text = await request.text()
  } catch {
    return isHeldElsewhere(request) ? undefined : fail(notJson)
  }
  try {
    const batch = /^\s*\[/.test(text)
    if (batch && text.length > longestBatch)
      return fail([-32600, `A batch is at most ${longestBatch} characters long. Send its messages one by one.`])
    if (cutJson(text, limits) === undefined) return ok(JSON.parse(text))
    if (!batch) return readAround(text)
    return fail([-32600, `A batch holds ${within}, the arguments of its calls included. Send its messages one by one.`])
  } catch {
    return fail(notJson)
  }
}

function readAround(text: string): Result<unknown, Refusal> {
  const span = spanOf(text, ['params', 'arguments'])
  if (span === undefined) return fail(tooMuch)
  const around = `${text.slice(0, span.start)}null${text.slice(span.end)}`
  if (cutJson(around, limits) !== undefined) return fail(tooMuch)
  const message = JSON.parse(around) as { readonly method?: unknown; readonly params: { arguments: unknown } }
  // Only a tool result can say that arguments were too large.
  if (message.method !== 'tools/call') return fail(tooMuch)
  message.params.arguments = parseArguments(text.slice(span.start, span.end))
  return ok(message)
}
