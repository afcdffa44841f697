// Meters QuickJS once, into `dist/sandbox`, with its licence: a step of the build, run from `dist`, which spares every server
// that work at its first program. CPython is left out, since metered it would add seven megabytes to the package.
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
  mkdirSync(dirname(made), { recursive: true })
  writeFileSync(made, metered.value.binary)
  copyFileSync(join(dirname(file), '..', 'LICENSE'), join(dirname(made), 'LICENSE'))
}
