// One upstream for as long as the gateway lives. Servers crash, hang, flood and come back; the gateway stays up, says of
// each call whether it may have taken effect, and never repeats one that may have.
import type { Progress } from '@modelcontextprotocol/sdk/types.js'
import { fail, ok, type Result } from '../../errors/result.ts'
import {
  isSessionGone,
  mayHaveHappened,
  notSent,
  plain,
  readCallError,
  type CallFailure,
} from './connection/call-failure.ts'
import { isStdio, type ServerConfig } from './settings/upstream-config.schema.ts'
import type { Connection, RequestSettings } from './connection/connection.ts'
import { createConnectionLifecycle, type UpstreamEvent, type UpstreamState } from './connection/connection-lifecycle.ts'
import type { LifecycleOptions } from './connection/lifecycle-options.ts'
import { createSemaphore } from '../../semaphore.ts'
import { needOf, needText } from './login/login-need.ts'

export type { UpstreamEvent, UpstreamState } from './connection/connection-lifecycle.ts'

/** A tool result as it came, without our own keys. */
export interface RawResult {
  readonly content?: readonly unknown[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The caller's `_meta`; its progress token stays on our side. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  readonly timeoutMs?: number | undefined
  /** It changes nothing, so it may be sent a second time. A tool's call is sent once without it. */
  readonly repeatable?: boolean
}

export type Upstream = ReturnType<typeof createUpstream>

/** Creates an upstream; nothing starts before `start` or the first call. */
export function createUpstream(name: string, config: ServerConfig, options: LifecycleOptions) {
  const listeners = new Set<(event: UpstreamEvent) => void>()
  const life = createConnectionLifecycle(name, config, options, (event) => {
    for (const listener of listeners)
      try {
        listener(event)
      } catch (error) {
        options.report?.(error, `${name} ${event.kind}`)
      }
  })
  const semaphore = createSemaphore(config.concurrency)

  /**
   * Waits for connection and slot, and sends once. What is repeatable is sent again where the server has forgotten the
   * session; what is not is preceded by the question whether it has, because its answer to the call would prove nothing.
   */
  async function send<T>(
    given: CallOptions | undefined,
    work: (connection: Connection, settings: RequestSettings) => Promise<T>,
  ): Promise<Result<T, CallFailure>> {
    const timeoutMs = given?.timeoutMs ?? config.timeout_ms
    const repeatable = given?.repeatable === true
    const control = new AbortController()
    const abort = (): void => control.abort(given?.signal?.reason)
    if (given?.signal?.aborted === true) return fail(cancelledBefore(name))
    given?.signal?.addEventListener('abort', abort, { once: true })
    const release = await semaphore.take(control.signal, timeoutMs)
    try {
      if (release === undefined)
        return fail(control.signal.aborted ? cancelledBefore(name) : busy(name, semaphore.waiting))
      for (let isRepeated = false; ;) {
        const first = await life.ready(control.signal, timeoutMs)
        if (!first.ok) return first
        if (!repeatable) await life.renew(first.value, control.signal)
        const ready = repeatable ? first : await life.ready(control.signal, timeoutMs)
        if (!ready.ok) return ready
        try {
          // A token is refreshed before the request is sent, so that who cancels meanwhile has sent nothing.
          await life.login?.token()
          if (control.signal.aborted) return fail(cancelledBefore(name))
          // It may have been replaced meanwhile, and is closed once nothing runs over it.
          if (!life.isInUse(ready.value)) continue
          const settings = { signal: control.signal, timeoutMs, onProgress: given?.onProgress }
          return ok(await work(ready.value, settings))
        } catch (error) {
          // Its token was renewed while it was refused; what changes something is left to its caller.
          const isGone = isSessionGone(error, ready.value)
          if (repeatable && isGone) await life.reconnect(ready.value, 'it no longer knows this session')
          if (repeatable && !isRepeated && (isGone || needOf(error)?.kind === 'renewed')) {
            isRepeated = true
            continue
          }
          const facts = { cancelled: control.signal.aborted, server: name, notRun: notRunStatuses(config) }
          const failure = readCallError(error, facts)
          // What its login lacks says nothing of the connection.
          if (failure.kind === 'unavailable' && needOf(error) === undefined) life.lost(ready.value, failure.message)
          return fail(failure)
        }
      }
    } finally {
      release?.()
      given?.signal?.removeEventListener('abort', abort)
    }
  }

  async function callTool(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    given?: CallOptions,
  ): Promise<Result<RawResult, CallFailure>> {
    const { progressToken: _, ...meta } = given?.meta ?? {}
    const params = { name: tool, arguments: args, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) }
    const answer = await send(given, (connection, settings) => connection.request('tools/call', params, settings))
    if (!answer.ok) return answer
    return isToolResult(answer.value)
      ? ok(withBlocks(answer.value))
      : fail(mayHaveHappened('bad-answer', `${name} answered something that is no tool result.`))
  }

  let relisting: Promise<Result<void, CallFailure>> | undefined

  return {
    name,
    config,
    state: life.state,
    /** Whether a token of a login is on the requests that it gets. */
    hasSentToken: () => (life.login?.secrets().length ?? 0) > 0,
    /** What the server said of itself the last time it was up. */
    identity: life.identity,
    capabilities: life.capabilities,
    /** The tools as last listed; they stay while the server is away. */
    tools: life.tools,
    /** Starts it if need be. Resolves with its first success or failure. */
    async start(): Promise<Result<void, CallFailure>> {
      await life.start()
      const ready = await life.ready(new AbortController().signal, 0)
      return ready.ok ? ok(undefined) : ready
    },
    /**
     * Waits for its first list of tools: starts it where nobody has, and joins an attempt that is under way. A pause between
     * two attempts is not cut short.
     */
    async listed(patienceMs: number): Promise<void> {
      await life.ready(new AbortController().signal, patienceMs)
    },
    /**
     * Asks the server for its tools now, whatever it announced; calls at the same time share one request. Where the list
     * cannot be had within the server's `timeout_ms`, answers why, and the tools stay as they were.
     */
    relist(): Promise<Result<void, CallFailure>> {
      relisting ??= send({ repeatable: true }, (connection, { timeoutMs }) =>
        life.readTools(connection, timeoutMs),
      ).finally(() => {
        relisting = undefined
      })
      return relisting
    },
    callTool,
    /** Resources, prompts, completion: any other request, answered raw. */
    request: (
      method: string,
      params: Readonly<Record<string, unknown>>,
      given?: CallOptions,
    ): Promise<Result<unknown, CallFailure>> =>
      send({ ...given, repeatable: true }, (connection, settings) => connection.request(method, params, settings)),
    /** Tells the server something that asks for no answer; nothing happens while it is away. */
    notify: life.notify,
    /** Answers how to stop listening. */
    listen(listener: (event: UpstreamEvent) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Ends the connection and the child. */
    close: life.close,
  }
}

const notRunStatuses = (config: ServerConfig): readonly number[] => (isStdio(config) ? [] : config.not_run_statuses)

const isToolResult = (value: unknown): value is RawResult =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray((value as RawResult).content) || (value as RawResult).structuredContent !== undefined)

/** Where its `content` is no list there are no blocks: nobody further on has to ask. */
function withBlocks(result: RawResult): RawResult {
  if (Array.isArray(result.content)) return result
  const { content: _, ...rest } = result
  return rest
}

const cancelledBefore = (server: string): CallFailure =>
  notSent('cancelled', `The call was cancelled before it was sent to ${server}.`)

const busy = (server: string, waiting: number): CallFailure =>
  notSent('busy', `${server} is busy with other calls (${waiting} more are waiting), and this one waited too long.`, {
    retryAfterMs: 5000,
  })

/** Why an upstream is not ready, for operators: with what the server said itself. */
export const operatorText = ({ kind, reason, said, need }: UpstreamState): string =>
  [need === undefined ? plain(reason ?? kind) : needText(need), ...(said === undefined ? [] : [plain(said)])].join('; ')
