// What passes through a gateway is no tool: resources, prompts, completions, notifications. This joins
// the upstreams and the clients that listen to them into the one `Passthrough` that the MCP door is given.
import type { DownstreamClient } from '../upstream/connection/downstream-client.ts'
import type { Pool } from '../upstream/pool.ts'
import { createResourcesAndPrompts, has } from './resources-and-prompts.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { Views } from './views.ts'

/**
 * Everything that passes, and who hears of it. `open` starts the servers, for this client where there is only one, and
 * tells them what it can do; it resolves once they are up or have failed, or when patience is over. `listable` resolves
 * once there is something to list, or when patience is over.
 */
export function createPassthrough(
  pool: Pool,
  views: Views,
  open: (client: DownstreamClient | undefined) => Promise<void>,
  listable: () => Promise<void>,
  { report, warn }: { report: (error: unknown, where: string) => void; warn: (sentence: string) => void },
) {
  const contents = createResourcesAndPrompts(pool, views, warn)
  const any = (what: Parameters<typeof has>[1]): boolean => pool.upstreams.some((upstream) => has(upstream, what))
  return {
    ...contents,
    ...createSubscriptions(pool, views, contents.ownersOf, report),
    open,
    listable,
    /** What the servers behind can, as far as they have said so yet. */
    abilities: () => ({
      prompts: any('prompts'),
      completions: any('completions'),
      // We write messages of our own: which server goes away, and which is back.
      logging: true,
      subscriptions: pool.upstreams.some((upstream) => upstream.capabilities().resources?.subscribe === true),
    }),
    /** Tells the servers behind something that asks for no answer. */
    notify: (method: string): void => pool.upstreams.forEach((upstream) => upstream.notify(method)),
  }
}
