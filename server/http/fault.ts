// What a client is told of what nobody expected: that it happened, and whether something may have changed by it.
import type { ErrorHandler } from 'hono'
import { isStoreAway } from '../model/store-away.ts'
import { refuse } from './refusal.ts'

/** Answers an error that no handler expected; `tell` is told of it. */
export const answerFault =
  (tell?: (error: unknown) => void): ErrorHandler =>
  (error, c) => {
    tell?.(error)
    if (isStoreAway(error))
      return refuse({
        status: 503,
        code: 'store-unavailable',
        message:
          // That this statement did nothing says nothing of those before it.
          error.effect === 'none' && ['GET', 'HEAD'].includes(c.req.method)
            ? 'The server cannot reach its database; nothing was changed.'
            : 'The server lost its database before it had the answer; what was asked may have happened, in part or whole.',
        next: 'Wait a moment, look at the present state before you repeat anything, and repeat what is missing.',
      })
    return refuse({
      status: 500,
      code: 'internal',
      message: 'The server met a fault of its own.',
      next: 'Its log has the details; a plan that was being applied keeps its recorded outcome.',
    })
  }
