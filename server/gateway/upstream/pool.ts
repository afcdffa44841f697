// All upstreams of one gateway. They start side by side, and none waits for another's trouble.
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayConfig } from './settings/upstream-config.schema.ts'
import type { LifecycleOptions } from './connection/lifecycle-options.ts'
import { createUpstream, type Upstream, type UpstreamEvent } from './upstream.ts'

export type Pool = ReturnType<typeof createPool>

/** Creates the upstreams of a configuration; nothing starts yet. */
export function createPool(config: Pick<GatewayConfig, 'servers'>, options: LifecycleOptions) {
  const upstreams = Object.entries(config.servers).map(([name, server]) => createUpstream(name, server, options))
  const byName = new Map(upstreams.map((upstream) => [upstream.name, upstream]))
  const startThese = async (which: readonly Upstream[]): Promise<void> => {
    await Promise.all(which.map((upstream) => upstream.start()))
  }
  return {
    upstreams,
    find: (server: string): Upstream | undefined => byName.get(server),
    /**
     * Starts those that are not lazy. Resolves when each is up or has failed once, or when the patience is over; who is up
     * later says so by its `tools` event.
     */
    start: async (patienceMs = 10_000): Promise<void> => {
      const starting = startThese(upstreams.filter((upstream) => upstream.config.start === 'eager'))
      await Promise.race([starting, sleep(patienceMs, undefined, { ref: false })])
    },
    /** Starts the lazy ones too. */
    startAll: (): Promise<void> => startThese(upstreams),
    listen(listener: (upstream: Upstream, event: UpstreamEvent) => void): () => void {
      const stops = upstreams.map((upstream) => upstream.listen((event) => listener(upstream, event)))
      return () => stops.forEach((stop) => stop())
    },
    close: async (): Promise<void> => {
      await Promise.all(upstreams.map((upstream) => upstream.close()))
    },
  }
}
