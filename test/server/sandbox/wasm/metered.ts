import { meterWasm } from '../../../../server/sandbox/wasm/meter.ts'
import type { MeteredWasm, MeterOptions } from '../../../../server/sandbox/wasm/meter.ts'

/** A metered binary, which it must be possible to make. */
export const metered = (binary: Uint8Array<ArrayBuffer>, options: MeterOptions = {}): MeteredWasm => {
  const result = meterWasm(binary, options)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

/** How a call ended: its results, or its trap in the engine's words. */
export const outcomeOf = (run: () => unknown): unknown => {
  try {
    return { returned: run() }
  } catch (error) {
    return { trapped: error instanceof Error ? error.message : error }
  }
}

export interface Running {
  readonly exports: WebAssembly.Exports
  readonly fuel: WebAssembly.Global
  /** Calls an export on so much fuel. */
  readonly run: (name: string, args?: readonly unknown[], budget?: bigint) => { outcome: unknown; spent: bigint }
}

const plenty = 1_000_000_000n

/** An instance of a binary that is metered here. */
export const started = (
  binary: Uint8Array<ArrayBuffer>,
  imports: WebAssembly.Imports = {},
  options: MeterOptions = {},
): Running => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(metered(binary, options).binary), imports)
  const fuel = instance.exports['__fuel'] as WebAssembly.Global
  return {
    exports: instance.exports,
    fuel,
    run: (name, args = [], budget = plenty) => {
      fuel.value = budget
      const outcome = outcomeOf(() => (instance.exports[name] as (...args: readonly unknown[]) => unknown)(...args))
      return { outcome, spent: budget - (fuel.value as bigint) }
    },
  }
}
