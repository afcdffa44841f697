// A runtime that is ready to be instantiated. Its metered binary comes from the package's build or from the last time that it
// was made on this machine; otherwise a thread of its own makes it. Whichever it was, its digest stands in `binaries.ts`.
import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fail, ok } from '../../errors/result.ts'
import type { Result } from '../../errors/result.ts'
import { packageRoot } from '../../package-root.ts'
import type { SandboxRefusal } from '../sandbox.ts'
import { binaryFile, meteredDigest, missingRuntime } from './binaries.ts'
import type { RuntimeBinary } from './binaries.ts'

export interface PrepareRequest {
  readonly binary: RuntimeBinary
  readonly file: string
  /** Where memory has a maximum that is written into the binary. */
  readonly memoryPages: number | undefined
  /** What the metered binary must be, where that is known: it depends on the maximum. */
  readonly sha256: string | undefined
  /** Where it is kept for the next time. */
  readonly kept: string | undefined
}

export type Prepared =
  | { readonly ok: true; readonly module: WebAssembly.Module }
  | { readonly ok: false; readonly code: 'runtime_changed'; readonly found: string }

/** How long to wait for a runtime: not beyond a time, nor beyond the end of the sandbox. */
export interface Patience {
  readonly timeoutMs: number
  readonly ended: AbortSignal
  /** Told what kept a runtime from getting ready, where that was an error. */
  readonly report: (error: unknown) => void
}

export interface PrepareOptions {
  readonly memoryPages: number
  readonly cacheFolder: string | undefined
}

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './prepare-worker.ts' : './prepare-worker.js',
  import.meta.url,
)

/** Where the build puts the metered binary of a runtime that goes out with the package. */
export const builtRuntime = ({ language }: RuntimeBinary): string =>
  join(packageRoot(), 'dist', 'sandbox', `${language}.wasm`)

/** The metered module of a runtime; whatever keeps it from getting ready is a refusal. */
export async function prepareRuntime(
  binary: RuntimeBinary,
  options: PrepareOptions,
  patience: Patience,
): Promise<Result<WebAssembly.Module, SandboxRefusal>> {
  try {
    return (await prepare(binary, options, patience)) ?? notReady(binary, patience)
  } catch (error) {
    patience.report(error)
    return notReady(binary, patience)
  }
}

function notReady({ engine }: RuntimeBinary, { timeoutMs }: Patience): Result<never, SandboxRefusal> {
  const message = `${engine} was not ready within ${timeoutMs / 1000} seconds, or its thread ended. Nothing has run.`
  return fail({ code: 'runtime_not_started', message })
}

/** `undefined` where it was not ready in time. */
async function prepare(
  binary: RuntimeBinary,
  { memoryPages, cacheFolder }: PrepareOptions,
  { timeoutMs, ended }: Patience,
): Promise<Result<WebAssembly.Module, SandboxRefusal> | undefined> {
  const file = binaryFile(binary)
  if (file === undefined) return fail({ code: 'runtime_missing', message: missingRuntime(binary) })
  const { metered, language } = binary
  const sha256 = meteredDigest(binary, memoryPages)
  const kept =
    sha256 === undefined || cacheFolder === undefined
      ? undefined
      : join(cacheFolder, `${language}-${sha256.slice(0, 32)}.wasm`)
  if (sha256 !== undefined)
    for (const made of [builtRuntime(binary), kept]) {
      const bytes = made === undefined ? undefined : await bytesOf(made, sha256)
      if (bytes !== undefined) return ok(await WebAssembly.compile(bytes))
    }
  const pages = metered.memoryPages === undefined ? undefined : memoryPages
  const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)])
  const prepared = await inWorker({ binary, file, memoryPages: pages, sha256, kept }, signal)
  if (prepared === undefined) return undefined
  if (prepared.ok) return ok(prepared.module)
  const message = `${file} is not the ${binary.engine} that fuel was defined for (${prepared.found}). Install ${binary.package} again.`
  return fail({ code: 'runtime_changed', message })
}

/** What lies there; `undefined` where it is not there, or is anything else than it must be. */
async function bytesOf(path: string, sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const bytes = new Uint8Array(await readFile(path))
    const digest = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
    return digest === sha256 ? bytes : undefined
  } catch {
    return undefined
  }
}

/**
 * What the thread answers; `undefined` where it was ended before, from outside. It has ended when this does.
 * @throws whatever ended the thread from within.
 */
async function inWorker(request: PrepareRequest, signal: AbortSignal): Promise<Prepared | undefined> {
  const worker = new Worker(workerFile, { workerData: request, execArgv: ['--no-warnings'], env: {} })
  const end = (): void => void worker.terminate()
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await new Promise<Prepared | undefined>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => resolve(undefined))
    })
  } finally {
    signal.removeEventListener('abort', end)
    await worker.terminate()
  }
}
