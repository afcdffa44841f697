// Bounds how many calls or runs go on at the same time, at an upstream or in a database. Others wait in the order in which
// they came; one whose caller gives up waits no longer.

/** At most `limit` at a time, first come, first served. */
export function createSemaphore(limit: number) {
  let free = limit
  const line = new Set<() => void>()

  function release(): void {
    const [next] = line
    if (next === undefined) free++
    else {
      line.delete(next)
      next()
    }
  }

  /** Each slot is given back once, however often its holder says so. */
  function slot(): () => void {
    let held = true
    return () => {
      if (held) release()
      held = false
    }
  }

  /**
   * Waits for a free slot. Answers how to give it back, or `undefined` where the caller gave up or waited too long, if it may
   * do either.
   */
  async function take(signal?: AbortSignal, patienceMs?: number): Promise<(() => void) | undefined> {
    if (signal?.aborted === true) return undefined
    if (free > 0) {
      free--
      return slot()
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        line.delete(enter)
        done()
        resolve(undefined)
      }
      const timer = patienceMs === undefined ? undefined : setTimeout(leave, patienceMs)
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const enter = (): void => {
        done()
        resolve(slot())
      }
      signal?.addEventListener('abort', leave, { once: true })
      line.add(enter)
    })
  }

  return {
    take,
    /** How many are in line. */
    get waiting(): number {
      return line.size
    },
  }
}
