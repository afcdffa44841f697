// What passes through a gateway is no tool: resources, prompts, completions, notifications. Here the servers behind and
// whoever listens to them become the one passage that the protocol's door knows.
import type { DownstreamClient } from '../gateway/upstream/connection/downstream-client.ts'
import { createSubscriptions } from '../gateway/upstream/connection/subscriptions.ts'
import { createPassage, has } from '../gateway/passthrough/passthrough.ts'
import type { Pool } from '../gateway/upstream/pool.ts'
import { toldBy } from '../gateway/upstream/definitions/upstream-instructions.ts'
import type { Views } from '../gateway/passthrough/views.ts'
import type { Passage } from '../mcp/front.ts'

/** Everything that passes, and who hears of it. */
export function passageOf(
  pool: Pool,
  views: Views,
  open: (client: DownstreamClient | undefined) => Promise<void>,
  listable: () => Promise<void>,
  report: (error: unknown, where: string) => void,
): Passage & { stop(): void; noticed(): readonly string[] } {
  const passage = createPassage(pool, views, report)
  const subscriptions = createSubscriptions(pool, views, passage.ownersOf, report)
  const any = (what: Parameters<typeof has>[1]): boolean => pool.upstreams.some((upstream) => has(upstream, what))
  return {
    ...passage,
    ...subscriptions,
    open,
    listable,
    abilities: () => ({
      prompts: any('prompts'),
      completions: any('completions'),
      logging: any('logging'),
      subscriptions: pool.upstreams.some((upstream) => upstream.capabilities().resources?.subscribe === true),
    }),
    instructions: () => toldBy(pool),
    notify: (method) => pool.upstreams.forEach((upstream) => upstream.notify(method)),
  }
}
