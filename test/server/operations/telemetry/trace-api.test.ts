// Traces guard nothing: a server does without them, and says so to whoever means to have them.
import { expect, test } from 'vitest'
import { meansToTrace } from '../../../../server/operations/telemetry/trace-api.ts'
import { printedWithout } from '../../../kit/without-packages.ts'

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

test('a server starts whatever keeps the API from loading, and its log says what does', async () => {
  const at = JSON.stringify(new URL('../../../../server/compose/operations/telemetry.ts', import.meta.url).href)
  const program = `
    registerHooks({
      resolve(name, context, next) {
        if (name !== '@opentelemetry/api') return next(name, context)
        throw Object.assign(new Error("Cannot find module '@opentelemetry/api'"), { code: 'MODULE_NOT_FOUND' })
      },
    })
    const said = []
    process.stderr.write = (text) => said.push(String(text))
    const { openTelemetry } = await import(${at})
    await openTelemetry({ isScraped: false, tells: false }, '1')
    process.stdout.write(JSON.stringify(said.join('')))`
  expect(await printedWithout('no such package', program)).toContain(
    "Nothing is traced. Cannot find module '@opentelemetry/api'",
  )
})
