// Work that nobody waits for yet takes the processor from programs that somebody waits for. It is done when no program has
// begun or ended for a moment, and after some time anyway: whoever comes next is served sooner once it is done.

/** A program alone has the second processor to spare, so that one that runs for long is not waited for. */
const quietMs = 100
const longestMs = 2000

export class IdleTasks {
  /** What waits for it, by name, with the moment from which it waits no longer. */
  readonly #waiting = new Map<string, { readonly timer: NodeJS.Timeout; readonly until: number }>()

  /** A program has begun or ended. */
  interrupt(): void {
    if (this.#waiting.size === 0) return
    const now = performance.now()
    for (const { timer, until } of this.#waiting.values()) if (now + quietMs < until) timer.refresh()
  }

  /** Does some work in it; the same work that waits already is done once. */
  whenIdle(name: string, work: () => void): void {
    if (this.#waiting.has(name)) return
    const begin = (): void => {
      this.#waiting.delete(name)
      work()
    }
    this.#waiting.set(name, { timer: setTimeout(begin, quietMs).unref(), until: performance.now() + longestMs })
  }
}
