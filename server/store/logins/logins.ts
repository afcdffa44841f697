// Logins at servers behind. A refresh token that is used a second time ends the login at a careful authorization server
// (RFC 9700, section 4.14.2), so of all processes on this database one refreshes at a time. It asks another machine meanwhile,
// which no transaction should wait for: its turn is a mark with an end in the row.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Login, LoginKey, LoginStore } from '../../model/logins.ts'
import { bytes, epoch } from '../plan-row.ts'
import { retryOnConnectionLoss } from '../retry-on-connection-loss.ts'
import type { StoreParts } from '../tables.ts'
import { exactOptional } from '../../exact-optional.ts'

const loginRow = z.object({
  /** A digest of server and address: an address may hold a secret. */
  id: z.string(),
  /** JSON, sealed. */
  login: bytes,
  /** Who refreshes it, until when. */
  held_by: z.string().nullable(),
  held_until: epoch,
})

export type LoginTable = z.infer<typeof loginRow>

const content = z.object({
  server: z.string(),
  address: z.string(),
  at: z.number(),
  issuer: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  client: z.object({ id: z.string(), secret: exactOptional(z.string()), method: exactOptional(z.string()) }),
  privateNetwork: z.boolean(),
  resource: exactOptional(z.string()),
  scope: exactOptional(z.string()),
  tokens: exactOptional(
    z.object({
      access: z.string(),
      expiresAt: exactOptional(z.number()),
      since: z.number(),
      refresh: exactOptional(z.string()),
    }),
  ),
})

const idOf = ({ server, address }: LoginKey): string =>
  createHash('sha256')
    .update(JSON.stringify([server, address]))
    .digest('hex')

/** The logins of one database. */
export const createLogins = ({ db, sealer, now }: StoreParts): LoginStore => {
  const sealed = (id: string, login: Login): Uint8Array => sealer.seal(id, 'login', JSON.stringify(login))
  const read = (row: unknown): Login => {
    const { id, login } = loginRow.parse(row)
    return content.parse(JSON.parse(sealer.open(id, 'login', login)))
  }
  const rows = () => db.selectFrom('countersign_logins').selectAll()
  return {
    find: async (key) => {
      const row = await rows().where('id', '=', idOf(key)).executeTakeFirst()
      return row === undefined ? undefined : read(row)
    },
    all: async () => (await rows().execute()).map(read),
    put: async (login) => {
      const id = idOf(login)
      const row = { login: sealed(id, login), held_by: null, held_until: 0 }
      await retryOnConnectionLoss(() =>
        db
          .insertInto('countersign_logins')
          .values({ id, ...row })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute(),
      )
    },
    take: (key, owner, forMs) =>
      retryOnConnectionLoss(async () => {
        const at = now()
        const { numUpdatedRows } = await db
          .updateTable('countersign_logins')
          .set({ held_by: owner, held_until: at + forMs })
          .where('id', '=', idOf(key))
          // A turn that would last far longer than any turn was taken by a clock that has been turned back since. Only far
          // longer: whoever looked at the clock before the other process did, and writes after it, sees one a little longer.
          .where((is) =>
            is.or([is('held_until', '<=', at), is('held_by', '=', owner), is('held_until', '>', at + 2 * forMs)]),
          )
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    giveBack: async (key, owner, login) => {
      const id = idOf(key)
      const given = { held_by: null, held_until: 0 }
      const row = login === undefined ? given : { ...given, login: sealed(id, login) }
      const write = async (): Promise<boolean> => {
        const { numUpdatedRows } = await db
          .updateTable('countersign_logins')
          .set(row)
          .where('id', '=', id)
          .where('held_by', '=', owner)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }
      // Written, and its answer lost: the second time the turn is nobody's any more.
      return retryOnConnectionLoss(async (again) => (await write()) || (again && (await isKept(login, key))))
    },
    remove: async (key) => {
      const { numDeletedRows } = await db
        .deleteFrom('countersign_logins')
        .where('id', '=', idOf(key))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }

  async function isKept(login: Login | undefined, key: LoginKey): Promise<boolean> {
    const row = await rows().where('id', '=', idOf(key)).executeTakeFirst()
    return login === undefined || (row !== undefined && isDeepStrictEqual(read(row), login))
  }
}
