// One live connection to one upstream, from `initialize` to its end. It answers raw results: the SDK's own `callTool`
// checks outputs and drops what its schemas do not know, and what passes through a gateway must arrive as it was sent.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Implementation, Progress, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { runTime } from '../../../model/run-time.ts'
import type { ServerConfig } from '../settings/upstream-config.schema.ts'
import type { SeenClient } from './downstream-client.ts'
import { plain } from './call-failure.ts'
import { watchSilence } from './silence.ts'
import { stripOurKeys } from './wire/reserved-meta.ts'
import type { ServerLogin } from '../login/server-login.ts'
import { hidingOf, type Hiding } from '../settings/configured-values.ts'
import { EndedWhenAsked, isModernVersion, type KnownGeneration } from './wire/generation.ts'
import { openWire } from './wire/open-wire.ts'
import { createToolLists, noTools, type ToolList } from './tool-lists.ts'
import { reachesOf, type Reach } from './wire/transport.ts'
import { countQuestions, type Questions, type Wire, type WireParts } from './wire/wire.ts'
import { CannotUse, ended, whyNot, type NoUse } from './why-not.ts'

export interface ServerIdentity extends Readonly<Pick<Implementation, 'name' | 'version' | 'title' | 'icons'>> {
  readonly instructions?: string
  readonly transport: Reach['kind']
}

export interface RequestSettings {
  readonly signal?: AbortSignal
  readonly timeoutMs: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface Connection {
  readonly identity: ServerIdentity
  readonly capabilities: ServerCapabilities
  /** The version of the protocol that both have agreed on. */
  readonly protocolVersion: string
  /** Whether the server gave it a session, which it may forget. */
  readonly hasSession: boolean
  /** The name of that session. */
  readonly session: string | undefined
  /** One request; throws what the SDK throws. */
  request(method: string, params: Readonly<Record<string, unknown>>, settings: RequestSettings): Promise<unknown>
  notify(method: string): Promise<void>
  listTools(timeoutMs: number): Promise<ToolList>
  /** What an error says of the whole server that came where it was first asked for its tools. */
  unusable(error: unknown, timeoutMs: number): CannotUse
  /** Resolves once no request runs over it. */
  idle(): Promise<void>
  /** Tells the server that its session is over, where it has one. */
  endSession(): Promise<void>
  close(): Promise<void>
}

interface OpenSettings {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly client?: SeenClient | undefined
  readonly login?: ServerLogin | undefined
  /** Remembered by the caller from one connection to the next. */
  readonly known?: KnownGeneration
}

interface ConnectionEvents {
  /** Called once, when the connection is over: why, and with its last words, which are for operators. */
  onClose(why: string, said: string): void
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void
  /** Something broke that the SDK does not tie to a request. */
  onTrouble(error: Error): void
}

/**
 * Connects and initializes, by the second way where the first one is refused.
 * @throws {CannotUse} with one sentence on why the server cannot be used, and what it said itself.
 */
export async function openConnection(
  server: ServerConfig,
  version: string,
  events: ConnectionEvents,
  settings: OpenSettings,
): Promise<Connection> {
  const problems: NoUse[] = []
  const { login, known = { isOlder: false } } = settings
  const hiding = hidingOf(server, login?.secrets)
  const attempt = async (reach: () => Reach | Promise<Reach>, asks: boolean): Promise<Connection | NoUse> => {
    const way = await reach()
    settings.signal.throwIfAborted()
    return tryReach(server, way, version, events, { ...settings, hiding, asks, known })
  }
  for (const reach of reachesOf(server, login)) {
    let made = await attempt(reach, !known.isOlder)
    if ('why' in made && made.endedWhenAsked === true) {
      known.isOlder = true
      made = await attempt(reach, false)
    }
    if (!('why' in made)) return made
    // What was remembered may not be true any more: another version of it may have been installed.
    if (made.refused === true) known.isOlder = false
    problems.push(made)
    // Another way to a server that wants a login wants it, too; one that speaks newer versions has no older way.
    if (made.need !== undefined || made.isSure === true) break
  }
  throw new CannotUse(problems)
}

async function tryReach(
  server: ServerConfig,
  reach: Reach,
  version: string,
  events: ConnectionEvents,
  {
    timeoutMs,
    signal,
    client: downstream,
    hiding,
    asks,
    known,
  }: OpenSettings & { readonly hiding: Hiding; readonly asks: boolean; readonly known: KnownGeneration },
): Promise<Connection | NoUse> {
  const questions = countQuestions()
  let garbage = ''
  let open = false
  const parts: WireParts = {
    version,
    timeoutMs,
    signal,
    downstream,
    questions,
    onError: (error) => {
      if (error instanceof SyntaxError || error.name === 'ZodError') garbage = plain(error)
      if (open) events.onTrouble(error)
    },
    onClose: () => {
      if (open) events.onClose(ended('it ended', reach), hiding.text(reach.lastWords()))
    },
    // An address that changed must stay the address that somebody asked about.
    onNotification: (method, said) =>
      events.onNotification(method, method === 'notifications/message' ? hiding.inside(said) : said),
  }
  const hidden = (found: NoUse): NoUse => ({
    ...found,
    why: hiding.text(found.why),
    said: hiding.text(found.said),
    ...(found.remedy === undefined ? {} : { remedy: hiding.text(found.remedy) }),
  })
  const abandon = (): void => void reach.close().catch(() => undefined)
  signal.addEventListener('abort', abandon, { once: true })
  try {
    const wire = await openWire(reach, parts, asks)
    const { who, instructions } = wire
    known.isOlder = !isModernVersion(wire.protocolVersion)
    open = true
    const unusable = (error: unknown, within: number): CannotUse =>
      new CannotUse([hidden(whyNot(error, { server, reach, method: 'tools/list', timeoutMs: within, garbage }))])
    return connectionOf(wire, questions, hiding, unusable, {
      name: who?.name ?? 'unknown',
      version: who?.version ?? 'unknown',
      ...(who?.title === undefined ? {} : { title: who.title }),
      ...(who?.icons && { icons: who.icons }),
      ...(instructions === undefined ? {} : { instructions }),
      transport: reach.kind,
    })
  } catch (error) {
    // Not waited for: a child that ignores its end is asked again, and then killed, while the others go on.
    abandon()
    // How an attempt ends that is called off says nothing of the server.
    signal.throwIfAborted()
    if (error instanceof EndedWhenAsked) return { why: error.message, said: '', endedWhenAsked: true }
    return hidden(whyNot(error, { server, reach, method: 'initialize', timeoutMs, garbage }))
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

function connectionOf(
  wire: Wire,
  questions: Questions,
  hiding: Hiding,
  unusable: Connection['unusable'],
  identity: ServerIdentity,
): Connection {
  const { capabilities, protocolVersion, session } = wire
  const running = new Set<Promise<unknown>>()

  /** The answer as it came. */
  const askOnce: Connection['request'] = async (method, params, { signal, timeoutMs, onProgress }) => {
    // What another call is asked is no reason to wait for this one; of an older server nobody knows which call asks.
    const own = countQuestions()
    const silence = watchSilence(timeoutMs, () => own.any() || questions.any(), signal)
    const time = runTime()
    const goesOn = time === undefined ? [] : [own.stopsTime(time), questions.stopsTime(time)]
    const heard = (progress: Progress): void => {
      silence.broken()
      onProgress?.(hiding.inProgress(progress))
    }
    try {
      return await wire.request(method, params, {
        signal: silence.signal,
        questions: own,
        ...(onProgress === undefined ? {} : { onProgress: heard }),
      })
    } catch (error) {
      // Clients get the data of an error as it came, too.
      if (error instanceof McpError) stripOurKeys({ _meta: error.data })
      throw hiding.inError(error)
    } finally {
      silence.end()
      for (const goOn of goesOn) goOn()
    }
  }
  const ask: Connection['request'] = async (...asked) => {
    const answer = askOnce(...asked)
    running.add(answer)
    try {
      return await answer
    } finally {
      running.delete(answer)
    }
  }
  /** In place: nobody else has it. A list of tools that came before may have gone through here, which changes it no more. */
  const cleaned = (answer: unknown): unknown => hiding.inAnswer(stripOurKeys(answer))

  return {
    identity,
    capabilities,
    protocolVersion,
    hasSession: session !== undefined,
    session,
    request: async (...asked) => cleaned(await ask(...asked)),
    unusable,
    notify: wire.notify,
    listTools:
      capabilities.tools === undefined
        ? () => Promise.resolve(noTools)
        : createToolLists(ask, cleaned, wire.whyNotListed),
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
    endSession: wire.endSession,
    close: wire.close,
  }
}
