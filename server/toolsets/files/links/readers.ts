// Whoever downloads decides how fast it goes, and what has been read for them stays in memory until they take it. So one
// address has only so many downloads at a time, and one that takes nothing for long is broken off.

/** Downloads of one address at a time. */
const mostAtOnce = 20
/** So long a reader may take nothing, in milliseconds. */
const patienceMs = 120_000

/** A download under way. */
export interface Reader {
  /** It is the reader's turn to take what was handed over; `give` is called where that is not taken. */
  waits(giveUp: () => void): void
  takes(): void
  /** May be called again. */
  end(): void
  hasEnded(): boolean
}

export interface Readers {
  /** Nothing where the address has as many as it may have. */
  begin(address: string): Reader | undefined
}

/** Of this process. */
export function createReaders({ silenceMs = patienceMs } = {}): Readers {
  const running = new Map<string, number>()
  return {
    begin(address) {
      const before = running.get(address) ?? 0
      if (before >= mostAtOnce) return undefined
      running.set(address, before + 1)
      let silence: NodeJS.Timeout | undefined
      let hasEnded = false
      const takes = (): void => clearTimeout(silence)
      const end = (): void => {
        takes()
        if (hasEnded) return
        hasEnded = true
        const left = (running.get(address) ?? 1) - 1
        if (left === 0) running.delete(address)
        else running.set(address, left)
      }
      return {
        waits(giveUp) {
          silence = setTimeout(() => {
            end()
            giveUp()
          }, silenceMs)
          silence.unref()
        },
        takes,
        end,
        hasEnded: () => hasEnded,
      }
    },
  }
}
