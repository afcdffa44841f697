// A server that changes what its tool says of itself does not change what agents may call: the change waits here until
// an operator has read it. It concerns every tenant, so it takes an admin of all of them.
import { Hono } from 'hono'
import { z } from 'zod'
import type { Shelf } from '../call/shelf.ts'
import { readBody, refuseOperator } from './operator-input.ts'
import { requireRole, type OperatorEnv } from './operator.ts'

const acceptBody = z.strictObject({
  digest: z.string('the digest of the change that was read').regex(/^[0-9a-f]{64}$/, 'the digest of the change'),
})

export interface DefinitionsApiOptions {
  readonly shelf: Pick<Shelf, 'changes' | 'accept'>
}

/** The app below `/api/v1/definitions`. */
export function createDefinitionsApi({ shelf }: DefinitionsApiOptions): Hono<OperatorEnv> {
  return new Hono<OperatorEnv>()
    .get('/', async (c) => c.json({ changes: await shelf.changes() }))
    .post('/:server/:tool/accept', requireRole('admin'), async (c) => {
      if (c.var.operator.tenant !== undefined)
        return refuseOperator(403, {
          code: 'forbidden',
          message: 'A definition counts for every tenant, and you are an admin of one.',
          next: 'An admin of all tenants accepts it.',
        })
      const read = await readBody(c, acceptBody)
      if (!read.ok) return read.response
      const { server, tool } = c.req.param()
      if (await shelf.accept(server, tool, read.value.digest)) return c.json({ accepted: true, server, tool })
      return refuseOperator(409, {
        code: 'not-waiting',
        message: `No such change of ${server}:${tool} waits: it was accepted, taken back, or has changed once more.`,
        next: 'Read it again, then accept what you have read.',
      })
    })
}
