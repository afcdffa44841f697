// Calls that run at the same time ask the same short questions: which plan, whether changes are stopped, whether a lease still
// holds. Each on a connection of its own costs a write, a read, and a process of the server that is woken; on one that they
// share while anybody uses it, what is asked in one turn of the loop leaves in one write and is answered in order.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { isStoreAway } from '../../model/store-away.ts'

interface Shared {
  readonly client: Promise<PostgresPoolClient>
  users: number
}

/** A pool of one connection of this pool, taken while anybody uses it. For single statements that only read, and shortly. */
export function sharedReads(pool: PostgresPool): PostgresPool {
  let current: Shared | undefined
  return {
    options: pool.options,
    connect: async () => {
      const shared = (current ??= { client: pool.connect(), users: 0 })
      shared.users += 1
      /** Whoever comes now gets another one. */
      const leave = (): void => {
        if (current === shared) current = undefined
      }
      const client = await shared.client.catch((error: unknown) => {
        leave()
        throw error
      })
      const connection: { readonly query: unknown; release(destroy?: boolean): void } = {
        query: async (sql: string, parameters?: readonly unknown[]) => {
          try {
            return await client.query(sql, parameters ?? [])
          } catch (error) {
            if (isStoreAway(error)) leave()
            throw error
          }
        },
        release: () => {
          shared.users -= 1
          if (shared.users > 0) return
          leave()
          client.release()
        },
      }
      // As in `connection.ts`: the caller names the type of the rows.
      return connection as PostgresPoolClient
    },
    // It ends with the pool that its connection is of.
    end: () => Promise.resolve(),
  }
}
