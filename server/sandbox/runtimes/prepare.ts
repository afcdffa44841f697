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

/** The metered module of a runtime. */
export async function prepareRuntime(
  binary: RuntimeBinary,
  options: Pick<PrepareRequest, 'memoryPages' | 'cacheFolder'>,
): Promise<Result<WebAssembly.Module, SandboxRefusal>> {
  const file = binaryFile(binary)
  if (file === undefined) return fail({ code: 'runtime_missing', message: missingRuntime(binary) })
  const prepared = await inWorker({ binary, file, ...options })
  if (prepared.ok) return ok(prepared.module)
  const message = `${file} is not the ${binary.engine} that fuel was defined for (${prepared.found}). Install ${binary.package} again.`
  return fail({ code: 'runtime_changed', message })
}

const inWorker = (request: PrepareRequest): Promise<Prepared> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: request, execArgv: ['--no-warnings'], env: {} })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`A runtime could not be prepared: its worker left with ${code}.`)))
  })
