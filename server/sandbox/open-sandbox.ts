// The sandbox itself: whose sessions there are, and how many there may be.
import { randomUUID } from 'node:crypto'
import { fail, ok } from '../errors/result.ts'
import type { Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'
import { defaultLimits } from './limits.ts'
import { packageTable } from './packages/packages.ts'
import { checkRun } from './request.ts'
import { binaries, binaryFile, meteredDigest, missingRuntime, pagesOf } from './runtimes/binaries.ts'
import type {
  FileInfo,
  Language,
  RunRequest,
  RunResult,
  RuntimeInfo,
  Sandbox,
  SandboxLimits,
  SandboxRefusal,
  SessionInfo,
  WorkspaceContent,
} from './sandbox.ts'
import type { Runner } from './sessions/runner.ts'
import { closed, noSession, Session } from './sessions/session.ts'
import { Threads } from './sessions/threads.ts'
import { type Release, FairQueue } from './sessions/fair-queue.ts'
import { workspaceParts, wrongPath } from './workspace/paths.ts'
import { fuelModel } from './wasm/meter.ts'

export interface SandboxOptions {
  /** Where they differ from `defaultLimits`. */
  readonly limits?: Partial<SandboxLimits> | undefined
  /** Keeps the metered binary of CPython, which takes seconds to make. */
  readonly cacheFolder?: string | undefined
  readonly now?: (() => number) | undefined
  /** Told why a runtime did not get ready, or why a thread ended by itself. */
  readonly report?: ((error: unknown) => void) | undefined
}

const languages: readonly Language[] = ['python', 'javascript']

type Refused<T> = Result<T, SandboxRefusal>

/** Opens a sandbox. Nothing is loaded before the first run. */
export const openSandbox = (options: SandboxOptions = {}): Sandbox => new WorkerSandbox(options)

class WorkerSandbox implements Sandbox {
  readonly #limits: SandboxLimits
  readonly #now: () => number
  readonly #sessions = new Map<string, Session>()
  readonly #threads: Threads
  readonly #watch: NodeJS.Timeout
  readonly #queue: FairQueue
  #closed = false

  constructor({ limits, cacheFolder, now, report }: SandboxOptions) {
    this.#limits = { ...defaultLimits, ...limits }
    this.#now = now ?? Date.now
    this.#threads = new Threads({ limits: this.#limits, cacheFolder, report: report ?? (() => undefined) })
    this.#queue = new FairQueue(this.#limits.programsAtOnce)
    this.#watch = setInterval(() => this.#endIdle(), Math.min(10_000, this.#limits.idleTimeoutMs))
    this.#watch.unref()
  }

  async run(owner: Principal, request: RunRequest): Promise<Refused<RunResult>> {
    const checked = checkRun(request, this.#limits)
    if (!checked.ok) return checked
    if (request.sessionId === undefined) {
      this.#threads.expect(request.language)
      const opened = this.#open(owner, request.language, false)
      if (!opened.ok) return opened
      try {
        return await opened.value.run(checked.value)
      } finally {
        this.#forget(opened.value)
      }
    }
    const found = this.#find(owner, request.sessionId)
    if (!found.ok) return found
    const { language } = found.value.parts
    if (language !== request.language) {
      const message = `Session ${request.sessionId} runs ${language}. Leave the language as it is, or create a session for ${request.language}.`
      return fail({ code: 'wrong_language', message })
    }
    return found.value.run(checked.value)
  }

  async createSession(owner: Principal, { language }: { readonly language: Language }): Promise<Refused<SessionInfo>> {
    // Its first program comes soon.
    const module = await this.#threads.prepare(language)
    if (!module.ok) return module
    const opened = this.#open(owner, language, true)
    return opened.ok ? ok(opened.value.info) : opened
  }

  destroySession(owner: Principal, sessionId: string): Promise<Refused<SessionInfo>> {
    const found = this.#find(owner, sessionId)
    if (!found.ok) return Promise.resolve(found)
    const { info } = found.value
    this.#forget(found.value)
    return Promise.resolve(ok(info))
  }

  listSessions(owner: Principal): readonly SessionInfo[] {
    this.#endIdle()
    return this.#owned(owner, true).map(({ info }) => info)
  }

  listFiles(owner: Principal, sessionId: string): Promise<Refused<readonly FileInfo[]>> {
    const found = this.#find(owner, sessionId)
    return Promise.resolve(found.ok ? ok(filesOf(found.value)) : found)
  }

  readFile(owner: Principal, sessionId: string, path: string): Promise<Refused<WorkspaceContent>> {
    const found = this.#find(owner, sessionId)
    if (!found.ok) return Promise.resolve(found)
    const shown = JSON.stringify(path.slice(0, 300))
    const name = workspaceParts(path)?.join('/')
    if (name === undefined) return Promise.resolve(fail({ code: 'invalid_path', message: wrongPath(path) }))
    const bytes = found.value.files.get(name)
    const message = `There is no file ${shown} in session ${sessionId}. get_workspace_info lists its files.`
    return Promise.resolve(bytes === undefined ? fail({ code: 'no_such_file', message }) : ok({ path: name, bytes }))
  }

  async resetWorkspace(owner: Principal, sessionId: string): Promise<Refused<readonly FileInfo[]>> {
    const found = this.#find(owner, sessionId)
    if (!found.ok) return found
    const files = filesOf(found.value)
    await found.value.clear()
    return ok(files)
  }

  runtimes(): readonly RuntimeInfo[] {
    return languages.map((language) => {
      const binary = binaries[language]
      const available = binaryFile(binary) !== undefined
      return {
        language,
        available,
        missing: available ? undefined : missingRuntime(binary),
        engine: binary.engine,
        version: binary.version,
        fuelModel,
        digests: { binary: binary.sha256, metered: meteredDigest(binary, pagesOf(this.#limits.memoryBytes)) },
        limits: this.#limits,
      }
    })
  }

  packages(): ReturnType<Sandbox['packages']> {
    return packageTable()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#watch)
    for (const session of this.#sessions.values()) this.#forget(session)
    await this.#threads.end()
  }

  expectPrograms(language?: Language): void {
    this.#threads.expect(language)
  }

  /** The sessions of an owner: those that stay, or those of single runs. */
  #owned(owner: Principal, isKept: boolean): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.parts.kept === isKept && session.isOf(owner))
  }

  #find(owner: Principal, sessionId: string): Refused<Session> {
    this.#endIdle()
    const found = this.#sessions.get(sessionId)
    return found === undefined || !found.parts.kept || !found.isOf(owner)
      ? fail({ code: 'no_such_session', message: noSession(sessionId) })
      : ok(found)
  }

  #open(owner: Principal, language: Language, kept: boolean): Refused<Session> {
    if (this.#closed) return fail(closed)
    this.#endIdle()
    const [limits, now] = [this.#limits, this.#now]
    const { sessions, sessionsPerOwner } = limits
    if (this.#owned(owner, kept).length >= sessionsPerOwner)
      return tooMany(
        kept
          ? `You have ${sessionsPerOwner} sessions, which is the most. Go on in one of them, or call destroy_session.`
          : `You have ${sessionsPerOwner} runs going on, which is the most. Call again when one of them has ended.`,
      )
    if (this.#sessions.size >= sessions)
      return tooMany(`This server runs ${sessions} sessions, which is the most. Call again when one of them has ended.`)
    const id = `s_${randomUUID().replaceAll('-', '').slice(0, 20)}`
    const start = (): Promise<Refused<Runner>> => this.#threads.start(language)
    const prepare = (): Promise<Refused<unknown>> => this.#threads.prepare(language)
    const turn = (timeoutMs: number, ended: readonly AbortSignal[]): Promise<Release | undefined> =>
      this.#queue.take(JSON.stringify([owner.tenant, owner.subject]), timeoutMs, ended)
    const session = new Session({ id, owner, language, limits, kept, prepare, start, turn, now })
    this.#sessions.set(id, session)
    return ok(session)
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.parts.id)
    session.end()
  }

  #endIdle(): void {
    for (const session of this.#sessions.values())
      if (session.parts.kept && session.idleMs >= this.#limits.idleTimeoutMs) this.#forget(session)
  }
}

const tooMany = (message: string): Refused<never> => fail({ code: 'too_many_sessions', message })

const filesOf = (session: Session): readonly FileInfo[] =>
  [...session.files]
    .map(([path, { length }]) => ({ path, bytes: length }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
