// What a worker has in it: one instance of a runtime that runs program after program. An instance that trapped is gone.
import type { Ended } from './sandbox.ts'
import type { FileTree, FolderNode } from './workspace/file-tree.ts'

export interface InstanceLimits {
  readonly outputBytes: number
  readonly memoryPages: number
}

/** What an instance is made from. */
export interface InstanceSetup {
  readonly module: WebAssembly.Module
  /** Memory of an instance of it that has begun, as a file, where there is one. */
  readonly snapshot: Uint8Array | undefined
  readonly tree: FileTree
  /** The workspace, and other folders by the path under which programs see them. */
  readonly workspace: FolderNode
  readonly folders: ReadonlyMap<string, FolderNode>
  readonly limits: InstanceLimits
  /** Takes what answers, at any moment of a run, what is known of it by then. */
  readonly observe: (soFar: () => InstanceRun) => void
}

/** What is known of a run where it ended. */
export interface InstanceRun {
  readonly stdout: string
  readonly stderr: string
  readonly omitted: { readonly stdoutBytes: number; readonly stderrBytes: number }
  readonly exitCode: number
  readonly ended: Ended
  readonly fuel: number
  readonly memoryBytes: number
  readonly imports: readonly { readonly module: string; readonly first: boolean; readonly fuel: number }[]
  /** The instance cannot run another program. */
  readonly gone: boolean
}

export interface InstanceProgram {
  readonly code: string
  readonly budget: number
}

/** The session whose programs an instance runs. */
export interface InstancePort {
  /** With what kept it from beginning as it was meant to, where it began another way. */
  readonly booted: (problem?: unknown) => void
  /** Waits so many milliseconds for the next program, and says whether none has come. */
  readonly isIdle: (ms: number) => boolean
  /** Waits for the next program. */
  readonly next: () => InstanceProgram
  /** What became of the last one. */
  readonly ended: (run: InstanceRun) => void
}

/** Thrown through the guest to end it: by its own exit, or since it wrote too much. */
export class GuestEnded extends Error {
  readonly reason: 'exit' | 'flood'
  readonly code: number

  constructor(reason: 'exit' | 'flood', code: number) {
    super(reason)
    this.reason = reason
    this.code = code
  }
}

/** The counter that `meterWasm` puts into a binary. */
export class FuelGauge {
  readonly #global: WebAssembly.Global<'i64'>
  #given = 0n

  constructor(exports: WebAssembly.Exports) {
    this.#global = exports['__fuel'] as WebAssembly.Global<'i64'>
  }

  fill(budget: number): void {
    this.#given = BigInt(budget)
    this.#global.value = this.#given
  }

  /** Used since it was filled. */
  get used(): number {
    return Number(this.#given - this.#global.value)
  }

  get exhausted(): boolean {
    return this.#global.value < 0n
  }

  /** The next instruction traps. */
  empty(): void {
    this.#global.value = -1n
  }

  /**
   * Takes off what the host does for the program, before it does it; the guest's next payment goes on from there. What is
   * no whole number from 0 on takes all: a length comes from the guest, which must not give itself fuel by it.
   * @throws OutOfFuel where there is not enough; the guest's next instruction traps as well.
   */
  pay(units: number): void {
    if (Number.isSafeInteger(units) && units >= 0) this.#global.value -= BigInt(units)
    else this.empty()
    if (this.exhausted) throw new OutOfFuel()
  }
}

/** Thrown through the guest by a payment that it had too little fuel for. */
export class OutOfFuel extends Error {}

/** What work of the host costs by its length in bytes, in the rules of docs/FUEL.md. */
export const workOf = {
  /** Bytes that are copied or filled, like those of `memory.copy`. */
  copy: (bytes: number): number => Math.floor(bytes / 8),
  /** Bytes that are read or made one by one: paths, names, text, chance. */
  text: (bytes: number): number => 8 * bytes,
} as const

/** Why an instance is gone, from what came out of it. */
export function endedBy(error: unknown, fuel: FuelGauge): { readonly ended: Ended; readonly exitCode: number } {
  if (error instanceof GuestEnded)
    return error.reason === 'flood' ? { ended: 'output_limit', exitCode: 1 } : endedByExit(error.code)
  if (fuel.exhausted) return { ended: 'out_of_fuel', exitCode: 1 }
  return { ended: 'crashed', exitCode: 1 }
}

const endedByExit = (code: number): { readonly ended: Ended; readonly exitCode: number } => ({
  ended: code === 0 ? 'finished' : 'error',
  exitCode: code & 255,
})
