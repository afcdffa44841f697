// The arguments of a call may hold more than is read, and its caller must hear that as a tool's result, with the request's
// own id. So the message around them is parsed without them. Whatever else holds so much is no message of anybody.
import { cutJson, spanOf } from '../errors/cut-json.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { argumentLimits, parseArguments } from '../errors/unread-arguments.ts'

/** The arguments' own object, `params`, and the list of a batch come on top. */
const limits = { values: argumentLimits.values + 101, levels: argumentLimits.levels + 10 }

/** In characters. All messages of one body are answered at once; today's MCP has no batches, older clients send small ones. */
const longestBatch = 256 * 1024

type Unread = 'not-json' | 'too-much' | 'much-in-batch' | 'long-batch'

/** What to answer: a code of JSON-RPC and a message. */
export const unreadMessage: Readonly<Record<Unread, readonly [code: number, message: string]>> = {
  'not-json': [-32700, 'The body is not JSON. Send one JSON-RPC message.'],
  'too-much': [
    -32600,
    `Outside the arguments of a tool's call, a body holds at most ${limits.values} values in at most ${limits.levels} levels. Send less at once.`,
  ],
  'much-in-batch': [
    -32600,
    `A batch holds at most ${limits.values} values in at most ${limits.levels} levels, the arguments of its calls included. Send its messages one by one.`,
  ],
  'long-batch': [-32600, `A batch is at most ${longestBatch} characters long. Send its messages one by one.`],
}

/** Reads the body of a request as JSON of bounded size; the `params.arguments` of one `tools/call` may be `UnreadArguments`. */
export async function readMessage(request: Request): Promise<Result<unknown, Unread>> {
  try {
    const text = await request.text()
    const batch = /^\s*\[/.test(text)
    if (batch && text.length > longestBatch) return fail('long-batch')
    if (cutJson(text, limits) === undefined) return ok(JSON.parse(text))
    return batch ? fail('much-in-batch') : readAround(text)
  } catch {
    return fail('not-json')
  }
}

function readAround(text: string): Result<unknown, 'too-much'> {
  const span = spanOf(text, ['params', 'arguments'])
  if (span === undefined) return fail('too-much')
  const around = `${text.slice(0, span.start)}null${text.slice(span.end)}`
  if (cutJson(around, limits) !== undefined) return fail('too-much')
  const message = JSON.parse(around) as { readonly method?: unknown; readonly params: { arguments: unknown } }
  // No other method can answer that its arguments were too many.
  if (message.method !== 'tools/call') return fail('too-much')
  message.params.arguments = parseArguments(text.slice(span.start, span.end))
  return ok(message)
}
