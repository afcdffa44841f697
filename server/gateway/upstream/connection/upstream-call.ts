// From a call of ours to a call over the wire and back: every way in which that can end is one of these failures, and
// each says what it leaves behind, because the rail decides by that whether a plan may ever be tried again.
import type { FailureEffect, FailureSpec, ToolContext, ToolFailed } from '../../../tools/contract.ts'
import { inQuotes, type CallFailure } from './call-failure.ts'
import type { RawResult, Upstream } from '../upstream.ts'

/** Everything that a tool of an upstream can fail with. A read leaves nothing behind, whatever happened to it. */
export function upstreamFailures(read: boolean, errorEffect: FailureEffect = 'unknown') {
  const look = 'Look with a read tool whether it took effect before anything is repeated.'
  return {
    upstream_unavailable: {
      effect: 'none',
      guidance:
        'Nothing was sent. Wait a little and try again; if it stays so, tell the person that the server is down.',
      retryable: 'after_wait',
      retryAfterSeconds: 5,
    },
    upstream_refused: {
      effect: 'none',
      guidance: 'The server did not run it. Change the call as its message says.',
      retryable: 'after_change',
    },
    upstream_login_required: {
      effect: 'none',
      guidance: `Ask the person to run the command of the message in a terminal. Once they say that it is done, ${read ? 'call again' : 'make the call again with the same arguments; where a ticket was given, without it: preview it again'}. Ask for no password and no token, and do not log in for them.`,
      retryable: 'after_wait',
      retryAfterSeconds: 30,
    },
    upstream_held: {
      effect: 'none',
      guidance:
        'Its server has changed the definition of this tool. An operator must look at the change first: `countersign tools review`.',
      retryable: 'no',
    },
    wrong_door: {
      effect: 'none',
      guidance: 'Make the same call through the door that its preview names.',
      retryable: 'after_change',
    },
    forbidden_call: {
      effect: 'none',
      refused: true,
      guidance: 'Do not try to get round it; tell the user that the operator does not allow this.',
      retryable: 'no',
    },
    upstream_lost: {
      effect: read ? 'none' : 'unknown',
      guidance: read ? 'Try again; it only reads.' : look,
      retryable: read ? 'after_wait' : 'no',
      ...(read ? { retryAfterSeconds: 5 } : {}),
    },
    upstream_error: {
      effect: read ? 'none' : errorEffect,
      reported: true,
      guidance: read || errorEffect === 'none' ? 'Change the call as the message of the server says.' : look,
      retryable: 'after_change',
    },
    dry_run_failed: {
      effect: 'none',
      guidance: 'The dry run already fails, so the call would too. Change it as the message of the server says.',
      retryable: 'after_change',
    },
  } as const satisfies Readonly<Record<string, FailureSpec>>
}

/**
 * Sends one call with the caller's `_meta` and progress; a second time only where it is `repeatable` and the server had
 * forgotten its session. An answer with `isError` is an answer.
 */
export async function sendCall(
  upstream: Upstream,
  tool: string,
  input: unknown,
  ctx: ToolContext,
  { repeatable = false }: { readonly repeatable?: boolean } = {},
): Promise<RawResult | ToolFailed> {
  const answer = await upstream.callTool(tool, input as Readonly<Record<string, unknown>>, {
    signal: ctx.signal,
    repeatable,
    meta: ctx.meta,
    // Asked for even where the caller did not: a server that reports progress is not one that hangs.
    onProgress: ({ progress, total, message }) =>
      ctx.progress({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      }),
  })
  if (answer.ok) return answer.value
  const { failure } = answer
  return ctx.fail(codeOf(failure), messageOf(failure, repeatable), answeredWith(failure))
}

/** What the server itself said, where it said anything; how a connection breaks is known nearer than by any words. */
const answeredWith = ({ kind, message, said, code, data }: CallFailure): Pick<ToolFailed, 'answered'> =>
  (kind === 'error' || kind === 'refused') && code !== undefined
    ? { answered: { text: said ?? message, rpcCode: code, structured: data } }
    : {}

const codeOf = (failure: CallFailure): keyof ReturnType<typeof upstreamFailures> =>
  failure.effect === 'not-sent'
    ? failure.kind === 'refused'
      ? 'upstream_refused'
      : failure.kind === 'login'
        ? 'upstream_login_required'
        : 'upstream_unavailable'
    : failure.kind === 'error'
      ? 'upstream_error'
      : 'upstream_lost'

const messageOf = (failure: CallFailure, repeatable: boolean): string =>
  failure.effect === 'not-sent' || repeatable
    ? failure.message
    : `${failure.message} It may have taken effect all the same.`

/** The texts of a result, one after the other. */
export const textOf = (result: RawResult): string =>
  (result.content ?? [])
    .flatMap((block) => {
      const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown }
      return type === 'text' && typeof text === 'string' ? [text] : []
    })
    .join('\n')

/** What a result says to a reader: its texts, or else its structured content. */
export const readableOf = (result: RawResult): string =>
  textOf(result).trim() ||
  (result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent, null, 2))

/** What else a result carries, for people: "1 image, 2 resources". */
export function restOf(result: RawResult): string {
  const counts = new Map<string, number>()
  for (const block of result.content ?? []) {
    const type = (block as { type?: unknown } | null)?.type
    if (typeof type === 'string' && type !== 'text') counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return [...counts].map(([type, count]) => `${count} ${type.replaceAll('_', ' ')}${count === 1 ? '' : 's'}`).join(', ')
}

/** The server's own words on why it failed, as one message in which they stand between marks. */
export function errorText(server: string, result: RawResult): string {
  const structured = result.structuredContent
  const said = textOf(result).trim() || (structured === undefined ? '' : JSON.stringify(structured))
  return said === ''
    ? `${server} says that it failed, and not why.`
    : `${server} says: ${inQuotes(said.slice(0, 1000))}`
}
