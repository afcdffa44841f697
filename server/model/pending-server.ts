// A server behind that has just been started has not said yet which tools it has. A call that names one of them is known
// by its server alone until then.
import type { Failure } from '../errors/failure.ts'

/** A server whose tools are not known yet. */
export interface PendingServer {
  /** What a caller needs for any tool of that server. */
  readonly permissions: readonly string[]
  /**
   * Starts the server where nobody has, and waits for its tools: until they are known, until it has failed, until patience
   * is over or the signal aborts. Answers why they are still not known; `undefined` where they are.
   * @throws where our own database fails.
   */
  wait(tool: string, signal: AbortSignal): Promise<Extract<Failure, { kind: 'server-away' }> | undefined>
}
