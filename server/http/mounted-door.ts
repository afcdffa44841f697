// The mounted door opens with the first request, because a serverless handler is made before anything may be awaited, and it
// answers in any case: a handler that throws is a blank page to whoever called.
import type { Result } from '../errors/result.ts'
import { refuse } from './refusal.ts'
import type { ServeFailure } from './serve.ts'

/** Answers a web request. */
export type Fetch = (request: Request) => Promise<Response>

interface MountedDoor {
  readonly fetch: Fetch
  /** Answers nothing any more. */
  close(): void
}

/**
 * A door that opens with its first request. Where that fails the next request tries again, because a database that was away
 * may be back; what is wrong is told to `tell` alone, unless it is about access.
 */
export function mountedDoor(
  open: () => Promise<Result<Fetch, ServeFailure>>,
  tell: (message: string) => void,
): MountedDoor {
  let opening: Promise<Fetch> | undefined
  let isClosed = false
  const begin = async (): Promise<Fetch> => {
    try {
      const opened = await open()
      if (opened.ok) return opened.value
      const { message, next } = opened.failure
      tell(`${message} ${next}`)
      return () => Promise.resolve(refuse({ status: 500, code: 'access-not-configured', message, next }))
    } catch (error) {
      opening = undefined
      tell(error instanceof Error ? error.message : String(error))
      return () => Promise.resolve(refuse(notStarted, { 'retry-after': '5' }))
    }
  }
  return {
    async fetch(request) {
      if (isClosed) return refuse(closed)
      const answer = await (opening ??= begin())
      // It may have been closed while it opened.
      return isClosed ? refuse(closed) : answer(request)
    },
    close: () => void (isClosed = true),
  }
}

const notStarted = {
  status: 503,
  code: 'not-started',
  message: 'This server could not start.',
  next: 'Its log says why. Send the request again in a few seconds.',
} as const

const closed = {
  status: 503,
  code: 'closing',
  message: 'This server is being closed.',
  next: 'Send the request again in a few seconds.',
} as const
