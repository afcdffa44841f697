// Reads, checks, meters and compiles one runtime, in a thread of its own: for CPython that takes a second or two, in which a
// server has others to answer. What was metered is kept on disk by the digests of all that decides it.
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { fuelModel, instrumenterVersion, meterWasm } from '../wasm/meter.ts'
import type { PrepareRequest, Prepared } from './prepare.ts'

const digestLength = 32
const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function prepare({ binary, file, memoryPages, cacheFolder }: PrepareRequest): Prepared {
  const pages = binary.language === 'python' ? memoryPages : undefined
  const name = [
    binary.language,
    binary.sha256.slice(0, 32),
    fuelModel.replace('/', '-'),
    instrumenterVersion,
    pages ?? 'any',
  ]
  const cached = cacheFolder === undefined ? undefined : join(cacheFolder, `${name.join('-')}.wasm`)
  const kept = cached === undefined ? undefined : readKept(cached)
  if (kept !== undefined) return { ok: true, module: new WebAssembly.Module(kept) }
  const bytes = readFileSync(file)
  const found = digest(bytes).toString('hex')
  if (found !== binary.sha256) return { ok: false, code: 'runtime_changed', found }
  const metered = meterWasm(bytes, pages === undefined ? {} : { memoryMaxPages: pages })
  if (!metered.ok) return { ok: false, code: 'runtime_changed', found: metered.failure.message }
  const module = new WebAssembly.Module(metered.value.binary)
  if (cached !== undefined) keep(cached, metered.value.binary)
  return { ok: true, module }
}

/** A kept binary, which begins with the digest of the rest; `undefined` where there is none that is whole. */
function readKept(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = readFileSync(path)
    const rest = bytes.subarray(digestLength)
    return digest(rest).equals(bytes.subarray(0, digestLength)) ? new Uint8Array(rest) : undefined
  } catch {
    return undefined
  }
}

/** Where it cannot be kept, the next start does the work again. */
function keep(path: string, binary: Uint8Array): void {
  const unfinished = `${path}.${randomUUID()}`
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, Buffer.concat([digest(binary), binary]), { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin.
parentPort?.postMessage(prepare(workerData as PrepareRequest))
