// Tools that keep something: they are given the server's own database and clock when it opens, and may bring addresses at
// its web door. Each has a folder of its own beside this file.
import type { Kysely, Transaction } from 'kysely'
import type { Result } from '../errors/result.ts'
import type { LaterEntry } from '../model/activity.ts'
import type { FoundSecret } from '../model/found-secret.ts'
import type { Principal } from '../model/principal.ts'
import type { Contract } from '../tools/contract.ts'
import type { FileSource } from './file-source.ts'

/** What a toolset is given by the server that opens it. */
export interface ToolsetParts {
  /** The server's own database. Names of a toolset's tables begin with a prefix of its own. */
  readonly db: Kysely<unknown>
  /** For what a toolset does by itself once a call is answered: puts that on record with the change that says it was done. */
  readonly recording: Recording
  /** Epoch milliseconds by the store's clock, which all processes on this database share. */
  readonly now: () => number
  /** A 32-byte key for this purpose, the same in every process on this database. */
  readonly deriveKey: (purpose: string) => Uint8Array
  /** Takes an error that nobody waits for; answers the number of the incident. */
  readonly report: (error: unknown, where: string) => string
  /** Address under which people reach the web door; `undefined` while none is open. */
  readonly publicUrl: () => string | undefined
  /**
   * A folder of this name beside the database, for what does not belong in it; `undefined` where the database lies in
   * memory. It need not be there yet.
   */
  readonly folder: (name: string) => string | undefined
  /** Secrets in a text that is to leave the server, found as in records. */
  readonly secretsIn: (text: string) => readonly FoundSecret[]
  /** The text with them hidden. */
  readonly redact: (text: string) => string
  /** Files of another toolset of this server; `undefined` where none keeps files. */
  readonly files: () => FileSource | undefined
}

/** What a toolset did later on behalf of a call; becomes a row of the activity log. */
export interface LaterEvent extends Pick<LaterEntry, 'name' | 'principal' | 'outcome'> {
  /** The idempotency key of the call; `undefined` where nobody knows it any more. */
  readonly run: string | undefined
  /** What it was about, and how it went. Secrets in it are hidden, and it is cut where it is very long. */
  readonly details: Readonly<Record<string, unknown>>
  /** Why not, where nothing was done. */
  readonly error?: { readonly code: string; readonly message: string }
}

/**
 * Runs work in one transaction of the server's database. What it hands to `record` is on record when that commits, and only
 * then: record an event where an update finds the state that it ends, and it is there once, whatever ends when. The work may
 * be run again where the database has taken the transaction back. Many events in one transaction cost the least.
 */
export type Recording<Db = unknown> = <R>(
  work: (transaction: Transaction<Db>, record: (event: LaterEvent) => void) => Promise<R>,
) => Promise<R>

/** A toolset that is open. */
export interface OpenedToolset {
  /** Its tools. */
  readonly tools: readonly Contract[]
  /** Texts by name, served as `mcp://<name>/cheatsheet`. */
  readonly cheatsheets?: Readonly<Record<string, string>>
  /** Its addresses at the web door. */
  readonly routes?: readonly ToolsetRoute[]
  /** Pages at these addresses that the playground links to. */
  readonly pages?: readonly ToolsetPage[]
  /** Address of its own that takes a file, as a form with one part `file`: the playground offers it to its visitor. */
  readonly uploads?: string
  /** For other toolsets of the same server. */
  readonly files?: FileSource
  /** Puts its data back to what a new one holds; of toolsets that are there to be tried out. Refuses what is not the demo's. */
  startOver?(): Promise<StartedOver>
  /** Ends what it does by itself, and waits for it. */
  close?(): Promise<void>
}

/** Data put back to what a new one holds, or why they were left as they are. */
export type StartedOver = Result<void, { readonly message: string; readonly next: string }>

/** A page of a toolset that the playground links to. */
export interface ToolsetPage {
  /** What the link says. */
  readonly label: string
  /** Where it leads. */
  readonly path: string
}

/**
 * Opens a toolset; called once by each server that has it.
 * @throws {ToolsetError} where something outside is not as it must be.
 */
export type Toolset = (parts: ToolsetParts) => Promise<OpenedToolset>

/** Why a toolset cannot be opened: the message says what is wrong, `next` what to do. */
export class ToolsetError extends Error {
  readonly next: string
  constructor(message: string, next: string) {
    super(message)
    this.name = 'ToolsetError'
    this.next = next
  }
}

/** An address at the web door. */
export type ToolsetRoute = {
  /** `/d`: this path and everything below it. */
  readonly path: `/${string}`
} & (
  | {
      /** Whoever has the address: what it gives away must be guarded by the address itself. */
      readonly open: 'anyone'
      handle(request: Request, visitor: RouteVisitor): Promise<Response>
    }
  | {
      /** Who may call tools over HTTP, identified as there. */
      readonly open: 'callers'
      handle(request: Request, caller: RouteCaller): Promise<Response>
    }
)

/** Who sent a request to an address of a toolset. */
export interface RouteVisitor {
  /** Where the request comes from, as near as the server can tell. */
  readonly address: string
  /** Ends the connection before its response has; missing where there is none, as in tests. */
  readonly breakOff?: () => void
}

/** Who sent a request to an address of a toolset that takes a caller. */
export interface RouteCaller {
  /** Who it is. */
  readonly principal: Principal
  /** Which of these permissions the caller lacks. */
  readonly missing: (permissions: readonly string[]) => readonly string[]
}
