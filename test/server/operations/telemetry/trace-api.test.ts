// Traces guard nothing: a server does without them, and says so to whoever means to have them.
import { expect, test } from 'vitest'
import { meansToTrace } from '../../../../server/operations/telemetry/trace-api.ts'
import { printed, printedWithout } from '../../../kit/without-packages.ts'

test.each([
  [{ OTEL_SERVICE_NAME: 'notes' }, true],
  [{ OTEL_SDK_DISABLED: 'false', OTEL_SERVICE_NAME: 'notes' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_SDK_DISABLED: 'TRUE', OTEL_SERVICE_NAME: 'notes' }, false],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_SERVICE_NAME: 'notes' }, false],
])('who sets %j means to trace: %s', (env, means) => {
  expect(meansToTrace(env)).toBe(means)
})

test('a server of somebody who means to trace starts whatever keeps the API from loading, and its log says what does', async () => {
  const at = JSON.stringify(new URL('../../../../server/compose/operations/telemetry.ts', import.meta.url).href)
  const program = `
    registerHooks({
      resolve(name, context, next) {
        if (name !== '@opentelemetry/api') return next(name, context)
        throw Object.assign(new Error("Cannot find module '@opentelemetry/api'"), { code: 'MODULE_NOT_FOUND' })
      },
    })
    const said = []
    process.env.OTEL_SERVICE_NAME = 'notes'
    process.stderr.write = (text) => said.push(String(text))
    const { openTelemetry } = await import(${at})
    await openTelemetry({ tells: false }, '1')
    process.stdout.write(JSON.stringify(said.join('')))`
  expect(await printedWithout('no such package', program)).toContain(
    "Nothing is traced. Cannot find module '@opentelemetry/api'",
  )
})

test('the API is loaded by the first call after somebody has registered with it, and not before', async () => {
  const at = JSON.stringify(new URL('../../../../server/operations/telemetry/trace-api.ts', import.meta.url).href)
  const program = `
    const { traceApi, traceApiOfCall } = await import(${at})
    const before = await traceApiOfCall()
    globalThis[Symbol.for('opentelemetry.js.api.1')] = { version: '1.9.1' }
    const { trace } = await traceApiOfCall()
    process.stdout.write(JSON.stringify([before === undefined, typeof trace.getTracer, traceApi() !== undefined]))`
  expect(await printed(program)).toStrictEqual([true, 'function', true])
})
