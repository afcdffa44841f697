// Lines of a log that belong to one request have to be found again among those of all the others, however deep in the
// code they were written. What belongs together is carried by the asynchronous context, so no function hands it on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

const current = new AsyncLocalStorage<string>()
// Different in every process, so that the lines of several can stand in one file.
const prefix = randomBytes(5).toString('hex')
let count = 0

/** The id of the request that is being answered here, where there is one. */
export const requestId = (): string | undefined => current.getStore()

/** Does the work as part of this request; under a new id where none is given and none is known. */
export const asRequest = <T>(work: () => T, id?: string): T =>
  current.run(id ?? current.getStore() ?? `rq_${prefix}${(count += 1).toString(36)}`, work)

/** An id that a proxy has given, if it is one that can stand in a line of a log. */
export const readRequestId = (given: string | null | undefined): string | undefined =>
  given !== null && given !== undefined && /^[\w.:-]{1,100}$/.test(given) ? given : undefined
