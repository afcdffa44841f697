// The API of OpenTelemetry is loaded when a server opens, where it is installed. Nobody can register an SDK without it, so where
// it is missing nothing is lost, unless somebody meant to record: an SDK that was registered with a copy which we do not find, or
// variables that only OpenTelemetry reads.
import type * as TraceApi from '@opentelemetry/api'
import { packageOnFirstUse } from '../../errors/optional-package.ts'

let loaded: typeof TraceApi | undefined

const load = packageOnFirstUse('@opentelemetry/api', () => import('@opentelemetry/api'))

/** Loads it. Answers why it could not be: traces guard nothing, so that a server does without them, whatever that is. */
export async function loadTraceApi(): Promise<Error | undefined> {
  try {
    loaded = await load()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** It, once it is loaded. */
export const traceApi = (): typeof TraceApi | undefined => loaded

/**
 * Whether somebody means to record traces in this process: under this name the API keeps what is registered with it. An empty
 * variable is as good as none (as OpenTelemetry says), and some of them say that nothing is to be traced.
 */
export function meansToTrace(env: Readonly<Record<string, string | undefined>>): boolean {
  if (isDisabled(env)) return false
  const isSet = Object.entries(env).some(
    ([name, value]) => name.startsWith('OTEL_') && name !== 'OTEL_SDK_DISABLED' && (value ?? '').trim() !== '',
  )
  return isSet || Symbol.for('opentelemetry.js.api.1') in globalThis
}

const isDisabled = ({
  OTEL_SDK_DISABLED: disabled,
  OTEL_TRACES_EXPORTER: exporter,
}: Readonly<Record<string, string | undefined>>): boolean =>
  disabled?.trim().toLowerCase() === 'true' || exporter?.trim().toLowerCase() === 'none'
