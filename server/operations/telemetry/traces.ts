// OpenTelemetry spans: a call is one span of its caller's trace, and its steps are spans below it. Only the API is used, so
// whoever runs the server chooses SDK and exporter; without one nothing is recorded. Names and attributes follow the
// semantic conventions for MCP (semantic-conventions-genai, mcp.md): the context is propagated in `params._meta`, and
// that of the transport is linked.
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { ObservedAnswer, ObservedCall } from '../../model/observer.ts'
import { isErrorOutcome } from '../../model/outcome.ts'
import { traceApi, traceApiOfCall } from './trace-api.ts'

/** The fields of W3C Trace Context and Baggage. */
const carried = ['traceparent', 'tracestate', 'baggage'] as const

type Api = NonNullable<ReturnType<typeof traceApi>>

let tracer: Tracer | undefined

const tracerOf = ({ trace }: Api): Tracer => (tracer ??= trace.getTracer('countersign'))

/** Runs a call's work inside a span. */
export async function traceCall<T extends ObservedAnswer>(call: ObservedCall, work: () => Promise<T>): Promise<T> {
  const api = await traceApiOfCall()
  if (api === undefined) return work()
  const { parent, links } = parentOf(api, call)
  const mcp = call.source === 'mcp'
  const name = mcp ? 'tools/call' : `${call.source} call`
  const span = tracerOf(api).startSpan(
    call.tool === undefined ? name : `${name} ${call.tool}`,
    { kind: api.SpanKind.SERVER, links, attributes: attributesOf(call, mcp) },
    parent,
  )
  // No SDK is registered, and no caller has sent a trace.
  if (!api.isSpanContextValid(span.spanContext())) return work()
  return within(api, span, parent, work, (answer) => {
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
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: answer.outcome })
  })
}

/** Runs one step of a call inside a child span; without one where nothing is recorded. */
export function traceStep<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const api = traceApi()
  if (api?.trace.getActiveSpan()?.isRecording() !== true) return work()
  const span = tracerOf(api).startSpan(name, { kind: api.SpanKind.INTERNAL, attributes })
  return within(api, span, api.context.active(), work)
}

/** `_meta` for a request to another server, with the active span as its parent. */
export function carryTrace(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const api = traceApi()
  if (api?.trace.getActiveSpan() === undefined) return meta
  const carrier: Record<string, string> = {}
  api.propagation.inject(api.context.active(), carrier)
  if (Object.keys(carrier).length === 0) return meta
  const rest = Object.entries(meta).filter(([key]) => !carried.some((name) => name === key))
  return { ...Object.fromEntries(rest), ...carrier }
}

/**
 * The parent is the context in the message, and the active span is then only linked; without one in the message it is the
 * active span, and without that the context in the request's headers.
 */
function parentOf(
  { context, propagation, trace }: Api,
  { meta, headers }: ObservedCall,
): {
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
  { context, trace, SpanStatusCode }: Api,
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
    // Without its message, which may quote arguments of the call.
    const name = error instanceof Error ? error.name : typeof error
    span.setAttribute('error.type', name)
    span.setStatus({ code: SpanStatusCode.ERROR, message: name })
    throw error
  } finally {
    span.end()
  }
}
