// A runtime that is ready to be instantiated. Its metered binary comes from the package's build or from the last time that it
// was made on this machine; otherwise a thread of its own makes it. Whichever it was, its digest stands in `binaries.ts`.
import { hash, webcrypto } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fail, ok } from '../../errors/result.ts'
import type { Result } from '../../errors/result.ts'
import { packageRoot } from '../../package-root.ts'
import type { SandboxRefusal } from '../sandbox.ts'
import { binaryFile, meteredDigest, missingRuntime } from './binaries.ts'
import type { RuntimeBinary } from './binaries.ts'

export interface KeptFiles {
  readonly wasm: string
  readonly snapshot: string | undefined
}

export interface PrepareRequest {
  readonly binary: RuntimeBinary
  readonly file: string
  /** Where memory has a maximum that is written into the binary. */
  readonly memoryPages: number | undefined
  /** What the metered binary must be, where that is known: it depends on the maximum. */
  readonly sha256: string | undefined
  /** Where it and its snapshot are kept for the next time. */
  readonly kept: KeptFiles | undefined
}

/** What threads are started with. */
export interface Runtime {
  readonly module: WebAssembly.Module
  /** Memory of an instance that has begun, shared by all threads; without it each instance begins by itself. */
  readonly snapshot: Uint8Array<SharedArrayBuffer> | undefined
}

export type Prepared =
  | ({ readonly ok: true } & Runtime)
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

/** Where the build puts what goes out with the package of a runtime: its metered binary, and a snapshot of it. */
export const builtRuntime = ({ language, snapshot }: RuntimeBinary): KeptFiles => {
  const file = (ending: string): string => join(packageRoot(), 'dist', 'sandbox', `${language}.${ending}`)
  return { wasm: file('wasm'), snapshot: snapshot && file('snapshot') }
}

/** A runtime that is ready to be instantiated; whatever keeps it from getting ready is a refusal. */
export async function prepareRuntime(
  binary: RuntimeBinary,
  options: PrepareOptions,
  patience: Patience,
): Promise<Result<Runtime, SandboxRefusal>> {
  try {
    const prepared = await prepare(binary, options, patience)
    if (prepared?.ok === true && prepared.value.snapshot === undefined && binary.snapshot !== undefined)
      patience.report(withoutSnapshot(binary))
    return prepared ?? notReady(binary, patience)
  } catch (error) {
    patience.report(error)
    return notReady(binary, patience)
  }
}

function notReady({ engine }: RuntimeBinary, { timeoutMs }: Patience): Result<never, SandboxRefusal> {
  const message = `${engine} was not ready within ${timeoutMs / 1000} seconds, or its thread ended. Nothing has run.`
  return fail({ code: 'runtime_not_started', message })
}

const withoutSnapshot = ({ engine }: RuntimeBinary): Error =>
  new Error(
    `The snapshot of ${engine} is missing or is not the one that this version was built with, so its programs start more slowly. Their results and their fuel are the same. Install this package again, or build it again.`,
  )

/** `undefined` where it was not ready in time. */
async function prepare(
  binary: RuntimeBinary,
  { memoryPages, cacheFolder }: PrepareOptions,
  { timeoutMs, ended }: Patience,
): Promise<Result<Runtime, SandboxRefusal> | undefined> {
  const file = binaryFile(binary)
  if (file === undefined) return fail({ code: 'runtime_missing', message: missingRuntime(binary) })
  const { metered } = binary
  const sha256 = meteredDigest(binary, memoryPages)
  const kept = sha256 === undefined || cacheFolder === undefined ? undefined : keptFiles(binary, sha256, cacheFolder)
  if (sha256 !== undefined) {
    const built = await runtimeOf(builtRuntime(binary), binary, sha256)
    if (built !== undefined) return ok(built)
    const made = kept && (await runtimeOf(kept, binary, sha256))
    // A snapshot of an older version is made anew.
    if (made !== undefined && (made.snapshot === undefined) === (binary.snapshot === undefined)) return ok(made)
  }
  const pages = metered.memoryPages === undefined ? undefined : memoryPages
  const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)])
  const prepared = await inWorker({ binary, file, memoryPages: pages, sha256, kept }, signal)
  if (prepared === undefined) return undefined
  if (prepared.ok) return ok({ module: prepared.module, snapshot: prepared.snapshot })
  const message = `${file} is not the ${binary.engine} that fuel was defined for (${prepared.found}). Install ${binary.package} again.`
  return fail({ code: 'runtime_changed', message })
}

/** By their digests: another version of this program keeps others beside them. */
const keptFiles = ({ language, snapshot }: RuntimeBinary, sha256: string, folder: string): KeptFiles => {
  const file = (digest: string, ending: string): string => join(folder, `${language}-${digest.slice(0, 32)}.${ending}`)
  return { wasm: file(sha256, 'wasm'), snapshot: snapshot && file(snapshot.sha256, 'snapshot') }
}

async function runtimeOf(files: KeptFiles, binary: RuntimeBinary, sha256: string): Promise<Runtime | undefined> {
  const { snapshot } = binary
  const [wasm, taken] = await Promise.all([
    bytesOf(files.wasm, sha256),
    files.snapshot === undefined || snapshot === undefined ? undefined : bytesOf(files.snapshot, snapshot.sha256),
  ])
  if (wasm === undefined) return undefined
  return { module: await WebAssembly.compile(wasm), snapshot: taken && shared(taken) }
}

/** In memory that all threads see. */
export function shared(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

/** Up to here, to have another thread read a file and make its digest takes longer than to do it, where all are busy. */
const quickBytes = 2 * 1024 * 1024

/** What lies there; `undefined` where it is not there, or is anything else than it must be. */
async function bytesOf(path: string, sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    if (statSync(path).size <= quickBytes) {
      const bytes = readFileSync(path)
      return hash('sha256', bytes) === sha256 ? bytes : undefined
    }
    const bytes = await readFile(path)
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
