// A WebAssembly program that runs forever cannot be stopped from within its thread, and how long it runs differs between
// machines. This rewrites a binary so that it counts what it does, in the exported global `__fuel`, and traps when that is used
// up. The count is a matter of the binary and its inputs alone (docs/FUEL.md has the rules).
import { createHash } from 'node:crypto'
import { fail, ok } from '../../errors/result.ts'
import type { Result } from '../../errors/result.ts'
import { RefusedBinary } from './reader.ts'
import type { WasmRefusal } from './reader.ts'
import { ModuleRewriter, sectionsOf, type MeterOptions } from './sections.ts'
import { Writer } from './writer.ts'

export type { WasmRefusal } from './reader.ts'
export { fuelExport, unlimitedFuel, type MeterOptions } from './sections.ts'

/** The rules by which fuel is counted. Other rules have another name. */
export const fuelModel = 'wasm-seg/2'

/** Changes whenever the same input becomes another output. */
export const instrumenterVersion = 1

export interface MeteredWasm {
  readonly binary: Uint8Array<ArrayBuffer>
  readonly fuelModel: typeof fuelModel
  readonly instrumenterVersion: number
  /** SHA-256 of the binary that came in, in hexadecimal. */
  readonly inputDigest: string
  /** SHA-256 of the binary that went out. */
  readonly outputDigest: string
  /** Names of the custom sections that were left out, since they name places in the code by their offsets. */
  readonly droppedSections: readonly string[]
}

const notValid: WasmRefusal = { code: 'malformed', message: 'The WebAssembly binary is not valid.', offset: 0 }

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The same program, which counts its instructions and traps when `__fuel` falls below zero.
 */
export const meterWasm = (
  binary: Uint8Array<ArrayBuffer>,
  options: MeterOptions = {},
): Result<MeteredWasm, WasmRefusal> => {
  try {
    const out = new Writer(binary.length + 1024)
    out.copy(binary.subarray(0, 8))
    const rewriter = new ModuleRewriter(out, options)
    for (const section of sectionsOf(binary)) rewriter.write(section)
    // An invalid program could become valid by what is added, and name the fuel. Asked last, since the refusals above say more.
    if (!WebAssembly.validate(binary)) return fail(notValid)
    return ok({
      binary: out.bytes,
      fuelModel,
      instrumenterVersion,
      inputDigest: digest(binary),
      outputDigest: digest(out.bytes),
      droppedSections: rewriter.dropped,
    })
  } catch (error) {
    if (error instanceof RefusedBinary) return fail(error.refusal)
    throw error
  }
}
