// Each program takes a processor for itself. Only so many run at once, so that the server goes on answering; the others wait
// for their turn, and whoever was served longest ago comes next. Of several turns, the last free one is for somebody who has
// none: programs of one caller, however many and however long they run, do not keep another's waiting.

/** Gives a turn back, for whoever waits next. */
export type Release = () => void

interface Waiting {
  readonly owner: string
  readonly begin: () => void
}

/** Owners of whom it is known when they were served last. Whoever is forgotten was served longest ago. */
const mostRemembered = 1000

export class FairQueue {
  readonly #most: number
  #waiting: readonly Waiting[] = []
  /** The owner of each turn that is taken. */
  #taken: readonly string[] = []
  /** When an owner was served last, counted in turns; in this order. */
  readonly #served = new Map<string, number>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Waits for a turn; `undefined` where there was none in so many milliseconds, or before one of `ended`. */
  async take(owner: string, timeoutMs: number, ended: readonly AbortSignal[]): Promise<Release | undefined> {
    if (ended.some(({ aborted }) => aborted)) return undefined
    // Whoever waits already may not take what is free, or would have it.
    return this.#isFreeFor(owner) ? this.#serve(owner) : this.#wait(owner, timeoutMs, ended)
  }

  #wait(owner: string, timeoutMs: number, ended: readonly AbortSignal[]): Promise<Release | undefined> {
    return new Promise((resolve) => {
      const settle = (giveBack: Release | undefined): void => {
        clearTimeout(timer)
        for (const signal of ended) signal.removeEventListener('abort', giveUp)
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        resolve(giveBack)
      }
      const giveUp = (): void => settle(undefined)
      const timer = setTimeout(giveUp, timeoutMs)
      for (const signal of ended) signal.addEventListener('abort', giveUp)
      const waiting: Waiting = { owner, begin: () => settle(this.#serve(owner)) }
      this.#waiting = [...this.#waiting, waiting]
    })
  }

  #serve(owner: string): Release {
    this.#taken = [...this.#taken, owner]
    this.#count += 1
    this.#served.delete(owner)
    this.#served.set(owner, this.#count)
    const [longestAgo] = this.#served.keys()
    if (longestAgo !== undefined && this.#served.size > mostRemembered) this.#served.delete(longestAgo)
    return () => this.#giveBack(owner)
  }

  #giveBack(owner: string): void {
    this.#taken = this.#taken.toSpliced(this.#taken.indexOf(owner), 1)
    this.#next()
  }

  /** The last of several turns is only for somebody who has none. */
  #isFreeFor(owner: string): boolean {
    const free = this.#most - this.#taken.length
    return free > 1 || (free === 1 && (this.#most === 1 || !this.#taken.includes(owner)))
  }

  #next(): void {
    const servedAt = ({ owner }: Waiting): number => this.#served.get(owner) ?? 0
    const [next] = this.#waiting
      .filter(({ owner }) => this.#isFreeFor(owner))
      .toSorted((a, b) => servedAt(a) - servedAt(b))
    if (next === undefined) return
    next.begin()
    this.#next()
  }
}
