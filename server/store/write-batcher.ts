// A transaction costs more than what is written in it: a lock, a commit, on PostgreSQL four ways to the server. So what
// waits to be written is written together, steps of plans and rows of the activity log alike, and each still hears its own
// answer. One wait for the disk is shared by all of a batch.
import type { CompiledQuery, QueryResult, Transaction } from 'kysely'
import type { ChainTransaction } from './activity/write/chain-transaction.ts'
import { SetBack } from './activity/chain/last-seen.ts'
import { isStoreAway } from '../model/store-away.ts'
import { runTogether } from './dialect-locks.ts'
import { asUnknown, StoreAway } from './postgres/loss.ts'
import { isBusy } from './sqlite/busy.ts'
import type { Tables } from './tables.ts'

/** One try of a transaction. */
interface Attempt {
  /** It may have been done before, by a transaction whose answer was lost. */
  readonly again: boolean
  /** To be told where something is another thing afterwards: the commit of no change waits for no disk. */
  readonly changed: () => void
}

/**
 * What one transaction does. `enter` locks the log, at most once, and takes steps into it; whatever else is locked must be
 * so before: two transactions that lock in different orders wait for each other.
 */
export type InLog<R> = (
  trx: Transaction<Tables>,
  enter: <S>(steps: (tx: ChainTransaction) => Promise<S>, ids?: readonly string[]) => Promise<S>,
  how: Attempt,
) => Promise<R>

/** Runs one transaction; `durable`: it waits for the disk. */
export type Transact = <R>(durable: boolean, work: InLog<R>) => Promise<R>

/** `durable`: it waits for the disk. `soon`: at once. `idle`: with the next one that comes, or in a moment. */
type How = 'durable' | 'soon' | 'idle'

/** What a step writes beside the log, and the name of what it locks: steps lock in the order of these names. */
interface Beside<R> {
  readonly lock: string
  /** Its first statement, which is sent together with those of other steps. */
  readonly statement?: (() => CompiledQuery) | undefined
  /** `answer`: to its first statement. */
  readonly write: (trx: Transaction<Tables>, how: Attempt, answer: QueryResult<unknown>) => Promise<R>
}

/** A step whose first statement decides: it is sent together with those of other steps. */
export const startingWith = <Row, R>(
  lock: string,
  statement: () => CompiledQuery<Row>,
  write: (trx: Transaction<Tables>, how: Attempt, answer: QueryResult<Row>) => Promise<R>,
): Beside<R> => ({
  lock,
  statement,
  // It is the answer to this statement.
  write: (trx, how, answer) => write(trx, how, answer as QueryResult<Row>),
})

/**
 * One of the steps that share a transaction. It may be taken again, in a new transaction, where the first one was taken
 * back: what it writes must say whether it was written before.
 */
export interface WriteStep<R, P = undefined> {
  readonly how: How
  /** Called once, when its turn has come and before anything is locked for it. */
  readonly prepare?: () => P
  /** What it writes beside the log. */
  readonly beside?: Beside<R>
  /** Its entries in the log; `written` is what `beside` answered. Answers what the step answers. */
  readonly entries?: (
    tx: ChainTransaction,
    prepared: P,
    facts: Pick<Attempt, 'again'> & { readonly written: R | undefined },
  ) => Promise<R>
  /** The row that it is about, where there is one already. */
  readonly row?: string
}

export interface WriteBatcher {
  /** Takes one step, in the order in which they come. Rejects with its own error; the others are not concerned. */
  readonly write: <R, P = undefined>(step: WriteStep<R, P>) => Promise<R>
  /** Waits for all that was handed in before. */
  readonly settled: () => Promise<void>
}

interface Waiting {
  readonly durable: boolean
  readonly row: string | undefined
  readonly lock: string | undefined
  readonly hasEntries: boolean
  prepare(): void
  /** The first statement beside the log, where it has one. */
  statement(): CompiledQuery | undefined
  besideLog(trx: Transaction<Tables>, how: Attempt, answer: QueryResult<unknown>): Promise<void>
  inLog(tx: ChainTransaction, how: Attempt): Promise<void>
  answer(): void
  refuse(error: unknown): void
}

/** How long an idle step waits for company, in milliseconds. */
const IDLE_FLUSH_MS = 5

/** So many steps share a transaction at most: a watcher of the log should not wait for hundreds. */
const MAX_BATCH = 64

export function createWriteBatcher(transact: Transact): WriteBatcher {
  const line: Waiting[] = []
  let draining = false
  let moment: NodeJS.Timeout | undefined

  function begin(): void {
    clearTimeout(moment)
    moment = undefined
    if (draining) return
    draining = true
    // Whoever has something to write in this turn of the loop has said so by the end of it.
    setImmediate(() => void drain())
  }

  async function drain(): Promise<void> {
    while (line.length > 0) {
      const batch = line.splice(0, MAX_BATCH).filter(isReady)
      const behind = line.length
      const trouble = await take(batch, false)
      // They have waited for it as long, and would wait as long again for each batch before theirs.
      if (trouble !== undefined) for (const each of line.splice(0, behind)) each.refuse(untried(trouble.error, false))
      // On SQLite all of it happens in one turn of the loop, in which nobody else is heard.
      if (line.length > 0) await new Promise((resume) => setImmediate(resume))
    }
    draining = false
  }

  function isReady(each: Waiting): boolean {
    try {
      each.prepare()
      return true
    } catch (error) {
      each.refuse(error)
      return false
    }
  }

  /**
   * Answers what the database says to all alike, where that is why nothing was written. `before`: a transaction with these
   * steps may have been committed.
   */
  async function take(batch: readonly Waiting[], before: boolean): Promise<{ readonly error: unknown } | undefined> {
    // Who only waits for what came before needs no transaction.
    if (batch.every(({ hasEntries, lock }) => !hasEntries && lock === undefined)) {
      for (const each of batch) each.answer()
      return undefined
    }
    let again = before
    try {
      await transact(
        batch.some(({ durable }) => durable),
        async (trx, enter, how) => {
          again ||= how.again
          const attempt = { ...how, again }
          const steps = inLockOrder(batch).map((each) => ({ each, statement: each.statement() }))
          const answers = await runTogether(
            trx,
            steps.flatMap(({ statement }) => statement ?? []),
          )
          let next = 0
          for (const { each, statement } of steps)
            await each.besideLog(trx, attempt, (statement && (await answers[next++]?.())) ?? noAnswer)
          const logged = batch.filter(({ hasEntries }) => hasEntries)
          if (logged.length === 0) return
          await enter(
            async (tx) => {
              for (const each of logged) await each.inLog(tx, attempt)
            },
            batch.flatMap(({ row }) => row ?? []),
          )
        },
      )
      for (const each of batch) each.answer()
      return undefined
    } catch (error) {
      if (isStoreAway(error) || isBusy(error)) {
        for (const each of batch) each.refuse(again && isStoreAway(error) ? asUnknown(error) : error)
        return { error }
      }
      // Nothing of it was written. One bad step must not cost the others; in a log that was set back each one with entries
      // is bad.
      let trouble: { readonly error: unknown } | undefined
      for (const each of batch)
        if (batch.length === 1 || (error instanceof SetBack && each.hasEntries)) each.refuse(error)
        else if (trouble === undefined) trouble = await take([each], again)
        else each.refuse(untried(trouble.error, again))
      return trouble
    }
  }

  return {
    write: <R, P>({ how, prepare, beside, entries, row }: WriteStep<R, P>) =>
      new Promise<R>((resolve, reject) => {
        let prepared: { readonly value: P } | undefined
        let written: R | undefined
        line.push({
          durable: how === 'durable',
          row,
          lock: beside?.lock,
          hasEntries: entries !== undefined,
          prepare: () => {
            // Without `prepare` it is `undefined`, as its type says.
            prepared ??= { value: prepare?.() as P }
          },
          statement: () => beside?.statement?.(),
          besideLog: async (trx, how, answer) => {
            written = await beside?.write(trx, how, answer)
          },
          inLog: async (tx, { again }) => {
            written = await entries?.(tx, prepared?.value as P, { again, written })
          },
          answer: () => resolve(written as R),
          refuse: reject,
        })
        if (how === 'idle') moment ??= draining ? undefined : setTimeout(begin, IDLE_FLUSH_MS)
        else begin()
      }),
    settled: () => {
      if (!draining && line.length === 0) return Promise.resolve()
      return new Promise((resolve) => {
        line.push({
          durable: false,
          row: undefined,
          lock: undefined,
          hasEntries: false,
          prepare: () => undefined,
          statement: () => undefined,
          besideLog: () => Promise.resolve(),
          inLog: () => Promise.resolve(),
          answer: resolve,
          refuse: () => resolve(),
        })
        begin()
      })
    },
  }
}

const noAnswer: QueryResult<unknown> = { rows: [] }

/** What a step hears that was not tried any more; `before`: it may have been written by an earlier transaction. */
const untried = (error: unknown, before: boolean): unknown =>
  isStoreAway(error) ? new StoreAway(before ? 'unknown' : 'none', error.cause) : error

/** In the order in which they came, but that what is locked is locked in the order of its names (PostgreSQL, ADR 14). */
const inLockOrder = (batch: readonly Waiting[]): readonly Waiting[] =>
  batch
    .filter(({ lock }) => lock !== undefined)
    .toSorted(({ lock: one = '' }, { lock: other = '' }) => (one < other ? -1 : one > other ? 1 : 0))
