// What the life of a server's connection needs of the one who owns it.
import type { ServerLogin } from '../login/server-login.ts'
import type { ServerConfig } from '../settings/upstream-config.schema.ts'
import type { SeenClient } from './downstream-client.ts'

export interface LifecycleOptions {
  /** Our own version, told to the server. */
  readonly version: string
  readonly now: () => number
  /** Pause before the first restart, doubled each time up to the last. */
  readonly backoff: { readonly firstMs: number; readonly maxMs: number }
  /** After so many failures in a row it counts as failed. */
  readonly giveUpAfter: number
  /** Who stayed up so long has recovered. */
  readonly stableAfterMs: number
  /** Who answers the servers' own requests, where there is one; asked at each start. */
  readonly client?: (server: string) => SeenClient | undefined
  /** The login of a server, where it can have one. */
  readonly login?: (server: string, config: ServerConfig) => ServerLogin | undefined
  /** Where errors of those who listen go; they never reach the upstream's own life. */
  readonly report?: (error: unknown, where: string) => void
}

export const defaultLifecycle: Omit<LifecycleOptions, 'version' | 'now'> = {
  backoff: { firstMs: 500, maxMs: 60_000 },
  giveUpAfter: 5,
  stableAfterMs: 10_000,
}
