// Request ids, by which the lines of one request are found in the log however deep in the code they were written. The
// asynchronous context carries the id, so no function hands it on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

const current = new AsyncLocalStorage<string>()
// Different in every process, so that the logs of several can be in one file.
const prefix = randomBytes(5).toString('hex')
let count = 0

/** The id of the request that is being answered in this context, if any. */
export const requestId = (): string | undefined => current.getStore()

/** Runs `work` under this request id, or the one of the context, or a new one. */
export const asRequest = <T>(work: () => T, id?: string): T =>
  current.run(id ?? current.getStore() ?? `rq_${prefix}${(count += 1).toString(36)}`, work)

/** A request id that a proxy sent, if it may be written to a log. */
export const readRequestId = (given: string | null | undefined): string | undefined =>
  given !== null && given !== undefined && /^[\w.:-]{1,100}$/.test(given) ? given : undefined
