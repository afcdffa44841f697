// Whoever runs an OpenTelemetry SDK sees each call in the trace of whoever made it, and nothing of what it was given.
import { propagation, trace, context, type TextMapPropagator } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CallRequest } from '../../../../server/rail/engine.ts'
import { call } from '../../../../server/rail/call.ts'
import { readGatewayText } from '../../gateway/read-text.ts'
import { openOffice } from '../../http/operators/serve-operators.ts'
import { longest } from '../../../longest.ts'
import { place } from '../../store/store-fixture.ts'
import { composed } from '../../../kit/composed.ts'
import { requestOf } from '../../../kit/calls.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${parentId}-01`

/** W3C Trace Context, level 1, as far as a test needs it; an SDK brings its own. */
const w3c: TextMapPropagator<unknown> = {
  fields: () => ['traceparent'],
  inject: (active, carrier, setter) => {
    const span = trace.getSpanContext(active)
    if (span !== undefined) setter.set(carrier, 'traceparent', `00-${span.traceId}-${span.spanId}-0${span.traceFlags}`)
  },
  extract: (active, carrier, getter) => {
    const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/.exec(String(getter.get(carrier, 'traceparent')))
    if (found === null) return active
    const [, trace_ = '', span = '', flags = '0'] = found
    return trace.setSpanContext(active, {
      traceId: trace_,
      spanId: span,
      traceFlags: Number(flags),
      isRemote: true,
    })
  },
}

const exporter = new InMemorySpanExporter()

function registerSdk(): void {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(w3c)
}

afterEach(() => exporter.reset())

const named = (name: string): ReadableSpan => {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name)
  expect(found.map((span) => span.name)).toStrictEqual([name])
  const [span] = found
  if (span === undefined) throw new Error('unreachable')
  return span
}

/** A gateway in front of a server that tells which `_meta` it was sent. */
async function wrapped() {
  const marks = join(place(), 'marks')
  const held = join(import.meta.dirname, '..', '..', '..', 'journeys', 'fixtures', 'held-upstream.ts')
  const text = JSON.stringify({
    mcpServers: { held: { command: process.execPath, args: ['--no-warnings', held, marks, `${marks}.held`] } },
  })
  const config = await readGatewayText(text, process.env)
  if (!config.ok) throw new Error(config.failure.message)
  const gateway = { config: config.value, mode: 'wrap', patienceMs: longest } as const
  const { engine } = (await composed({ file: ':memory:', gateway })).parts
  const ask = (args: object, meta: CallRequest['meta'] = {}) =>
    call(engine, {
      ...requestOf('add_line', {
        text: 'the secret of the day',
        rationale: 'The test follows a trace.',
        ...args,
      }),
      meta,
    })
  return {
    ask,
    /** `_meta` as it arrived behind us. */
    apply: async (meta: CallRequest['meta']): Promise<Readonly<Record<string, unknown>>> => {
      const { planId } = await ask({})
      const applied = await ask({ ticket: planId, preview: false }, meta)
      expect(applied.outcome).toBe('applied')
      expect(readFileSync(marks, 'utf8')).toBe('the secret of the day\n')
      const said = JSON.stringify(applied.result)
      const sent: unknown = JSON.parse(
        /added the secret of the day; (\{.*?\})"/.exec(said)?.[1]?.replaceAll('\\"', '"') ?? '',
      )
      return sent as Readonly<Record<string, unknown>>
    },
  }
}

// First: a tracer that has seen an SDK does not forget it.
test('without an SDK a caller’s context goes through as it came', async () => {
  const server = await wrapped()
  expect(await server.apply({ traceparent })).toMatchObject({ traceparent })
  expect(exporter.getFinishedSpans()).toStrictEqual([])
})

describe('with an SDK', () => {
  beforeAll(registerSdk)

  test('a call is a span of its caller’s trace, its functions and its steps of the store below it', async () => {
    const server = await wrapped()
    await server.apply({ traceparent })
    const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId)
    const whole = spans.find((span) => span.name === 'tools/call add_line')
    expect(whole?.parentSpanContext?.spanId).toBe(parentId)
    expect(whole?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add_line',
      'countersign.operation': 'write',
      'countersign.outcome': 'applied',
      'countersign.plan.id': expect.stringMatching(/^pl_/),
    })
    expect(whole?.attributes['error.type']).toBeUndefined()
    const below = spans.filter((span) => span.parentSpanContext?.spanId === whole?.spanContext().spanId)
    expect(below.map((span) => span.name)).toEqual(
      expect.arrayContaining(['run add_line', 'store journal.begin', 'store plan.claim', 'store plan.finish']),
    )
    expect(spans).toHaveLength(below.length + 1)
  })

  test('what is sent to the server behind continues from the run, whoever began the trace', async () => {
    const server = await wrapped()
    const sent = await server.apply({ traceparent, 'example.org/mine': 'stays' })
    const run = named('run add_line')
    expect(sent).toMatchObject({
      traceparent: `00-${traceId}-${run.spanContext().spanId}-01`,
      'example.org/mine': 'stays',
    })
  })

  test('neither names, values nor words of a call become attributes', async () => {
    const server = await wrapped()
    await server.ask({ text: ['the secret of the day'] })
    await server.apply({ traceparent })
    const said = JSON.stringify(
      exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    )
    expect(said).not.toContain('the secret of the day')
    expect(said).not.toContain('follows a trace')
    expect(exporter.getFinishedSpans().some((span) => span.attributes['error.type'] === 'tool_error')).toBe(true)
  })

  test('what the transport says is a parent where the message says nothing, and linked where it does', async () => {
    const office = await openOffice()
    await office.call('notes_read', { id: '7' }, { traceparent })
    const read = named('rest call notes_read')
    expect([read.spanContext().traceId, read.parentSpanContext?.spanId]).toStrictEqual([traceId, parentId])

    const server = await wrapped()
    exporter.reset()
    await trace.getTracer('test').startActiveSpan('HTTP POST', async (around) => {
      await server.ask({}, { traceparent })
      around.end()
    })
    const whole = named('tools/call add_line')
    expect(whole.parentSpanContext?.spanId).toBe(parentId)
    expect(whole.links.map((link) => link.context.spanId)).toStrictEqual([named('HTTP POST').spanContext().spanId])
  })

  test.for(['', 'nonsense', `00-${'0'.repeat(32)}-${parentId}-01`])(
    'a context that is none (%j) begins a trace of its own',
    async (given) => {
      const office = await openOffice()
      await office.call('notes_read', { id: '7' }, given === '' ? {} : { traceparent: given })
      expect(named('rest call notes_read').spanContext().traceId).not.toBe(traceId)
    },
  )

  test('a name that is no tool’s stands in no span', async () => {
    const office = await openOffice()
    await office.call('my_password_is_hunter2')
    expect(named('rest call').attributes['countersign.outcome']).toBe('refused')
    expect(JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes))).not.toContain('hunter2')
  })
})
