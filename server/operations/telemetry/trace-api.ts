// The API of OpenTelemetry is loaded when a server opens, where it is installed. Nobody can register an SDK without it, so where
// it is missing nothing is lost, unless somebody meant to record: an SDK that was registered with a copy which we do not find, or
// variables that only OpenTelemetry reads.
import type * as TraceApi from '@opentelemetry/api'
import { packageOnFirstUse, PackageMissing } from '../../errors/optional-package.ts'

let loaded: typeof TraceApi | undefined

const load = packageOnFirstUse('@opentelemetry/api', () => import('@opentelemetry/api'))

/** Loads it. Answers what is missing, where it is not installed. */
export async function loadTraceApi(): Promise<PackageMissing | undefined> {
  try {
    loaded = await load()
    return undefined
  } catch (error) {
    if (error instanceof PackageMissing) return error
    throw error
  }
}

/** It, once it is loaded. */
export const traceApi = (): typeof TraceApi | undefined => loaded

/** Whether somebody means to record traces in this process: under this name the API keeps what is registered with it. */
export const meansToTrace = (env: Readonly<Record<string, string | undefined>>): boolean =>
  Symbol.for('opentelemetry.js.api.1') in globalThis || Object.keys(env).some((name) => name.startsWith('OTEL_'))
