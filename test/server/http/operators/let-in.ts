// For tests of one part of the operators' API by itself: who asks is settled, so nobody has to sign in.
import type { MiddlewareHandler } from 'hono'
import type { OperatorEnv } from '../../../../server/http/operators/operator.ts'

/** A guard that takes everybody for one viewer of this tenant; of every tenant where it is `undefined`. */
export const letViewerIn =
  (tenant: string | undefined): MiddlewareHandler<OperatorEnv> =>
  async (c, next) => {
    const roles = [{ kind: 'viewer' }] as const
    c.set('operator', { id: 'op_1', name: 'Mia', via: 'session', tenant, roles, subjects: [] })
    await next()
  }
