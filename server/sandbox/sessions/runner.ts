// A worker as its session sees it: one program at a time, each with a watchdog. A worker is ended rather than asked to stop,
// since what runs in it may not listen.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Result } from '../../errors/result.ts'
import { packageRoot } from '../../package-root.ts'
import type { Runtime } from '../runtimes/prepare.ts'
import type { Language, SandboxLimits, SandboxRefusal } from '../sandbox.ts'
import type { ChangedFile, GivenFile } from '../workspace/file-tree.ts'
import type { InstanceRun } from '../instance.ts'
import { askBusyWorker } from './busy-thread.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

/** What became of a program. */
export type RunnerAnswer =
  | {
      readonly kind: 'ended'
      readonly run: InstanceRun
      readonly durationMs: number
      readonly changes: readonly ChangedFile[]
    }
  /** With what is known of the run until then, where its thread could be asked. */
  | { readonly kind: 'timeout'; readonly durationMs: number; readonly run: InstanceRun | undefined }
  | { readonly kind: 'died'; readonly durationMs: number }

export interface RunnerParts {
  readonly language: Language
  /** Its thread starts meanwhile. */
  readonly runtime: Promise<Result<Runtime, SandboxRefusal>>
  readonly packages: readonly GivenFile[]
  readonly limits: SandboxLimits
  /** Told why a thread ended by itself. */
  readonly report: (error: unknown) => void
  /** Called when a program begins, and when one has ended. */
  readonly onRun: () => void
  /** Called when its thread has ended. */
  readonly onExit: () => void
}

const builtWorkers: Readonly<Record<Language, string>> = {
  python: 'python-worker.js',
  javascript: 'javascript-worker.cjs',
}

/** Of what is built, the bundle: to load a dozen files takes twice the time. */
const workerFile = (language: Language): URL | string =>
  import.meta.url.endsWith('.ts')
    ? new URL(`./${language}-worker.ts`, import.meta.url)
    : join(packageRoot(), 'dist', 'program', builtWorkers[language])

export class Runner {
  readonly #worker: Worker
  readonly #posted = new Int32Array(new SharedArrayBuffer(4))
  /** Whether it has started, once that is known. */
  readonly started: Promise<boolean>
  readonly #report: RunnerParts['report']
  readonly #onRun: RunnerParts['onRun']
  #alive = true
  #heard: ((message: FromWorker | undefined) => void) | undefined

  constructor({ language, runtime, packages, limits, report, onRun, onExit }: RunnerParts) {
    this.#report = report
    this.#onRun = onRun
    const start: WorkerStart = {
      packages,
      posted: this.#posted,
      memoryBytes: limits.memoryBytes,
      outputBytes: limits.outputBytes,
      workspaceBytes: limits.workspaceBytes,
      workspaceFiles: limits.workspaceFiles,
    }
    this.#worker = new Worker(workerFile(language), {
      workerData: start,
      name: `sandbox ${language}`,
      execArgv: ['--no-warnings'],
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      // V8 begins to collect at a share of the most that a heap may have: with 512 MB in the middle of each start, 10 to 20 ms.
      resourceLimits: { stackSizeMb: 8, maxOldGenerationSizeMb: 1024 },
    })
    this.#worker.on('message', (message: FromWorker) => this.#heard?.(message))
    this.#worker.on('error', (error) => {
      // Without its packages it cannot but fail, and the runtime says so.
      void runtime.then(({ ok }) => ok && report(error), report)
      this.#gone()
    })
    this.#worker.on('exit', () => {
      this.#gone()
      onExit()
    })
    // Nobody waits for a sandbox to end: only a run that is going on keeps the process.
    this.#worker.unref()
    this.started = this.#boot(runtime, limits.startTimeoutMs)
  }

  async #boot(preparing: RunnerParts['runtime'], timeoutMs: number): Promise<boolean> {
    try {
      const prepared = await preparing
      if (!prepared.ok) return false
      const booted = this.#answer(timeoutMs)
      this.#post({ kind: 'runtime', ...prepared.value })
      const message = await booted
      if (message === 'late' || message?.kind !== 'booted') return false
      if (message.problem !== undefined) this.#report(message.problem)
      return true
    } catch (error) {
      this.#report(error)
      return false
    }
  }

  get alive(): boolean {
    return this.#alive
  }

  /** The same, for somebody who waits for it; ended where it has not. */
  async booted(): Promise<boolean> {
    this.#worker.ref()
    const booted = await this.started
    this.#worker.unref()
    if (!booted) void this.end()
    return booted
  }

  /** Runs a program, once it has started; one at a time. */
  async run(
    program: { code: string; budget: number; files: readonly GivenFile[] },
    timeoutMs: number,
  ): Promise<RunnerAnswer> {
    const began = performance.now()
    this.#onRun()
    this.#worker.ref()
    const answered = this.#answer(timeoutMs)
    this.#post({ kind: 'run', ...program })
    const inTime = await answered
    const durationMs = performance.now() - began
    this.#onRun()
    const message = inTime === 'late' ? await this.#afterAll() : inTime
    if (message?.kind === 'so far') {
      void this.end()
      return { kind: 'timeout', durationMs, run: message.run }
    }
    this.#worker.unref()
    if (message?.kind !== 'ended') {
      void this.end()
      return { kind: 'died', durationMs }
    }
    if (message.run.gone) void this.end()
    return message
  }

  /** Deletes the files of its workspace before the next run. */
  clear(): void {
    this.#post({ kind: 'clear' })
  }

  /** Ends its thread, and waits until it has ended. */
  async end(): Promise<void> {
    this.#gone()
    await this.#worker.terminate()
  }

  /** What became of a program after its time: a message of its end may wait to be heard, where the server was busy meanwhile. */
  async #afterAll(): Promise<FromWorker | { readonly kind: 'so far'; readonly run: InstanceRun | undefined }> {
    const said = new Promise<FromWorker>((resolve) => {
      this.#heard = (message) => message !== undefined && resolve(message)
    })
    // Messages that have come are heard before this, and a thread that has nothing to do is not asked.
    const heard = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))
    const last = (await Promise.race([said, heard])) ?? (await Promise.race([said, this.#soFar()]))
    this.#heard = undefined
    return last
  }

  async #soFar(): Promise<{ readonly kind: 'so far'; readonly run: InstanceRun | undefined }> {
    const answer = await askBusyWorker(this.#worker)
    return {
      kind: 'so far',
      run: answer === undefined ? undefined : (JSON.parse(answer) as InstanceRun),
    }
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
