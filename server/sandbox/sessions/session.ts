// A session: variables and imports live in its worker, files here as well, so that they outlive the worker. What its worker
// changed is handed over when a run ends.
import { fail, ok } from '../../errors/result.ts'
import type { Result } from '../../errors/result.ts'
import type { Principal } from '../../model/principal.ts'
import type {
  FileChange,
  ImportFact,
  Language,
  RunFuel,
  RunResult,
  SandboxLimits,
  SandboxRefusal,
  SessionInfo,
} from '../sandbox.ts'
import type { ChangedFile, GivenFile } from '../workspace/file-tree.ts'
import { fuelModel } from '../wasm/meter.ts'
import type { Runner, RunnerAnswer } from './runner.ts'
import type { Release } from './fair-queue.ts'

/** A run whose request was checked. */
export interface CheckedRun {
  readonly code: string
  readonly budget: number
  readonly timeoutMs: number
  readonly files: readonly GivenFile[]
  readonly signal: AbortSignal | undefined
}

export interface SessionParts {
  readonly id: string
  readonly owner: Principal
  readonly language: Language
  readonly limits: SandboxLimits
  /** Only of a session that goes on. */
  readonly kept: boolean
  /** A worker that nobody has used. */
  readonly start: () => Promise<Result<Runner, SandboxRefusal>>
  /** Makes the runtime ready of which workers are started. */
  readonly prepare: () => Promise<Result<unknown, SandboxRefusal>>
  /** Waits for its turn to run a program. */
  readonly turn: (timeoutMs: number, ended: readonly AbortSignal[]) => Promise<Release | undefined>
  readonly now: () => number
}

/** Names of modules that a session remembers; a program may name as many as it likes. */
const mostImported = 500
/** Runs of which a session remembers what they used. */
const mostMeasured = 12

export class Session {
  readonly parts: SessionParts
  readonly #files = new Map<string, Uint8Array>()
  readonly #imported = new Set<string>()
  #runner: Runner | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #runs = 0
  #fuel: readonly RunFuel[] = []
  #usedAt: number
  readonly #ending = new AbortController()

  constructor(parts: SessionParts) {
    this.parts = parts
    this.#usedAt = parts.now()
  }

  get info(): SessionInfo {
    const { id, language, limits } = this.parts
    return {
      sessionId: id,
      language,
      runs: this.#runs,
      busy: this.#waiting > 0,
      files: this.#files.size,
      workspaceBytes: bytesOf(this.#files.values()),
      // Of an instance that is gone nothing is imported any more.
      imported: this.#runner?.alive === true ? [...this.#imported].toSorted() : [],
      idleMs: this.idleMs,
      idleTimeoutMs: limits.idleTimeoutMs,
    }
  }

  /** Milliseconds since it was last used; none while a run goes on or waits. */
  get idleMs(): number {
    return this.#waiting > 0 ? 0 : Math.max(0, this.parts.now() - this.#usedAt)
  }

  isOf({ tenant, subject }: Principal): boolean {
    const { owner } = this.parts
    return owner.tenant === tenant && owner.subject === subject
  }

  get #ended(): boolean {
    return this.#ending.signal.aborted
  }

  get files(): ReadonlyMap<string, Uint8Array> {
    return this.#files
  }

  /** Runs when all runs before it have ended. */
  run(run: CheckedRun): Promise<Result<RunResult, SandboxRefusal>> {
    if (this.#waiting > this.parts.limits.waitingPerSession)
      return Promise.resolve(
        fail({
          code: 'too_many_waiting',
          message: `${this.#waiting} runs of session ${this.parts.id} are under way. Wait for their results, or create another session.`,
        }),
      )
    const { signal } = run
    // One that is cancelled before gives its place back at once, and its program is not kept until then.
    let waiting: CheckedRun | undefined = run
    const cancelled = Promise.withResolvers<Result<never, SandboxRefusal>>()
    const giveUp = (): void => {
      waiting = undefined
      cancelled.resolve(this.#notBegun())
    }
    const begin = (): Promise<Result<RunResult, SandboxRefusal>> => {
      signal?.removeEventListener('abort', giveUp)
      return waiting === undefined ? cancelled.promise : this.#runInTurn(waiting)
    }
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted === true) giveUp()
    return this.#inTurn(begin, cancelled.promise)
  }

  /** Deletes its files when all runs before have ended. */
  clear(): Promise<readonly string[]> {
    return this.#inTurn(() => {
      const paths = [...this.#files.keys()]
      this.#files.clear()
      if (this.#runner?.alive === true) this.#runner.clear()
      return Promise.resolve(paths)
    })
  }

  /** Ends it, and what runs or waits in it. */
  end(): void {
    this.#ending.abort()
    void this.#runner?.end()
  }

  /** What `work` answers when its turn comes, or what came `before` that. */
  async #inTurn<T>(work: () => Promise<T>, ...before: readonly Promise<T>[]): Promise<T> {
    this.#waiting += 1
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => undefined)
    try {
      return await Promise.race([mine, ...before])
    } finally {
      this.#waiting -= 1
      this.#usedAt = this.parts.now()
    }
  }

  async #runInTurn(run: CheckedRun): Promise<Result<RunResult, SandboxRefusal>> {
    const ended = [this.#ending.signal, ...(run.signal === undefined ? [] : [run.signal])]
    const isOver = (): boolean => ended.some(({ aborted }) => aborted)
    if (isOver()) return this.#notBegun()
    const { limits, prepare, turn } = this.parts
    // That may take long, and no turn of others.
    const prepared = this.#runner?.alive === true ? ok(undefined) : await prepare()
    if (!prepared.ok) return prepared
    const giveBack = await turn(run.timeoutMs, ended)
    if (giveBack === undefined && isOver()) return this.#notBegun()
    if (giveBack === undefined)
      return fail({
        code: 'too_many_running',
        message: `This server runs ${limits.programsAtOnce} programs at once, and yours had no turn within its \`timeout_ms\` of ${run.timeoutMs}. Nothing of it has run.`,
      })
    try {
      return await this.#run(run)
    } finally {
      giveBack()
    }
  }

  async #run({ code, budget, timeoutMs, files }: CheckedRun): Promise<Result<RunResult, SandboxRefusal>> {
    if (this.#ended) return this.#gone()
    const room = this.#room(files)
    if (!room.ok) return room
    const fresh = this.#runner?.alive !== true
    if (fresh) {
      const started = await this.parts.start()
      if (!started.ok) return started
      this.#runner = started.value
      this.#imported.clear()
      // It was ended while its worker started.
      if (this.#ended) {
        void this.#runner.end()
        return this.#gone()
      }
      if (!(await started.value.booted())) return this.#ended ? this.#gone() : notStarted(this.parts)
    }
    for (const { path, bytes } of files) this.#files.set(path, bytes)
    const given = fresh ? [...this.#files].map(([path, bytes]) => ({ path, bytes })) : files
    const answer = await (this.#runner as Runner).run({ code, budget, files: given }, timeoutMs)
    this.#runs += 1
    return ok(this.#result(answer, budget))
  }

  #notBegun(): Result<never, SandboxRefusal> {
    const message = 'The call was cancelled before its program had its turn. Nothing of it has run.'
    return this.#ended ? this.#gone() : fail({ code: 'cancelled', message })
  }

  #gone(): Result<never, SandboxRefusal> {
    return this.parts.kept ? fail({ code: 'no_such_session', message: noSession(this.parts.id) }) : fail(closed)
  }

  #room(files: readonly GivenFile[]): Result<undefined, SandboxRefusal> {
    // A program may have filled it to the brim: what hands nothing in can still run, and make room.
    if (files.length === 0) return ok(undefined)
    const after = new Map(this.#files)
    for (const { path, bytes } of files) after.set(path, bytes)
    const { workspaceBytes, workspaceFiles } = this.parts.limits
    if (after.size <= workspaceFiles && bytesOf(after.values()) <= workspaceBytes) return ok(undefined)
    const message = `The workspace holds at most ${workspaceFiles} files and ${workspaceBytes} bytes in all. Hand in less, or reset the workspace.`
    return fail({ code: 'workspace_full', message })
  }

  #result(answer: RunnerAnswer, budget: number): RunResult {
    const alive = this.#runner?.alive === true
    const common = {
      sessionId: this.parts.kept ? this.parts.id : undefined,
      sessionReset: this.parts.kept && !alive,
      durationMs: Math.round(answer.durationMs * 1000) / 1000,
    }
    const run = answer.kind === 'died' ? undefined : answer.run
    if (run === undefined) {
      const ended = answer.kind === 'timeout' ? 'timeout' : 'crashed'
      const fuel = { consumed: 0, budget, model: fuelModel } as const
      const nothing = { stdout: '', stderr: '', exitCode: 1, memoryBytes: 0, filesChanged: [], imports: [] }
      return { ...common, ...nothing, ended, fuel, filesLost: true }
    }
    const changes = answer.kind === 'ended' ? answer.changes : []
    for (const { path, bytes } of changes) {
      if (bytes === undefined) this.#files.delete(path)
      else this.#files.set(path, bytes)
    }
    this.#fuel = [...this.#fuel, { run: this.#runs, consumed: run.fuel, budget }].slice(-mostMeasured)
    const { stdoutBytes, stderrBytes } = run.omitted
    return {
      ...common,
      stdout: run.stdout,
      stderr: run.stderr,
      exitCode: run.exitCode,
      ended: run.ended,
      fuel: { consumed: run.fuel, budget, model: fuelModel },
      memoryBytes: run.memoryBytes,
      filesChanged: changes.map(changeOf),
      imports: this.#imports(run.imports),
      // The thread that had them was ended.
      filesLost: answer.kind === 'timeout',
      sessionFuel: this.parts.kept ? this.#fuel : undefined,
      truncated: stdoutBytes + stderrBytes === 0 ? undefined : run.omitted,
    }
  }

  /** By package, in the order of their first import. */
  #imports(found: readonly { module: string; first: boolean; fuel: number }[]): readonly ImportFact[] {
    const facts = new Map<string, { module: string; firstInSession: boolean; fuel: number }>()
    for (const { module, first, fuel } of found) {
      const name = module.split('.')[0] ?? module
      const fact = facts.get(name) ?? { module: name, firstInSession: first && !this.#imported.has(name), fuel: 0 }
      facts.set(name, { ...fact, fuel: fact.fuel + fuel })
    }
    for (const name of facts.keys()) if (this.#imported.size < mostImported) this.#imported.add(name)
    return [...facts.values()]
  }
}

export const closed: SandboxRefusal = {
  code: 'closed',
  message: 'This server is shutting down. Call again after its start.',
}

/** Of a thread that could not be started, or did not boot. */
export const notStarted = ({
  language,
  limits,
}: Pick<SessionParts, 'language' | 'limits'>): Result<never, SandboxRefusal> =>
  fail({
    code: 'runtime_not_started',
    message: `The runtime of ${language} did not start within ${limits.startTimeoutMs / 1000} seconds, or its thread ended. Nothing has run.`,
  })

/** The same words whether it never was, has ended, or belongs to somebody else. */
export const noSession = (id: string): string =>
  `There is no session named ${JSON.stringify(id.slice(0, 100))}. list_sessions names those there are; create_session begins one.`

const bytesOf = (contents: Iterable<Uint8Array>): number => {
  let sum = 0
  for (const { length } of contents) sum += length
  return sum
}

const changeOf = ({ path, change, bytes }: ChangedFile): FileChange => ({ path, change, bytes: bytes?.length ?? 0 })
