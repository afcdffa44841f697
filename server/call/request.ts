// What a door hands to the road, and what the road is made of. Doors know transports; the road knows calls.
import type { Ledger } from './ledger.ts'
import type { Random } from '../confirm/secret.ts'
import { defaultProof, type ProofTable } from '../policy/proof.ts'
import type { Catalog } from '../tools/catalog.ts'
import type { Principal } from '../tools/contract.ts'

/** The client as the transport knows it. */
export interface Caller {
  readonly principal: Principal
  /** The client's own name: a label, no more. */
  readonly client: string
  /** Whether the session negotiated cards; `unknown` where the transport cannot tell. */
  readonly cards: 'yes' | 'no' | 'unknown'
  /** The operator says that this host keeps app-only tools from its model. */
  readonly trusted: boolean
}

export interface CallRequest {
  /** Wire name. */
  readonly tool: string
  readonly args: unknown
  readonly caller: Caller
  readonly signal: AbortSignal
}

export type ApplyForm = 'auto' | 'inline' | 'reference'

export interface RoadSettings {
  /** The server's name as its operator gave it; cards show it. */
  readonly source: string
  readonly apply: ApplyForm
  readonly proof: ProofTable
  /** How long a plan stays open. */
  readonly planTtlMs: number
  /** How much the card's click adds, once. */
  readonly clickExtendsMs: number
  /** How long a run may be silent before its owner counts as lost. Renewed at a third of it. */
  readonly leaseMs: number
  /** How long the caller waits for a run; the run itself goes on and is recorded. */
  readonly runTimeoutMs: number
  /** Arguments larger than this, as JSON text, are refused. */
  readonly maxArgumentBytes: number
}

export const defaultSettings: RoadSettings = {
  source: 'countersign',
  apply: 'auto',
  proof: defaultProof,
  planTtlMs: 15 * 60_000,
  clickExtendsMs: 5 * 60_000,
  leaseMs: 15_000,
  runTimeoutMs: 60_000,
  maxArgumentBytes: 1_000_000,
}

/** Everything that the road needs from outside, handed in. */
export interface Road {
  readonly catalog: Catalog
  readonly ledger: Ledger
  readonly settings: RoadSettings
  /** Names this process in leases. */
  readonly owner: string
  readonly random: Random
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Which of these permissions the principal lacks. */
  readonly missingPermissions: (principal: Principal, permissions: readonly string[]) => readonly string[]
  /** Where unexpected errors go; answers the incident's name that the caller is told. */
  readonly report: (error: unknown, where: string) => string
}
