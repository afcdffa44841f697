// How a call is shown to who watches the rail (`server/model/observer.ts`), and where the context of its trace comes from.
import type { Answer } from '../answers/outcome.ts'
import type { CallContext } from '../call-context.ts'
import { findingOf } from './finding.ts'

/** Lets the observer see a call, where there is one. */
export function observed(
  { engine, request, named, noticed }: CallContext,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { observer } = engine
  if (observer === undefined) return work()
  return observer.call(
    {
      tool: named?.wireName,
      server: named?.contract.wire === undefined ? undefined : named.contract.category,
      operation: named?.contract.operation,
      source: request.source ?? 'mcp',
      meta: request.meta ?? {},
      headers: request.caller.headers ?? {},
    },
    async () => {
      const answer = await work()
      const finding = findingOf(answer, noticed)
      return finding === undefined ? answer : { ...answer, finding }
    },
  )
}

/** The headers that may carry the context of a trace (W3C Trace Context, Baggage); `undefined` where there are none. */
export function traceHeaders(headers: Headers): Readonly<Record<string, string>> | undefined {
  const traceparent = headers.get('traceparent')
  if (traceparent === null) return undefined
  const [tracestate, baggage] = [headers.get('tracestate'), headers.get('baggage')]
  return { traceparent, ...(tracestate === null ? {} : { tracestate }), ...(baggage === null ? {} : { baggage }) }
}
