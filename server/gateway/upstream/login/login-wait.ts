// A server wants a login: what it has said is asked of our own database every few seconds, and of the server itself ever more
// rarely, because it may be the one that is wrong, and most likely is not.
import type { LoginNeed } from './login-need.ts'
import type { ServerLogin } from './server-login.ts'

/** How soon a login in another process is seen, in milliseconds. */
const seenWithinMs = 3000

/** So often the pause before the server is asked again is doubled: from a minute to an hour. */
const rarest = 6

interface LoginWaitParts {
  readonly login: ServerLogin | undefined
  /** Asks the server again. */
  readonly tryAgain: () => Promise<void>
  /** The first pause before the server is asked again, in milliseconds. */
  readonly firstMs: number
  readonly report: (error: unknown) => void
}

/** Waits for a person to log in, in whatever process. */
export function createLoginWait({ login, tryAgain, firstMs, report }: LoginWaitParts) {
  let looking: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined
  /** In a row. */
  let refusals = 0
  let current: LoginNeed | undefined

  function stop(): void {
    current = undefined
    clearTimeout(looking)
    clearTimeout(asking)
  }

  /** Whether somebody has logged in since; not, where our own database does not answer. */
  async function isMet(need: LoginNeed): Promise<boolean> {
    try {
      return (await login?.isMet(need)) === true
    } catch (error) {
      report(error)
      return false
    }
  }

  async function look(need: LoginNeed): Promise<void> {
    const met = await isMet(need)
    if (current !== need) return
    if (met) await tryAgain()
    else later(need)
  }

  const later = (need: LoginNeed): void => void (looking = setTimeout(() => void look(need), seenWithinMs).unref())

  return {
    /** Until it is stopped. */
    wait(need: LoginNeed): void {
      stop()
      current = need
      if (login !== undefined) later(need)
      asking = setTimeout(() => void tryAgain(), firstMs * 2 ** Math.min(refusals++, rarest)).unref()
    },
    stop,
    isMet,
    /** The server has taken a login: the next refusal is the first one again. */
    isOver: (): void => void (refusals = 0),
  }
}
