import type { Failure } from '../errors/failure.ts'

/** An upstream whose list of tools a call waits for: its first one, before which its tools are not known, or a new one. */
export interface PendingServer {
  /** The permissions that a caller needs for any tool of that server. */
  readonly permissions: readonly string[]
  /** Whether the operator lets calls of its low-risk reads come without a rationale. */
  readonly rationale: 'required' | 'optional'
  /**
   * Starts the server if it is not running, and waits until its tools are known, it has failed, the time is over or the
   * signal aborts. Answers why the tools are still not known; `undefined` where they are.
   * @throws where our own database fails.
   */
  wait(
    tool: string,
    signal: AbortSignal,
  ): Promise<Extract<Failure, { kind: 'server-unavailable' | 'login-needed' }> | undefined>
}
