// Meters QuickJS once, into `dist/sandbox`, with a snapshot of it and its licence: a step of the build, which
// spares every server that work at its first program. CPython is left out, since metered it would add seven megabytes to
// the package.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { meterWasm } from '../wasm/meter.ts'
import { binaries, binaryFile } from './binaries.ts'
import { builtRuntime } from './prepare.ts'

const binary = binaries.javascript
const file = binaryFile(binary)
// The packages of the runtimes are optional.
if (file !== undefined) {
  const metered = meterWasm(readFileSync(file), { exportsTable: binary.metered.exportsTable === true })
  if (!metered.ok) throw new Error(`${file}: ${metered.failure.message}`)
  const { inputDigest, outputDigest } = metered.value
  if (inputDigest !== binary.sha256 || outputDigest !== binary.metered.sha256)
    throw new Error(`${file} has the digest ${inputDigest}, and metered ${outputDigest}: binaries.ts has others.`)
  const made = builtRuntime(binary)
  mkdirSync(dirname(made.wasm), { recursive: true })
  writeFileSync(made.wasm, metered.value.binary)
  copyFileSync(join(dirname(file), '..', 'LICENSE'), join(dirname(made.wasm), 'LICENSE'))
  const { takeSnapshot } = await import('../javascript/take-snapshot.ts')
  const snapshot = await takeSnapshot(new WebAssembly.Module(metered.value.binary))
  const digest = createHash('sha256').update(snapshot).digest('hex')
  if (made.snapshot === undefined || digest !== binary.snapshot?.sha256)
    throw new Error(`The snapshot of ${binary.engine} has the digest ${digest}: binaries.ts has another.`)
  writeFileSync(made.snapshot, snapshot)
}
