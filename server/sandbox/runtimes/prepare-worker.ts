// Reads, checks, meters and compiles one runtime, in a thread of its own: for CPython that takes a second or two, in which a
// server has others to answer. What was metered is kept on disk.
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { meterWasm } from '../wasm/meter.ts'
import type { RuntimeBinary } from './binaries.ts'
import { shared, type PrepareRequest, type Prepared } from './prepare.ts'

async function prepare({ binary, file, memoryPages, sha256, kept }: PrepareRequest): Promise<Prepared> {
  const bytes = readFileSync(file)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== binary.sha256) return { ok: false, code: 'runtime_changed', found }
  const metered = meterWasm(bytes, {
    ...(memoryPages === undefined ? {} : { memoryMaxPages: memoryPages }),
    exportsTable: binary.metered.exportsTable === true,
  })
  if (!metered.ok) return { ok: false, code: 'runtime_changed', found: metered.failure.message }
  const { binary: made, outputDigest } = metered.value
  if (sha256 !== undefined && outputDigest !== sha256)
    return { ok: false, code: 'runtime_changed', found: `metered: ${outputDigest}` }
  const module = new WebAssembly.Module(made)
  const snapshot = await snapshotOf(module, binary)
  if (kept !== undefined) keep(kept.wasm, made)
  if (kept?.snapshot !== undefined && snapshot !== undefined) keep(kept.snapshot, snapshot)
  return { ok: true, module, snapshot: snapshot && shared(snapshot) }
}

/** `undefined` where none is kept of it, none can be taken, or it is not what it must be: the runtime goes without. */
async function snapshotOf(module: WebAssembly.Module, { snapshot }: RuntimeBinary): Promise<Uint8Array | undefined> {
  if (snapshot === undefined) return undefined
  try {
    const { takeSnapshot } = await import('../javascript/take-snapshot.ts')
    const taken = await takeSnapshot(module)
    return createHash('sha256').update(taken).digest('hex') === snapshot.sha256 ? taken : undefined
  } catch {
    return undefined
  }
}

/** Where it cannot be kept, the next start does the work again. */
function keep(path: string, binary: Uint8Array): void {
  const unfinished = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, binary, { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin.
parentPort?.postMessage(await prepare(workerData as PrepareRequest))
