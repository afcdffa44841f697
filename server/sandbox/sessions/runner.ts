// A worker as its session sees it: one program at a time, each with a watchdog. A worker is ended rather than asked to stop,
// since what runs in it may not listen.
import { Worker } from 'node:worker_threads'
import type { Language, SandboxLimits } from '../sandbox.ts'
import type { ChangedFile, GivenFile } from '../workspace/file-tree.ts'
import type { EngineRun } from '../engine.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

/** What became of a program. */
export type RunnerAnswer =
  | {
      readonly kind: 'ended'
      readonly run: EngineRun
      readonly durationMs: number
      readonly changes: readonly ChangedFile[]
    }
  | { readonly kind: 'timeout' | 'died'; readonly durationMs: number }

export interface RunnerParts {
  readonly language: Language
  readonly module: WebAssembly.Module
  readonly packages: readonly GivenFile[]
  readonly limits: SandboxLimits
}

/** The starting takes seconds on a busy machine, and does not take minutes. */
const longestBoot = 60_000

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './session-worker.ts' : './session-worker.js',
  import.meta.url,
)

export class Runner {
  readonly #worker: Worker
  readonly #posted = new Int32Array(new SharedArrayBuffer(4))
  readonly #booted: Promise<boolean>
  #alive = true
  #heard: ((message: FromWorker | undefined) => void) | undefined

  constructor({ language, module, packages, limits }: RunnerParts) {
    const start: WorkerStart = {
      language,
      module,
      packages,
      posted: this.#posted,
      memoryBytes: limits.memoryBytes,
      outputBytes: limits.outputBytes,
      workspaceBytes: limits.workspaceBytes,
      workspaceFiles: limits.workspaceFiles,
    }
    this.#worker = new Worker(workerFile, {
      workerData: start,
      name: `sandbox ${language}`,
      execArgv: ['--no-warnings'],
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: 8, maxOldGenerationSizeMb: 512 },
    })
    this.#worker.on('message', (message: FromWorker) => this.#heard?.(message))
    this.#worker.on('error', () => this.#gone())
    this.#worker.on('exit', () => this.#gone())
    // Nobody waits for a sandbox to end: only a run that is going on keeps the process.
    this.#worker.unref()
    this.#booted = this.#answer(longestBoot).then((message) => message !== 'late' && message?.kind === 'booted')
  }

  get alive(): boolean {
    return this.#alive
  }

  /** Whether it has started. */
  async booted(): Promise<boolean> {
    this.#worker.ref()
    const booted = await this.#booted
    this.#worker.unref()
    if (!booted) this.end()
    return booted
  }

  /** Runs a program; one at a time. */
  async run(
    program: { code: string; budget: number; files: readonly GivenFile[] },
    timeoutMs: number,
  ): Promise<RunnerAnswer> {
    if (!(await this.booted())) return { kind: 'died', durationMs: 0 }
    const began = performance.now()
    this.#worker.ref()
    const answered = this.#answer(timeoutMs)
    this.#post({ kind: 'run', ...program })
    const message = await answered
    const durationMs = performance.now() - began
    this.#worker.unref()
    if (message === 'late' || message?.kind !== 'ended') {
      this.end()
      return { kind: message === 'late' ? 'timeout' : 'died', durationMs }
    }
    if (message.run.gone) this.end()
    return message
  }

  /** Deletes the files of its workspace before the next run. */
  clear(): void {
    this.#post({ kind: 'clear' })
  }

  end(): void {
    this.#gone()
    void this.#worker.terminate()
  }

  #post(message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin.
    this.#worker.postMessage(message)
    Atomics.add(this.#posted, 0, 1)
    Atomics.notify(this.#posted, 0)
  }

  #gone(): void {
    this.#alive = false
    this.#heard?.(undefined)
  }

  /** The next message; `undefined` where the worker died, `late` where none came in time. */
  #answer(timeoutMs: number): Promise<FromWorker | undefined | 'late'> {
    return new Promise((resolve) => {
      const settle = (message: FromWorker | undefined | 'late'): void => {
        clearTimeout(timer)
        this.#heard = undefined
        resolve(message)
      }
      const timer = setTimeout(() => settle('late'), timeoutMs)
      timer.unref()
      if (!this.#alive) settle(undefined)
      else this.#heard = settle
    })
  }
}
