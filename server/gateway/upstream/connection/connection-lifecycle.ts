// Which connection to an upstream is in use: one that is gone is opened anew, and a server that comes back is used as before.
import { setTimeout as wait } from 'node:timers/promises'
import { fail, ok, type Result } from '../../../errors/result.ts'
import { notSent, ofLogin, plain, type CallFailure } from './call-failure.ts'
import { patient } from './patience.ts'
import type { ServerConfig } from '../settings/upstream-config.schema.ts'
import { createAnnouncedLists } from './announced-lists.ts'
import type { LifecycleOptions } from './lifecycle-options.ts'
import type { UpstreamEvent, UpstreamState } from './upstream-state.ts'
import type { KnownGeneration } from './wire/generation.ts'
import { openConnection, type Connection } from './connection.ts'
import { createRetries } from './retries.ts'
import { createServerFacts } from './server-facts.ts'
import { createSessionChecks } from './session-checks.ts'
import type { ToolList } from './tool-lists.ts'
import { createToolReading } from './tool-reading.ts'
import { CannotUse } from './why-not.ts'
import { secondsUntilTry, statusText } from '../status.ts'
import { needOf, needText } from '../login/login-need.ts'
import { createLoginWait } from '../login/login-wait.ts'

export type { UpstreamEvent, UpstreamState } from './upstream-state.ts'

/** How long a server may take to hear that a session is over. */
const endSessionMs = 1000

/** Who calls waits for the next attempt where it comes so soon; an agent would have to come back otherwise. */
const longestPauseMs = 5000

/** The life of one server's connection: what it is, what it knows of the server, and how it comes and goes. */
export function createConnectionLifecycle(
  name: string,
  config: ServerConfig,
  options: LifecycleOptions,
  emit: (event: UpstreamEvent) => void,
) {
  let state: UpstreamState = { kind: 'idle', since: options.now() }
  let connection: Connection | undefined
  /** Those beside the one in use: one that is tried, and those over which requests still run. */
  const others = new Set<Connection>()
  let attempt: Promise<void> | undefined
  let control = new AbortController()
  const known: KnownGeneration = { isOlder: false }
  const login = options.login?.(name, config)
  const report = (error: unknown): void => options.report?.(error, `${name} login`)
  const retries = createRetries(options, () => void connect())
  const facts = createServerFacts(() => emit({ kind: 'tools' }))
  const { renew, examine } = createSessionChecks({
    isInUse: (held) => connection === held,
    isOpen: (held) => connection === held || others.has(held),
    lost,
    reconnect,
  })
  const readTools = createToolReading({
    isInUse: (held) => connection === held,
    dial: async (signal, generation) => {
      const opened = await dial(AbortSignal.any([control.signal, signal]), generation)
      others.add(opened)
      return opened
    },
    takeOver: (opened, listed, { isOlder }) => {
      known.isOlder = isOlder
      if (connection !== undefined) leave(connection)
      use(opened, listed)
    },
    finish,
    listed: takeOf,
    now: options.now,
  })
  const loginWait = createLoginWait({ login, tryAgain: connect, firstMs: options.backoff.maxMs, report })

  function become(kind: UpstreamState['kind'], more: Omit<UpstreamState, 'kind' | 'since' | 'awaySince'> = {}): void {
    const since = options.now()
    const away = kind === 'starting' || kind === 'restarting' || kind === 'failed'
    state = { kind, since, ...(away ? { awaySince: state.awaySince ?? since } : {}), ...more }
    emit({ kind: 'state' })
  }

  async function connect(): Promise<void> {
    if (connection !== undefined || state.kind === 'closed') return
    // Neither now nor after a pause: what it lacks comes with another start of ours.
    if (config.unstartable !== undefined) {
      if (state.kind !== 'failed')
        become('failed', { reason: config.unstartable, remedy: 'a person sets it and starts Countersign anew' })
      return
    }
    attempt ??= open().finally(() => {
      attempt = undefined
    })
    await attempt
  }

  async function open(): Promise<void> {
    retries.stop()
    loginWait.stop()
    if (state.kind === 'idle') become('starting')
    control = new AbortController()
    let opened: Connection | undefined
    try {
      opened = await dial(control.signal, known)
      const held = opened
      const listed = await opened.listTools(config.start_timeout_ms).catch((error: unknown) => {
        throw needOf(error) === undefined ? held.unusable(error, config.start_timeout_ms) : error
      })
      if (control.signal.aborted) throw new Error('it is shut down')
      use(opened, listed)
    } catch (error) {
      if (opened !== undefined) {
        await endSession(opened)
        await opened.close().catch(() => undefined)
      }
      const need = error instanceof CannotUse ? error.need : needOf(error)
      if (need?.command === undefined) schedule(plain(error), error instanceof CannotUse ? error : {})
      else if (state.kind !== 'closed') {
        become('failed', { reason: needText(need), need })
        loginWait.wait(need)
      }
    }
  }

  async function dial(signal: AbortSignal, known: KnownGeneration): Promise<Connection> {
    let opened: Connection | undefined
    const events = {
      onClose: (why: string, said: string) => opened !== undefined && lost(opened, why, said),
      onNotification: (method: string, params: Readonly<Record<string, unknown>>) => heard(method, params),
      onTrouble: (error: Error) => opened !== undefined && void examine(opened, error),
    }
    const settings = { timeoutMs: config.start_timeout_ms, signal, client: options.client?.(name), login, known }
    opened = await openConnection(config, options.version, events, settings)
    return opened
  }

  function use(opened: Connection, listed: ToolList): void {
    others.delete(opened)
    connection = opened
    facts.connected(opened)
    retries.isUp()
    loginWait.isOver()
    facts.listed(listed)
    become('ready')
  }

  /** Closes what is not in use any more, once what runs over it has ended: nobody would know what became of a call. */
  function leave(gone: Connection): void {
    others.add(gone)
    void gone.idle().then(() => finish(gone))
  }

  /** Closes what nobody uses. */
  async function finish(gone: Connection): Promise<void> {
    await endSession(gone)
    lost(gone, 'it is not in use any more')
  }

  /** A server keeps a session for as long as it runs, unless it is told that it is over. */
  async function endSession(gone: Connection): Promise<void> {
    // A server may give one name to two sessions, as one that counts them from its start.
    if (!gone.hasSession || gone.session === connection?.session) return
    const patience = wait(endSessionMs, undefined, { ref: false })
    await Promise.race([gone.endSession(), patience]).catch(() => undefined)
  }

  function schedule(reason: string, { said, remedy }: Partial<Pick<CannotUse, 'said' | 'remedy'>> = {}): void {
    if (state.kind === 'closed') return
    const { kind, ...retry } = retries.next()
    become(kind, {
      reason,
      ...(said === undefined || said === '' ? {} : { said }),
      ...(remedy === undefined ? {} : { remedy }),
      ...retry,
    })
  }

  /** This connection is over, or turned out to be dead. */
  function lost(gone: Connection, reason: string, said = ''): void {
    if (connection === gone) giveUp(reason, said)
    else if (!others.delete(gone)) return
    void gone.close().catch(() => undefined)
  }

  function giveUp(reason: string, said = ''): void {
    connection = undefined
    retries.isDown()
    schedule(reason, { said })
  }

  /** The server wants another connection than this one, and gets it without a pause. What runs over this one may go on. */
  async function reconnect(gone: Connection, reason: string): Promise<void> {
    if (connection === gone) {
      giveUp(reason)
      others.add(gone)
      // There is no session to end.
      void gone.idle().then(() => lost(gone, reason))
    }
    await connect()
  }

  const readAnnounced = createAnnouncedLists(async () => {
    const held = connection
    if (held !== undefined) takeOf(held, await held.listTools(config.start_timeout_ms))
  })

  function heard(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'notifications/tools/list_changed') void readAnnounced()
    else emit({ kind: 'notification', method, params })
  }

  /** What comes over a connection that has been replaced meanwhile is older than the list of the next one. */
  function takeOf(held: Connection, listed: ToolList): void {
    if (connection === held) facts.listed(listed)
  }

  /** The live connection, started if need be; waits for an attempt that is under way, and for one that comes soon. */
  async function ready(signal: AbortSignal, patienceMs: number): Promise<Result<Connection, CallFailure>> {
    if (connection !== undefined) return ok(connection)
    if (state.kind === 'closed') return fail(unavailable())
    const isMet = state.need !== undefined && (await loginWait.isMet(state.need))
    const pause = state.retryAt === undefined ? Infinity : Math.max(0, state.retryAt - options.now())
    if (state.kind === 'idle' || attempt !== undefined || isMet) await patient(connect(), signal, patienceMs)
    else if (pause <= Math.min(patienceMs, longestPauseMs))
      await patient(wait(pause, undefined, { ref: false }).then(connect), signal, patienceMs)
    if (connection !== undefined) return ok(connection)
    if (state.need !== undefined) return fail(ofLogin(state.need))
    return fail({ ...unavailable(), retryAfterMs: 1000 * secondsUntilTry(state, options.now()) })
  }

  const unavailable = (): CallFailure =>
    notSent('unavailable', `${name} is ${statusText(state, options.now())}. Nothing was sent to it.`)

  async function close(): Promise<void> {
    if (state.kind === 'closed') return
    const held = connection
    connection = undefined
    become('closed')
    retries.stop()
    loginWait.stop()
    control.abort()
    const all = [...(held === undefined ? [] : [held]), ...others]
    others.clear()
    await Promise.all(all.map((each) => endSession(each).then(() => each.close())))
    await attempt
  }

  return {
    login,
    state: () => state,
    identity: facts.identity,
    capabilities: facts.capabilities,
    tools: facts.tools,
    start: connect,
    ready,
    isInUse: (held: Connection) => connection === held,
    /** Tells the server something, where it is there. */
    notify: (method: string) =>
      void connection?.notify(method).catch((error: unknown) => options.report?.(error, `${name} ${method}`)),
    lost,
    reconnect,
    renew,
    /** Reads the tools once more over this connection, or another one. Throws what the connection throws. */
    readTools,
    close,
  }
}
