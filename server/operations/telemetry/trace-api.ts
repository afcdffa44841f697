// The API of OpenTelemetry is loaded where somebody records traces: an SDK is registered with it, or variables that only
// OpenTelemetry reads are set. An SDK that is registered after the server has opened is found by the next call.
import type * as TraceApi from '@opentelemetry/api'
import { packageOnFirstUse } from '../../errors/optional-package.ts'

let loaded: typeof TraceApi | undefined
let hasFailed = false

const load = packageOnFirstUse('@opentelemetry/api', () => import('@opentelemetry/api'))

/** Loads it. Answers why it could not be: traces guard nothing, so that a server does without them, whatever that is. */
export async function loadTraceApi(): Promise<Error | undefined> {
  try {
    loaded = await load()
    return undefined
  } catch (error) {
    hasFailed = true
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** It, once it is loaded. */
export const traceApi = (): typeof TraceApi | undefined => loaded

/** It, for a call that begins: loaded by now if an SDK was registered meanwhile. */
export async function traceApiOfCall(): Promise<typeof TraceApi | undefined> {
  if (loaded === undefined && !hasFailed && isRegistered()) await loadTraceApi()
  return loaded
}

/** Whether anything is registered with the API in this process, which keeps it under this name. */
export const isRegistered = (): boolean => Symbol.for('opentelemetry.js.api.1') in globalThis

/**
 * Whether somebody means to record traces in this process. An empty variable is as good as none (as OpenTelemetry says), and some
 * of them say that nothing is to be traced.
 */
export function meansToTrace(env: Readonly<Record<string, string | undefined>>): boolean {
  if (isDisabled(env)) return false
  const isSet = Object.entries(env).some(
    ([name, value]) => name.startsWith('OTEL_') && name !== 'OTEL_SDK_DISABLED' && (value ?? '').trim() !== '',
  )
  return isSet || isRegistered()
}

const isDisabled = ({
  OTEL_SDK_DISABLED: disabled,
  OTEL_TRACES_EXPORTER: exporter,
}: Readonly<Record<string, string | undefined>>): boolean =>
  disabled?.trim().toLowerCase() === 'true' || exporter?.trim().toLowerCase() === 'none'
