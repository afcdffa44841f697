// One live connection to one upstream, from `initialize` to its end. It answers raw results: the SDK's own `callTool`
// checks outputs and drops what its schemas do not know, and what passes through a gateway must arrive as it was sent.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import type { ClientResult, Implementation, Progress, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { schemaValidator } from '../../../schema-validator.ts'
import type { ServerConfig } from '../settings/upstream-config.schema.ts'
import type { SeenClient } from './downstream-client.ts'
import { plain } from './call-failure.ts'
import { watchSilence } from './silence.ts'
import { stripOurKeys } from './reserved-meta.ts'
import type { ServerLogin } from '../login/server-login.ts'
import { hidingOf, type Hiding } from '../settings/configured-values.ts'
import { createToolLists, noTools, type ToolList } from './tool-lists.ts'
import { reachesOf, type Reach } from './transport.ts'
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
  /** Whether the server gave it a session, which it may forget. */
  readonly hasSession: boolean
  /** One request; throws what the SDK throws. */
  request(method: string, params: Readonly<Record<string, unknown>>, settings: RequestSettings): Promise<unknown>
  notify(method: string): Promise<void>
  listTools(timeoutMs: number): Promise<ToolList>
  /** What an error says of the whole server that came where it was first asked for its tools. */
  unusable(error: unknown, timeoutMs: number): CannotUse
  close(): Promise<void>
}

interface OpenSettings {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly client?: SeenClient | undefined
  readonly login?: ServerLogin | undefined
}

interface ConnectionEvents {
  /** Called once, when the connection is over: why, and with its last words, which are for operators. */
  onClose(why: string, said: string): void
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void
  /** Something broke that the SDK does not tie to a request. */
  onTrouble(error: Error): void
}

/** Anything: what it is, is the caller's to say. */
const anything = z.unknown()

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
  const { login } = settings
  const hiding = hidingOf(server, login?.secrets)
  for (const reach of reachesOf(server, login)) {
    const way = await reach()
    settings.signal.throwIfAborted()
    const opened = await tryReach(server, way, version, events, { ...settings, hiding })
    if (!('why' in opened)) return opened
    problems.push(opened)
    // Another way to a server that wants a login wants it, too.
    if (opened.need !== undefined) break
  }
  throw new CannotUse(problems)
}

async function tryReach(
  server: ServerConfig,
  reach: Reach,
  version: string,
  events: ConnectionEvents,
  { timeoutMs, signal, client: downstream, hiding }: OpenSettings & { readonly hiding: Hiding },
): Promise<Connection | NoUse> {
  const client = new Client(
    { name: 'countersign', version },
    { capabilities: downstream?.capabilities ?? {}, jsonSchemaValidator: schemaValidator },
  )
  const questions = countQuestions()
  if (downstream !== undefined)
    client.fallbackRequestHandler = ({ method, params }, extra) =>
      questions.during(
        () => downstream.request(method, stripOurKeys(params ?? {}), extra.signal) as Promise<ClientResult>,
      )
  let garbage = ''
  let open = false
  client.onerror = (error) => {
    if (error instanceof SyntaxError || error.name === 'ZodError') garbage = plain(error)
    if (open) events.onTrouble(error)
  }
  client.onclose = () => {
    if (open) events.onClose(ended('it ended', reach), hiding.text(reach.lastWords()))
  }
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const said = stripOurKeys(params ?? {})
    // An address that changed must stay the address that somebody asked about.
    events.onNotification(method, method === 'notifications/message' ? hiding.inside(said) : said)
  }
  const hidden = (found: NoUse): NoUse => ({
    ...found,
    why: hiding.text(found.why),
    said: hiding.text(found.said),
    ...(found.remedy === undefined ? {} : { remedy: hiding.text(found.remedy) }),
  })
  const abandon = (): void => void client.close().catch(() => undefined)
  signal.addEventListener('abort', abandon, { once: true })
  try {
    await client.connect(reach.transport, { timeout: timeoutMs })
    keepOrder(reach.transport)
    const who = client.getServerVersion()
    const instructions = client.getInstructions()
    open = true
    const unusable = (error: unknown, within: number): CannotUse =>
      new CannotUse([hidden(whyNot(error, { server, reach, method: 'tools/list', timeoutMs: within, garbage }))])
    return connectionOf(client, questions, hiding, unusable, reach.transport.sessionId !== undefined, {
      name: who?.name ?? 'unknown',
      version: who?.version ?? 'unknown',
      ...(who?.title === undefined ? {} : { title: who.title }),
      ...(who?.icons && { icons: who.icons }),
      ...(instructions === undefined ? {} : { instructions }),
      transport: reach.kind,
    })
  } catch (error) {
    // Not waited for: a child that ignores its end is asked again, and then killed, while the others go on.
    void client.close().catch(() => undefined)
    return hidden(whyNot(error, { server, reach, method: 'initialize', timeoutMs, garbage }))
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

/**
 * The SDK hands on an answer at once and a notification a moment later, so a call's last progress would come after its
 * end and be dropped. An answer that comes in the same turn is put back, so that both arrive in the order of the wire.
 */
function keepOrder(transport: Transport): void {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  let isUnheard = false
  transport.onmessage = (message, extra) => {
    if ('method' in message) {
      if (!isUnheard) setImmediate(() => (isUnheard = false))
      isUnheard = true
      deliver(message, extra)
    } else if (isUnheard) setImmediate(() => deliver(message, extra))
    else deliver(message, extra)
  }
}

/** Counts requests of the server that are open: while it waits for a person, its silence is no sign of trouble. */
function countQuestions() {
  let open = 0
  return {
    any: () => open > 0,
    async during<T>(question: () => Promise<T>): Promise<T> {
      open++
      try {
        return await question()
      } finally {
        open--
      }
    },
  }
}

/** The longest time that a timer of Node takes. */
const forever = 2 ** 31 - 1

function connectionOf(
  client: Client,
  questions: ReturnType<typeof countQuestions>,
  hiding: Hiding,
  unusable: Connection['unusable'],
  hasSession: boolean,
  identity: ServerIdentity,
): Connection {
  const capabilities = client.getServerCapabilities() ?? {}

  /** The answer as it came. */
  const ask: Connection['request'] = async (method, params, { signal, timeoutMs, onProgress }) => {
    const silence = watchSilence(timeoutMs, questions.any, signal)
    const heard = (progress: Progress): void => {
      silence.broken()
      onProgress?.(hiding.inProgress(progress))
    }
    try {
      return await client.request({ method, params }, anything, {
        timeout: forever,
        signal: silence.signal,
        ...(onProgress === undefined ? {} : { onprogress: heard }),
      })
    } catch (error) {
      // Clients get the data of an error as it came, too.
      if (error instanceof McpError) stripOurKeys({ _meta: error.data })
      throw hiding.inError(error)
    } finally {
      silence.end()
    }
  }
  /** In place: nobody else has it. A list of tools that came before may have gone through here, which changes it no more. */
  const cleaned = (answer: unknown): unknown => hiding.inAnswer(stripOurKeys(answer))

  return {
    identity,
    capabilities,
    hasSession,
    request: async (...asked) => cleaned(await ask(...asked)),
    unusable,
    notify: (method) => client.notification({ method }),
    listTools: capabilities.tools === undefined ? () => Promise.resolve(noTools) : createToolLists(ask, cleaned),
    close: () => client.close(),
  }
}
