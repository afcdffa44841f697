// How a server behind stands, as everybody who reads of it gets it: agents, operators and `/readyz`.
import type { LoginNeed } from '../login/login-need.ts'

export interface UpstreamState {
  /** `idle` has not been asked for yet; `failed` is still tried, rarely. */
  readonly kind: 'idle' | 'starting' | 'ready' | 'restarting' | 'failed' | 'closed'
  /** Epoch milliseconds. */
  readonly since: number
  /** Since when it is not there, however often it was tried: of one that starts, that is down or has failed. Epoch milliseconds. */
  readonly awaySince?: number
  /** In our own words: agents read it, too. */
  readonly reason?: string
  /** The server's own last words. For operators: nobody knows what stands in them. */
  readonly said?: string
  /** What a person has to put right in the settings, as an instruction. */
  readonly remedy?: string
  /** How often it has failed since it last stayed up. */
  readonly failures?: number
  /** When it is tried again. */
  readonly retryAt?: number
  /** What a person has to do first. */
  readonly need?: LoginNeed
}

/** What changed: its tools, its state, or something to pass on to clients. */
export type UpstreamEvent =
  | { readonly kind: 'tools' }
  | { readonly kind: 'state' }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
