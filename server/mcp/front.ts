// A gateway does not serve its catalogue tool by tool: it serves a few tools of its own that lead to it, and passes on
// what is not ours to judge (resources, prompts). These are the two seams; `compose.ts` fits a gateway into them.
import type { CallToolResult, ClientCapabilities, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import type { Caller, CallRequest } from '../rail/engine.ts'
import type { Result } from '../errors/result.ts'
import type { Tool } from '../tools/catalog.ts'
import type { Principal } from '../model/principal.ts'

/** A call of the front's own tool, as the engine takes it; or an answer that needs no engine. */
export type Translated =
  | {
      readonly kind: 'call'
      readonly request: Pick<CallRequest, 'tool' | 'args'> &
        Partial<Pick<CallRequest, 'spelling' | 'declared' | 'notes' | 'arrival'>>
    }
  | { readonly kind: 'result'; readonly result: CallToolResult }

/** Tools that stand in front of the catalogue, which is then not listed itself. */
export interface Front {
  readonly instructions: string
  tools(): readonly McpTool[]
  /** Tools that a view of the one server behind needs under their own names; for clients that show views. */
  direct(): readonly Tool[]
  /** `undefined` for a name that is not the front's. */
  translate(name: string, args: unknown): Translated | undefined
}

/** What the servers behind can, as far as they have said so yet. */
export interface PassageAbilities {
  readonly prompts: boolean
  readonly completions: boolean
  readonly logging: boolean
  readonly subscriptions: boolean
}

/** Whoever sits before the gateway, where that is one client for as long as it runs. */
export interface ClientSide {
  readonly capabilities: ClientCapabilities
  readonly cards: Caller['cards']
  /** Hands on one request of a server behind. Throws the error that the client answered with. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
}

/** A notification of a server behind for one client. */
export interface Heard {
  readonly method: string
  readonly params: Record<string, unknown>
}

type Passed = Record<string, unknown>

/** For whom something passes. */
export interface Asker {
  /** Aborts when the client gives the request up. */
  readonly signal?: AbortSignal
  /** Whether they have all of these permissions now. */
  may(permissions: readonly string[]): boolean
  /** Told when the request goes on to a server that they may use: what fails from then on, fails there. */
  readonly onSent?: () => void
}

/** What passes through to somebody else's server. Each throws the error that the client should see. */
export interface Passage {
  /**
   * Starts the servers behind, for this client where there is only one; they are told what it can do. Resolves once they
   * are up or have failed, or when patience is over. Nothing happens where they run already.
   */
  open(client: ClientSide | undefined): Promise<void>
  /** Resolves once there is something to list, or when patience is over. */
  listable(): Promise<void>
  abilities(): PassageAbilities
  /** What the servers behind tell a model at the start, marked as theirs. */
  instructions(): string | undefined
  listResources(asker: Asker): Promise<{ readonly resources: Passed[] }>
  listResourceTemplates(asker: Asker): Promise<{ readonly resourceTemplates: Passed[] }>
  /** `undefined` where no upstream has it that this asker may use. */
  readResource(params: Passed & { readonly uri: string }, asker: Asker): Promise<Passed | undefined>
  listPrompts(asker: Asker): Promise<{ readonly prompts: Passed[] }>
  getPrompt(params: Passed & { readonly name: string }, asker: Asker): Promise<Passed>
  complete(params: Passed & { readonly ref: unknown }, asker: Asker): Promise<Passed>
  /** The rest is about one client, by the name of its session. A failure says what is wrong with the request. */
  setLevel(client: string, level: unknown, asker: Asker): Promise<Result<Passed, string>>
  subscribe(client: string, uri: string, asker: Asker): Promise<Result<Passed, string>>
  unsubscribe(client: string, uri: string): Promise<Passed>
  /** Hands this client what is meant for it. Answers how to stop. */
  listen(client: string, hear: (heard: Heard) => void, asker: () => Asker): () => void
  /** The client has left. */
  forget(client: string): void
  /** Somebody is served: what a server writes to its log may be about any of them, so it passes while there is one. */
  notePrincipal(principal: Principal): void
  /** Tells the servers behind something that asks for no answer. */
  notify(method: string): void
}

/** Tells the doors that what they list has changed. Answers how to stop listening. */
export type ListChanges = (listener: (what: 'tools' | 'resources' | 'prompts') => void) => () => void
