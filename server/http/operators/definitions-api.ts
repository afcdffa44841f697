// A server that changes what its tool says of itself does not change what agents may call: the change waits here until
// an operator has read it. It concerns every tenant, so it takes an admin of all of them.
import { Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { ContractViews } from '../../operators/contract-views.ts'
import type { Store } from '../../store/store.ts'
import { refuseApi } from '../refusal.ts'
import { beginBy, body } from './operator-input.ts'
import { requireRole, type OperatorEnv } from './operator.ts'

const acceptBody = z.strictObject({
  digest: z.string('the digest of the change that was read').regex(/^[0-9a-f]{64}$/, 'the digest of the change'),
})

interface DefinitionsApiOptions {
  readonly contractViews: Pick<ContractViews, 'changes' | 'accept'>
  readonly activityLog: Store['activityLog']
}

/** The app below `/api/v1/definitions`. */
export function createDefinitionsApi({ contractViews, activityLog }: DefinitionsApiOptions) {
  return new Hono<OperatorEnv>()
    .get('/', async (c) => c.json({ changes: await contractViews.changes() }))
    .post('/:server/:tool/accept', requireRole('admin'), everyTenant, body(acceptBody), async (c) => {
      const { server, tool } = c.req.param()
      const { digest } = c.req.valid('json')
      const end = await beginBy(c, activityLog, 'definition.accepted', undefined, { server, tool, digest })
      const accepted = await contractViews.accept(server, tool, digest)
      const refusal = { ...notWaiting, message: `No such change of ${server}:${tool} waits: ${notWaiting.message}` }
      await end({ done: accepted, error: accepted ? undefined : refusal })
      return accepted ? c.json({ accepted, server, tool }) : refuseApi(409, refusal)
    })
}

const everyTenant: MiddlewareHandler<OperatorEnv> = async (c, next) =>
  c.var.operator.tenant === undefined
    ? next()
    : refuseApi(403, {
        code: 'forbidden',
        message: 'A definition counts for every tenant, and you are an admin of one.',
        next: 'An admin of all tenants accepts it.',
      })

const notWaiting = {
  code: 'not-waiting',
  message: 'it was accepted, taken back, or has changed once more.',
  next: 'Read it again, then accept what you have read.',
}
