// A call is one span of whatever trace its caller is in, and everything it does hangs below it. Only OpenTelemetry's API
// is used: which SDK, which exporter, and whether there is one at all, is for whoever runs the server to say. Without one
// nothing is built and nothing is kept.
// Names and attributes follow the semantic conventions for MCP (semantic-conventions-genai, mcp.md): the context travels
// in `params._meta`, and what the transport says is linked.
import {
  context,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import type { ObservedAnswer, ObservedCall } from '../../model/observer.ts'
import { isErrorOutcome } from '../../model/outcome.ts'

/** W3C Trace Context and Baggage: what a span's place in its trace travels in. */
const carried = ['traceparent', 'tracestate', 'baggage'] as const

const tracer = trace.getTracer('countersign')

/** Does a call's work inside a span. */
export function traceCall<T extends ObservedAnswer>(call: ObservedCall, work: () => Promise<T>): Promise<T> {
  const { parent, links } = parentOf(call)
  const mcp = call.source === 'mcp'
  const name = mcp ? 'tools/call' : `${call.source} call`
  const span = tracer.startSpan(
    call.tool === undefined ? name : `${name} ${call.tool}`,
    { kind: SpanKind.SERVER, links, attributes: attributesOf(call, mcp) },
    parent,
  )
  // Nobody listens, and nobody did before us.
  if (!isSpanContextValid(span.spanContext())) return work()
  return within(span, parent, work, (answer) => {
    span.setAttributes({
      'countersign.outcome': answer.outcome,
      ...(answer.contract === undefined ? {} : { 'countersign.operation': answer.contract.operation }),
      ...(answer.verdict === undefined ? {} : { 'countersign.verdict': answer.verdict }),
      ...(answer.risk === undefined ? {} : { 'countersign.risk': answer.risk }),
      ...(answer.planId === undefined ? {} : { 'countersign.plan.id': answer.planId }),
      ...(answer.approval === undefined ? {} : { 'countersign.approval.id': answer.approval.id }),
    })
    if (!isErrorOutcome(answer.outcome)) return
    // "When CallToolResult is returned with isError set to true" (mcp.md, note 1).
    span.setAttribute('error.type', 'tool_error')
    span.setStatus({ code: SpanStatusCode.ERROR, message: answer.outcome })
  })
}

/** Does one step of a call inside a span below the call's. Without a trace that is kept, it just does it. */
export function traceStep<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (trace.getActiveSpan()?.isRecording() !== true) return work()
  return within(tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }), context.active(), work)
}

/** `_meta` for a request that leaves from here: the span that runs now is its parent. */
export function carryTrace(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (trace.getActiveSpan() === undefined) return meta
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  if (Object.keys(carrier).length === 0) return meta
  const rest = Object.entries(meta).filter(([key]) => !carried.some((name) => name === key))
  return { ...Object.fromEntries(rest), ...carrier }
}

/**
 * The caller's own context comes with the message; what surrounds us here is then only linked. Without one in the
 * message the surrounding span is the parent, and without that the headers of the request.
 */
function parentOf({ meta, headers }: ObservedCall): {
  readonly parent: Context
  readonly links: { context: SpanLink }[]
} {
  const ambient = context.active()
  const around = trace.getSpanContext(ambient)
  const sent = carrierOf(meta)
  if (sent !== undefined) {
    const parent = propagation.extract(ambient, sent)
    const own = trace.getSpanContext(parent)
    if (own !== undefined && own !== around) return { parent, links: around === undefined ? [] : [{ context: around }] }
  }
  const outside = carrierOf(headers)
  if (around !== undefined || outside === undefined) return { parent: ambient, links: [] }
  return { parent: propagation.extract(ambient, outside), links: [] }
}

type SpanLink = ReturnType<Span['spanContext']>

function carrierOf(from: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  if (typeof from['traceparent'] !== 'string') return undefined
  const found = carried.flatMap((name): [string, string][] => {
    const value = from[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(found)
}

const attributesOf = (call: ObservedCall, mcp: boolean): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'countersign.source': call.source,
  ...(mcp ? { 'mcp.method.name': 'tools/call' } : {}),
  ...(call.tool === undefined ? {} : { 'gen_ai.tool.name': call.tool }),
  ...(call.operation === undefined ? {} : { 'countersign.operation': call.operation }),
})

async function within<T>(
  span: Span,
  parent: Context,
  work: () => Promise<T>,
  ended: (value: T) => void = () => undefined,
): Promise<T> {
  try {
    const value = await context.with(trace.setSpan(parent, span), work)
    ended(value)
    return value
  } catch (error) {
    // Its name only: a message may quote what the call was given.
    const name = error instanceof Error ? error.name : typeof error
    span.setAttribute('error.type', name)
    span.setStatus({ code: SpanStatusCode.ERROR, message: name })
    throw error
  } finally {
    span.end()
  }
}
