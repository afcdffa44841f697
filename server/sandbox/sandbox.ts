// What tools ask of the place where programs of agents run, and what they get back. The programs have no network, no
// environment, no file of this machine and no clock but a given one; each run ends within its limits.
import type { Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'

export type Language = 'python' | 'javascript'

/** A file of a workspace, from a caller. */
export interface WorkspaceFile {
  /** Relative to the workspace, with `/` between its parts. */
  readonly path: string
  readonly content: string
  /** What `content` is; text where it is not said. */
  readonly encoding?: 'text' | 'base64' | undefined
}

export interface RunRequest {
  readonly language: Language
  readonly code: string
  /** Runs in this session; without it in a fresh one that ends with the run. */
  readonly sessionId?: string | undefined
  readonly timeoutMs?: number | undefined
  /** Fuel that the run may consume. */
  readonly budget?: number | undefined
  /** Written into the workspace before the run. */
  readonly files?: readonly WorkspaceFile[] | undefined
  /** A run that has not begun by then does not begin. */
  readonly signal?: AbortSignal | undefined
}

/** How a run ended, as its host saw it: never read from what the program printed. */
export type Ended = 'finished' | 'error' | 'out_of_fuel' | 'out_of_memory' | 'timeout' | 'output_limit' | 'crashed'

export interface FileChange {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  /** Its size after the run; of a deleted one 0. */
  readonly bytes: number
}

export interface ImportFact {
  readonly module: string
  /** False where an earlier run of this session had imported it. */
  readonly firstInSession: boolean
  /** What the import consumed, where that was measured. */
  readonly fuel?: number | undefined
}

/** What was left out of a result, in bytes. */
export interface Truncated {
  readonly stdoutBytes: number
  readonly stderrBytes: number
}

/** What one run of a session used. */
export interface RunFuel {
  /** Runs of a session are counted from 1. */
  readonly run: number
  readonly consumed: number
  readonly budget: number
}

export interface RunResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly ended: Ended
  readonly durationMs: number
  readonly fuel: { readonly consumed: number; readonly budget: number; readonly model: 'wasm-seg/2' }
  /** Memory that the program's instance holds after the run. It never shrinks. */
  readonly memoryBytes: number
  readonly filesChanged: readonly FileChange[]
  readonly imports: readonly ImportFact[]
  /** Set where the run belongs to a session that goes on. */
  readonly sessionId?: string | undefined
  /** What the last runs of its session used, this one at the end; runs of which that is not known are left out. */
  readonly sessionFuel?: readonly RunFuel[] | undefined
  /** Variables and imports of the session are gone; its files are not. */
  readonly sessionReset: boolean
  /** Files that this run changed were lost with the worker that held them; those of earlier runs were not. */
  readonly filesLost: boolean
  readonly truncated?: Truncated | undefined
}

/** Why the sandbox did not do what it was asked. */
export interface SandboxRefusal {
  readonly code:
    | 'runtime_missing'
    | 'runtime_changed'
    | 'runtime_not_started'
    | 'no_such_session'
    | 'wrong_language'
    | 'too_many_sessions'
    | 'too_many_waiting'
    | 'too_many_running'
    | 'invalid_path'
    | 'no_such_file'
    | 'workspace_full'
    | 'invalid_request'
    | 'cancelled'
    | 'closed'
  /** What happened, with which value, and what to do next. */
  readonly message: string
}

export interface SessionInfo {
  readonly sessionId: string
  readonly language: Language
  readonly runs: number
  /** Runs that are going on or wait for their turn. */
  readonly busy: boolean
  readonly files: number
  readonly workspaceBytes: number
  /** Modules that it has imported. */
  readonly imported: readonly string[]
  /** Milliseconds since it was last used, and after how many it ends. */
  readonly idleMs: number
  readonly idleTimeoutMs: number
}

export interface FileInfo {
  readonly path: string
  readonly bytes: number
}

export interface WorkspaceContent {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface RuntimeInfo {
  readonly language: Language
  readonly available: boolean
  /** Why it is not available, and what to do. */
  readonly missing?: string | undefined
  readonly engine: string
  readonly version: string
  readonly fuelModel: 'wasm-seg/2'
  /**
   * What fuel is a matter of, by SHA-256: the binary as its package has it, and what metering makes of it. The latter depends
   * on the memory that a binary may have, and is known beforehand for the usual maximum only.
   */
  readonly digests: { readonly binary: string; readonly metered?: string | undefined }
  readonly limits: SandboxLimits
}

/** Limits of runs, sessions and workspaces; those of a request may ask for less or more within the largest. */
export interface SandboxLimits {
  readonly budget: number
  readonly largestBudget: number
  readonly timeoutMs: number
  readonly largestTimeoutMs: number
  readonly memoryBytes: number
  readonly outputBytes: number
  readonly codeBytes: number
  readonly workspaceBytes: number
  readonly workspaceFiles: number
  readonly sessionsPerOwner: number
  readonly sessions: number
  readonly waitingPerSession: number
  readonly idleTimeoutMs: number
  /** Programs that run at the same time; others wait for their turn. */
  readonly programsAtOnce: number
  /** For making a runtime ready, and for starting one, each. */
  readonly startTimeoutMs: number
}

/** A package that ships with the sandbox: its row in the table that the guest itself was measured for. */
export interface PackageInfo {
  readonly language: Language
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Modules that a program imports of it. */
  readonly modules: readonly string[]
  /** What importing it consumes the first time in a session, and any other time. */
  readonly firstImport: { readonly fuel: number; readonly ms: number }
  readonly nextImport: { readonly fuel: number; readonly ms: number }
  /** What of it does not run here; absent where all does. */
  readonly note?: string | undefined
}

/** Where programs of agents run. Sessions belong to their owner: nobody else's is ever seen. */
export interface Sandbox {
  run(owner: Principal, request: RunRequest): Promise<Result<RunResult, SandboxRefusal>>
  createSession(
    owner: Principal,
    options: { readonly language: Language },
  ): Promise<Result<SessionInfo, SandboxRefusal>>
  destroySession(owner: Principal, sessionId: string): Promise<Result<SessionInfo, SandboxRefusal>>
  listSessions(owner: Principal): readonly SessionInfo[]
  listFiles(owner: Principal, sessionId: string): Promise<Result<readonly FileInfo[], SandboxRefusal>>
  readFile(owner: Principal, sessionId: string, path: string): Promise<Result<WorkspaceContent, SandboxRefusal>>
  /** Deletes the files of a session; its variables stay. */
  resetWorkspace(owner: Principal, sessionId: string): Promise<Result<readonly FileInfo[], SandboxRefusal>>
  runtimes(): readonly RuntimeInfo[]
  packages(): readonly PackageInfo[]
  /**
   * Starts the thread of a first program in this language, and makes its runtime ready up to the program; without a language
   * that of JavaScript, where there was no program yet.
   */
  expectPrograms(language?: Language): void
  /** Ends every session, and waits until every thread has ended. */
  close(): Promise<void>
}
