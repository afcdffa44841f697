// Threads that run programs, of which some start before they are asked for: one of each language that was used waits booted
// for the next session, and where programs are expected, one has started before the first.
import { fail, ok } from '../../errors/result.ts'
import type { Result } from '../../errors/result.ts'
import { packageFiles } from '../packages/packages.ts'
import { binaries, binaryFile, pagesOf } from '../runtimes/binaries.ts'
import { prepareRuntime, type Runtime } from '../runtimes/prepare.ts'
import type { Language, SandboxLimits, SandboxRefusal } from '../sandbox.ts'
import { IdleTasks } from './idle-tasks.ts'
import { Runner } from './runner.ts'
import { closed, notStarted } from './session.ts'

export interface ThreadParts {
  readonly limits: SandboxLimits
  readonly cacheFolder: string | undefined
  readonly report: (error: unknown) => void
}

type Prepared = Result<Runtime, SandboxRefusal>

export class Threads {
  readonly #parts: ThreadParts
  readonly #runtimes = new Map<Language, Promise<Prepared>>()
  /** Those that were not installed when they were looked for last. */
  readonly #missing = new Set<Language>()
  /** Started and not used yet. */
  readonly #waiting = new Map<Language, Runner>()
  /** Every thread that was started and has not ended. */
  readonly #runners = new Set<Runner>()
  /** The next worker is started when those that run programs have had the processor. */
  readonly #idleTasks = new IdleTasks()
  readonly #closing = new AbortController()

  constructor(parts: ThreadParts) {
    this.#parts = parts
  }

  /** What `expectPrograms` of a sandbox does. */
  expect(language?: Language): void {
    // Once there was a program, more than a thread waits for the next one.
    const isReady = language === undefined ? this.#runtimes.size > 0 : this.#runtimes.has(language)
    if (isReady || this.#closed) return
    void this.prepare(language ?? 'javascript')
  }

  /** Makes a runtime ready, and starts a thread of it, which takes about as long. */
  prepare(language: Language): Promise<Prepared> {
    // The thread takes longest, and so comes first.
    const runtime = Promise.resolve().then(() => this.#runtime(language))
    this.#getReady(language, runtime)
    return runtime
  }

  /** A worker that nobody has used; the next one is started for whoever comes next. */
  async start(language: Language): Promise<Result<Runner, SandboxRefusal>> {
    const waiting = this.#waiting.get(language)
    this.#waiting.delete(language)
    const runtime = this.#runtime(language)
    const runner = waiting?.alive === true ? waiting : this.#new(language, runtime)
    if (runner === undefined) return notStarted({ language, limits: this.#parts.limits })
    const prepared = await runtime
    if (!prepared.ok) {
      await runner.end()
      return prepared
    }
    void runner.started.then(() => this.#idleTasks.whenIdle(language, () => this.#getReady(language, runtime)))
    return ok(runner)
  }

  /** Ends every thread, and waits until all have ended. */
  async end(): Promise<void> {
    this.#closing.abort()
    this.#waiting.clear()
    await Promise.all([...this.#runners].map((runner) => runner.end()))
    await Promise.allSettled(this.#runtimes.values())
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  async #runtime(language: Language): Promise<Prepared> {
    const { limits, cacheFolder, report } = this.#parts
    const patience = { timeoutMs: limits.startTimeoutMs, ended: this.#closing.signal, report }
    const options = { memoryPages: pagesOf(limits.memoryBytes), cacheFolder }
    const preparing = this.#runtimes.get(language) ?? prepareRuntime(binaries[language], options, patience)
    this.#runtimes.set(language, preparing)
    const prepared = await preparing
    // Installed meanwhile, or in more time, it is found the next time.
    if (!prepared.ok) this.#runtimes.delete(language)
    if (!prepared.ok && prepared.failure.code === 'runtime_missing') this.#missing.add(language)
    else this.#missing.delete(language)
    return this.#closed ? fail(closed) : prepared
  }

  #getReady(language: Language, runtime: Promise<Prepared>): void {
    if (this.#closed || this.#waiting.get(language)?.alive === true) return
    // A thread would only fail, and `prepareRuntime` says why. It takes milliseconds to look, so the first thread is started.
    if (this.#missing.has(language) && binaryFile(binaries[language]) === undefined) return
    const runner = this.#new(language, runtime)
    if (runner === undefined) return
    this.#waiting.set(language, runner)
    // One that did not start is not kept for anybody.
    void runner.started.then((started) => (started ? undefined : runner.end()))
  }

  /** `undefined` where no thread could be started; the operator is told why. */
  #new(language: Language, runtime: Promise<Prepared>): Runner | undefined {
    const { limits, report } = this.#parts
    try {
      const packages = language === 'python' ? packageFiles() : []
      const onRun = (): void => this.#idleTasks.interrupt()
      const onExit = (): unknown => this.#runners.delete(runner)
      const runner = new Runner({ language, runtime, packages, limits, report, onRun, onExit })
      this.#runners.add(runner)
      return runner
    } catch (error) {
      report(error)
      return undefined
    }
  }
}
