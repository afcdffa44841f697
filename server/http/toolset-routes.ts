// Addresses that toolsets have at the web door. What host they are asked by, and who asks where callers are meant, is found
// out here, as for tools; what the address gives is the toolset's.
import type { ServerResponse } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Engine } from '../rail/engine.ts'
import { missingOf } from '../rail/authorize/missing-permissions.ts'
import type { Identify } from '../mcp/identity.ts'
import type { RouteVisitor, ToolsetRoute } from '../toolsets/toolset.ts'
import { addressOf } from './address-of.ts'
import { refuseSender } from './refusal.ts'

export interface ToolsetRoutesOptions {
  readonly routes: readonly ToolsetRoute[]
  readonly identify: Identify
  readonly engine: Pick<Engine, 'missingPermissions'>
  /** Where people reach this server, as a proxy in front of it spells it. */
  readonly publicUrl?: string | undefined
}

/** The app with all of them. `guard`: lets callers through where they have no credentials of their own. */
export function createToolsetRoutes(
  { routes, identify, engine, publicUrl }: ToolsetRoutesOptions,
  guard: MiddlewareHandler,
): Hono {
  const app = new Hono()
  for (const route of routes) {
    const paths = [route.path, `${route.path}/*`]
    if (route.open === 'anyone') {
      for (const path of paths)
        app.all(path, (c) => route.handle(c.req.raw, { address: addressOf(c, publicUrl), ...endOf(c.env) }))
      continue
    }
    for (const path of paths) {
      app.all(path, guard, async (c) => {
        const identified = await identify(c.req.raw)
        if (!identified.ok) return refuseSender(identified.failure)
        const { principal } = identified.value
        return route.handle(c.req.raw, {
          principal,
          missing: (asked) => missingOf(engine, identified.value, asked),
        })
      })
    }
  }
  return app
}

/** How the connection of a request is ended, where Node has one. */
function endOf(env: unknown): Pick<RouteVisitor, 'breakOff'> {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: ServerResponse }
  return outgoing === undefined ? {} : { breakOff: () => void outgoing.destroy() }
}
