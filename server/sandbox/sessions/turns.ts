// Each program takes a processor for itself. Only so many run at once, so that the server goes on answering; the others wait
// for their turn, and whoever was served longest ago comes next: many programs of one caller do not keep another's waiting.

/** Gives a turn back. */
export type GiveBack = () => void

interface Waiting {
  readonly owner: string
  readonly begin: () => void
}

export class Turns {
  readonly #most: number
  #taken = 0
  #waiting: readonly Waiting[] = []
  /** When an owner was served last, counted in turns; only while somebody waits or runs. */
  readonly #served = new Map<string, number>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Waits for a turn; `undefined` where there was none in so many milliseconds. */
  take(owner: string, timeoutMs: number): Promise<GiveBack | undefined> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        owner,
        begin: () => {
          clearTimeout(timer)
          this.#taken += 1
          this.#count += 1
          this.#served.set(owner, this.#count)
          resolve(() => this.#giveBack())
        },
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        resolve(undefined)
      }, timeoutMs)
      this.#waiting = [...this.#waiting, waiting]
      this.#next()
    })
  }

  #giveBack(): void {
    this.#taken -= 1
    this.#next()
    if (this.#taken === 0) this.#served.clear()
  }

  #next(): void {
    if (this.#taken >= this.#most) return
    const servedAt = ({ owner }: Waiting): number => this.#served.get(owner) ?? 0
    const [next] = this.#waiting.toSorted((a, b) => servedAt(a) - servedAt(b))
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((each) => each !== next)
    next.begin()
  }
}
