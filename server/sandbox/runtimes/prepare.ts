// A runtime that is ready to be instantiated, prepared on first use in a thread of its own.
import { Worker } from 'node:worker_threads'
import { fail, ok } from '../../errors/result.ts'
import type { Result } from '../../errors/result.ts'
import type { SandboxRefusal } from '../sandbox.ts'
import { binaryFile, missingRuntime } from './binaries.ts'
import type { RuntimeBinary } from './binaries.ts'

export interface PrepareRequest {
  readonly binary: RuntimeBinary
  readonly file: string
  readonly memoryPages: number
  readonly cacheFolder: string | undefined
}

export type Prepared =
  | { readonly ok: true; readonly module: WebAssembly.Module }
  | { readonly ok: false; readonly code: 'runtime_changed'; readonly found: string }

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './prepare-worker.ts' : './prepare-worker.js',
  import.meta.url,
)

/** How long to wait for a runtime: not beyond a time, nor beyond the end of the sandbox. */
export interface Patience {
  readonly timeoutMs: number
  readonly ended: AbortSignal
}

/** The metered module of a runtime. */
export async function prepareRuntime(
  binary: RuntimeBinary,
  options: Pick<PrepareRequest, 'memoryPages' | 'cacheFolder'>,
  { timeoutMs, ended }: Patience,
): Promise<Result<WebAssembly.Module, SandboxRefusal>> {
  const file = binaryFile(binary)
  if (file === undefined) return fail({ code: 'runtime_missing', message: missingRuntime(binary) })
  const prepared = await inWorker(
    { binary, file, ...options },
    AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]),
  )
  if (prepared === undefined) {
    const message = `${binary.engine} was not ready within ${timeoutMs / 1000} seconds, or its thread ended. Nothing has run.`
    return fail({ code: 'runtime_not_started', message })
  }
  if (prepared.ok) return ok(prepared.module)
  const message = `${file} is not the ${binary.engine} that fuel was defined for (${prepared.found}). Install ${binary.package} again.`
  return fail({ code: 'runtime_changed', message })
}

/** What the thread answers; `undefined` where it was ended before, from outside or by itself. It has ended when this does. */
async function inWorker(request: PrepareRequest, signal: AbortSignal): Promise<Prepared | undefined> {
  const worker = new Worker(workerFile, { workerData: request, execArgv: ['--no-warnings'], env: {} })
  const end = (): void => void worker.terminate()
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const prepared = await new Promise<Prepared | undefined>((resolve) => {
    worker.once('message', resolve)
    worker.once('error', () => resolve(undefined))
    worker.once('exit', () => resolve(undefined))
  })
  signal.removeEventListener('abort', end)
  await worker.terminate()
  return prepared
}
