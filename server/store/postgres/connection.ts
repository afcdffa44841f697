// One connection as Kysely uses it. It knows whether it stands in a transaction, and so what a loss means; it names its
// statements; it sends `begin` together with the statement that follows, for each wait is a whole way to the server and
// back; and whatever writes through it is on disk when it is answered, however the server is tuned (ADR 22).
import type { PostgresPoolClient } from 'kysely'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { codeOf, isLoss, StoreAway } from './loss.ts'

/**
 * In front of a statement in a transaction: nobody needs its answer before the commit's. It is sent at once and not
 * awaited, which spares a round trip to the server; where it fails, what is awaited next fails with its error, at the
 * latest the commit.
 */
export const UNAWAITED = '/*unawaited*/'

/** In front of a statement in a transaction: it is sent at once, and its answer fetched later, by one `FETCH_ANSWER`. */
export const SENT_AHEAD = '/*sent ahead*/'

/** Instead of a statement: answers what the first statement was answered that was sent ahead and not fetched yet. */
export const FETCH_ANSWER = '/*fetch answer*/'

/** Statements on data answer within this time or never, in milliseconds. */
const PATIENCE_MS = 60_000
/** A migration or a vacuum of a large table may take long. */
const LONG_PATIENCE_MS = 60 * 60_000

/**
 * With `synchronous_commit` off a crash of the server takes back what it has answered: a claim, and the plan runs again.
 * Asked in each transaction, not once for the connection: behind a pooler the next one is on another. Levels above `on`
 * wait for more, and stay. Warnings are asked for too: one of them says that a commit is not on its standby (`CUT_OFF_BY`). It is
 * a text of its own because it is parsed once for each connection.
 */
const DURABLE = `select
  case when current_setting('synchronous_commit') not in ('on', 'remote_apply') then set_config('synchronous_commit', 'on', true) end,
  case when current_setting('client_min_messages') = 'error' then set_config('client_min_messages', 'warning', true) end`

/**
 * A role or a database may have another level by default, and DURABLE is a statement: with one picture for all of a
 * transaction, what waits for a lock would go on with what it had seen before the wait (ADR 14).
 */
const BEGIN = 'begin isolation level read committed'

/**
 * What warns that the wait of a commit for its synchronous standby was cancelled: PostgreSQL then answers with success. Known by
 * its function, for its words are in the server's language and its code is that of all warnings (01000).
 */
const CUT_OFF_BY = 'SyncRepWaitForLSN'

/** A statement that may write, outside of a transaction. */
const writes = /^(?:insert|update|delete|with)\b/

const onData = /^(?:select|insert|update|delete|with|begin|start|commit|rollback)\b/

/** The connection for Kysely. `nameOf` names the statements to prepare. */
export const connectionOn = (
  client: PoolClient,
  nameOf: (sql: string) => string | undefined,
  onRelease: () => void,
): PostgresPoolClient => {
  let inTransaction = false
  let isGathering = false
  let planOutdated = false
  /** Statements of the transaction whose answers are not awaited before its commit. */
  let unawaited: Promise<unknown>[] = []
  /** Answers to statements that were sent ahead, in the order of these. */
  let answers: Promise<QueryResult>[] = []
  /** The first error of a transaction: what follows only hears that it is broken (25P02). */
  let firstError: unknown
  /** The warning of the last commit, where its wait was cancelled. */
  let cutOff: Error | undefined
  client.on('notice', ({ routine, message }) => {
    if (routine === CUT_OFF_BY) cutOff = new Error(message)
  })

  /** Statements that are sent without waiting for each other leave in one write: a write costs more than a statement. */
  const gatherWrites = (): void => {
    if (isGathering) return
    isGathering = true
    const { stream } = client.connection
    stream.cork()
    process.nextTick(() => {
      isGathering = false
      stream.uncork()
    })
  }

  const send = (text: string, values: readonly unknown[], name: string | undefined): Promise<QueryResult> => {
    const query_timeout = onData.test(text) ? PATIENCE_MS : LONG_PATIENCE_MS
    gatherWrites()
    const config = { name, text, values: values.map(storable), query_timeout }
    return text === 'commit' ? sendCommit(config) : client.query(config)
  }

  const sendCommit = async (config: QueryConfig): Promise<QueryResult> => {
    cutOff = undefined
    const answer = await client.query(config)
    if (cutOff !== undefined) throw new StoreAway('unknown', cutOff, 'PostgreSQL did not wait for its standby')
    return answer
  }

  /** Sends without awaiting: where it fails, the statement behind it fails, too. */
  const sendAhead = (text: string, name: string | undefined): void => void send(text, [], name).catch(() => undefined)

  /** The four are sent without waiting: it is one round trip. */
  const sendDurably = async (text: string, values: readonly unknown[], name: string | undefined) => {
    sendAhead(BEGIN, undefined)
    sendAhead(DURABLE, 'countersign_durable')
    const [answer, commit] = await Promise.allSettled([send(text, values, name), send('commit', [], undefined)])
    if (answer.status === 'rejected') throw answer.reason
    if (commit.status === 'rejected') throw commit.reason
    return answer.value
  }

  const run = async (sql: string, parameters: readonly unknown[]) => {
    const name = planOutdated ? undefined : nameOf(sql)
    const sendOne = !inTransaction && writes.test(sql) ? sendDurably : send
    try {
      return await sendOne(sql, parameters, name)
    } catch (error) {
      if (!isPlanOutdated(error) || name === undefined) throw error
      // Another process has just migrated, and a prepared `select *` means something else now.
      planOutdated = true
      // The transaction is taken back as a whole, and the next connection knows better.
      if (inTransaction) throw new StoreAway('none', error)
      return await sendOne(sql, parameters, undefined)
    }
  }

  const query = async (sql: string, parameters: readonly unknown[] = []) => {
    if (sql === 'begin' || sql.startsWith('start transaction')) {
      inTransaction = true
      firstError = undefined
      sendAhead(sql === 'begin' ? BEGIN : sql, undefined)
      if (!sql.includes('read only')) sendAhead(DURABLE, 'countersign_durable')
      return nothing
    }
    if (inTransaction && sql.startsWith(UNAWAITED)) {
      unawaited.push(run(sql.slice(UNAWAITED.length), parameters).then(noError, (error: unknown) => error))
      return nothing
    }
    if (inTransaction && sql.startsWith(SENT_AHEAD)) {
      const answer = run(sql.slice(SENT_AHEAD.length), parameters)
      answer.catch(() => undefined)
      answers.push(answer)
      return nothing
    }
    // What failed behind a savepoint is over with it; had something failed before, there would be no savepoint.
    if (sql.startsWith('rollback to ')) [firstError, unawaited] = [undefined, []]
    const certain = inTransaction && sql !== 'commit'
    if (sql === 'commit' || sql === 'rollback') inTransaction = false
    const before = sql === 'rollback' ? [] : unawaited
    if (!inTransaction) [unawaited, answers] = [[], []]
    try {
      const answer =
        sql === FETCH_ANSWER
          ? await answers.shift()
          : await run(sql.startsWith(UNAWAITED) ? sql.slice(UNAWAITED.length) : sql, parameters)
      if (answer === undefined) throw new Error('There is no answer left of a statement that was sent ahead.')
      for (const trouble of await Promise.all(before)) if (trouble !== undefined) throw trouble
      return answer
    } catch (given) {
      // What failed first is why all that follows fails.
      const troubles = await Promise.all(before)
      const error =
        codeOf(given) === '25P02' ? (firstError ?? troubles.find(Boolean) ?? given) : (troubles.find(Boolean) ?? given)
      firstError ??= error
      if (!isLoss(error)) throw error
      // A transaction whose connection is gone is rolled back, and its own error must not be hidden by this one.
      if (sql === 'rollback') return nothing
      throw new StoreAway(certain ? 'none' : 'unknown', error)
    }
  }

  const connection: { readonly query: unknown; release(destroy?: boolean): void } = {
    query,
    release: (destroy) => {
      client.release(destroy === true || planOutdated || inTransaction)
      onRelease()
    },
  }
  // The driver's interface lets the caller name the row's type; what comes from our tables is parsed by its reader.
  return connection as PostgresPoolClient
}

const noError = (): undefined => undefined

const nothing = { command: 'SELECT', rowCount: 0, rows: [] }

const isPlanOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')

/** PostgreSQL has no NUL in its texts; SQLite gives it back, and a log of both reads alike without it. */
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
