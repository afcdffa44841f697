// Whoever decides about a call must be able to read what its tool promises, all of it, and what forbids it where it is
// forbidden. Agents discover less; so these are the contracts as operators see them, whichever server they are from.
import { fullContract, type FullContract } from '../rail/answers/full-contract.ts'
import type { Annotations, Tool } from '../tools/catalog.ts'

/** A failure of a contract, as its author declared it. */
interface FailureView {
  readonly code: string
  readonly effect: string
  readonly guidance: string
  readonly retryable: string
  readonly retry_after_seconds?: number
}

/** Something in a description that talks to the model behind the person's back. */
interface FindingView {
  readonly kind: string
  /** Where in the definition, as a JSON Pointer. */
  readonly pointer: string
  readonly text: string
}

/** What is known of a tool of somebody else's server. */
export interface UpstreamView {
  /** Name in the gateway's file. */
  readonly server: string
  /** How it calls itself; `null` while it is not connected. */
  readonly identity: { readonly name: string; readonly version: string } | null
  /** Name of the profile that speaks of this tool; `null` where none does. */
  readonly profile: string | null
  /** `ready`, `idle`, … */
  readonly state: string
  /** Its own name for the tool. */
  readonly tool: string
  /** Through which door agents call it. */
  readonly call_with: string
  /** What its server says of it, and what we do not believe without a pin. */
  readonly annotations: Readonly<Record<string, unknown>> | null
  /** SHA-256 of the definition that is in force. */
  readonly digest: string
  /** A changed definition waits for an operator; until then the tool is not called. */
  readonly held: boolean
  readonly findings: readonly FindingView[]
  /** Why it is rated so. */
  readonly reasons: readonly string[]
  readonly dry_run: { readonly parameter: string; readonly value: unknown } | null
}

/** A contract with everything that an operator may know of it. */
export interface ContractView extends Omit<FullContract, 'failures'> {
  readonly wire_name: string
  /** Nobody may call it, and agents do not find it. */
  readonly forbidden: boolean
  readonly annotations: Annotations
  /** How the tool spells our own parameters. */
  readonly reserved: readonly string[]
  readonly failures: readonly FailureView[]
  /** Set for a tool of somebody else's server. */
  readonly upstream?: UpstreamView
}

/** A definition that its server has changed since it was accepted. */
export interface DefinitionChange {
  /** `server:tool`. */
  readonly name: string
  readonly server: string
  readonly tool: string
  /** Names what is to be accepted: a change of the change is another one. */
  readonly digest: string
  /** Places as JSON Pointers, then `- ` what was and `+ ` what is. */
  readonly diff: string
}

/** A server behind, as operators read it. */
export interface ServerView {
  readonly name: string
  /** How it stands, in one line; where it waits for a login, with the command that a person runs. */
  readonly standing: string
  readonly ready: boolean
  /** Its tools that the settings keep from agents, by the setting that does. */
  readonly left_out: readonly { readonly setting: string; readonly tools: readonly string[] }[]
  /** `null`: nobody has logged in there, or nobody has to. No token, and no secret of a client, is part of it. */
  readonly login: {
    readonly issuer: string
    readonly client: string
    /** Divided by blanks; `null` where the authorization server did not say. */
    readonly scopes: string | null
    /** In ISO 8601. */
    readonly since: string
    /** How long it lasts, in words. */
    readonly lasts: string
    /** End of the token that is used now, in ISO 8601, where that is known. */
    readonly token_until: string | null
  } | null
}

/** All tools of this server, the servers behind it, and the changes that wait. */
export interface ContractViews {
  /** In the order of the settings. */
  servers(): Promise<readonly ServerView[]>
  /** In the order of definition; ours first, forbidden ones among them. */
  contracts(): readonly ContractView[]
  changes(): Promise<readonly DefinitionChange[]>
  /** Makes a change the definition in force; false where it is not, or no longer, the one that waits. */
  accept(server: string, tool: string, digest: string): Promise<boolean>
}

/** A contract as operators read it. */
export function contractView(tool: Tool, upstream?: UpstreamView): ContractView {
  const { failures: _, ...known } = fullContract(tool)
  const { rationale, preview, ticket } = tool.reserved
  return {
    ...known,
    wire_name: tool.wireName,
    forbidden: known.risk === 'forbidden',
    annotations: tool.annotations,
    reserved: tool.contract.operation === 'read' ? [rationale] : [rationale, preview, ticket],
    failures: Object.entries(tool.contract.failures).map(([code, failure]) => ({
      code,
      effect: failure.effect,
      guidance: failure.guidance,
      retryable: failure.retryable ?? 'after_change',
      ...(failure.retryAfterSeconds === undefined ? {} : { retry_after_seconds: failure.retryAfterSeconds }),
    })),
    ...(upstream === undefined ? {} : { upstream }),
  }
}
