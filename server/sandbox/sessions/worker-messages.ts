// What goes between a session and the worker that runs its programs.
import type { InstanceRun } from '../instance.ts'
import type { Runtime } from '../runtimes/prepare.ts'
import type { ChangedFile, GivenFile } from '../workspace/file-tree.ts'

/** The function of a busy worker that `askBusyWorker` calls; it answers with JSON. */
export const askedFunction = 'countersignRunSoFar'

/** What a worker is started with. */
export interface WorkerStart {
  readonly packages: readonly GivenFile[]
  readonly memoryBytes: number
  readonly outputBytes: number
  readonly workspaceBytes: number
  readonly workspaceFiles: number
  /** Counts messages: the worker, which never gets back to its event loop, waits for it to change. */
  readonly posted: Int32Array<SharedArrayBuffer>
}

export type ToWorker =
  /** Comes first: what to instantiate. */
  | ({ readonly kind: 'runtime' } & Runtime)
  | {
      readonly kind: 'run'
      readonly code: string
      readonly budget: number
      /** Written before the run. */
      readonly files: readonly GivenFile[]
    }
  | { readonly kind: 'clear' }

export type FromWorker =
  /** With what kept it from beginning as it was meant to. */
  | { readonly kind: 'booted'; readonly problem?: unknown }
  | {
      readonly kind: 'ended'
      readonly run: InstanceRun
      readonly durationMs: number
      readonly changes: readonly ChangedFile[]
    }
