// Connections to PostgreSQL as Kysely wants them, with what `pg` leaves to its user: 64-bit integers as numbers (ours are
// epoch milliseconds and counts), statements that are parsed once for each connection, a transaction that does not wait
// for its `begin`, and the patience that a server which is being restarted needs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Pool, types as pgTypes, type PoolClient } from 'pg'
import { connectionOn } from './connection.ts'
import { isAbsence, StoreAway } from './loss.ts'
import { createStatementNames } from './statement-names.ts'

interface PoolOptions {
  readonly address: string
  /** At most so many connections. */
  readonly connections: number
  /** How long a call waits for a connection while nobody gets one, in milliseconds. */
  readonly patienceMs: number
}

const INT8 = 20

/** Sixteen digits and more would come back as another number. */
const toNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`The database holds ${text}, which is no number of ours.`)
  return value
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? toNumber : (pgTypes.getTypeParser(oid, format) as (text: string) => unknown),
}

interface WaitingPool extends PostgresPool {
  /** When nobody uses a connection or waits for one. */
  idle(): Promise<void>
}

/** A pool that comes back by itself after the server has been away. */
export const createPool = ({ address, connections, patienceMs }: PoolOptions): WaitingPool => {
  const pool = new Pool({
    connectionString: address,
    types,
    max: connections,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: true,
    application_name: 'countersign',
    // A process that hangs with a lock in its hand must not stop all the others for ever.
    idle_in_transaction_session_timeout: 60_000,
  })
  // A connection that breaks while nobody uses it is only removed; without a listener it would end the process.
  pool.on('error', () => undefined)
  // One that breaks while it is used fails its statement, which says so; this event says it once more.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const nameOf = createStatementNames()
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  let ending: Promise<void> | undefined
  let inUse = 0
  const whenIdle: (() => void)[] = []
  const letGo = (): void => {
    if (--inUse > 0) return
    for (const tell of whenIdle.splice(0)) tell()
  }
  const idle = (): Promise<void> => (inUse === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve)))

  /** When somebody was given a connection. The server is there, then, and who waits longer is only one of many. */
  let given = 0
  const take = async (): Promise<PoolClient> => {
    const asked = performance.now()
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      try {
        const client = await pool.connect()
        given = performance.now()
        return client
      } catch (error) {
        // Nothing was sent yet, so whoever waits has lost nothing but time.
        if (!isAbsence(error)) throw error
        const deadline = Math.max(asked, given) + patienceMs
        if (ending !== undefined || performance.now() + pause > deadline) throw new StoreAway('none', error)
      }
      await sleep(pause * (0.5 + Math.random()))
    }
  }

  return {
    options: pool.options,
    connect: async () => {
      inUse++
      try {
        const client = await take()
        const known = wrapped.get(client) ?? connectionOn(client, nameOf, letGo)
        wrapped.set(client, known)
        return known
      } catch (error) {
        letGo()
        throw error
      }
    },
    idle,
    // `pg` forgets who still waits for a connection when a pool ends.
    end: () => (ending ??= idle().then(() => pool.end())),
  }
}
