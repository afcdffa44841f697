// Whoever downloads decides how fast it goes, and what has been read for them stays in memory until they take it. So one
// address has only so many downloads at a time, and one that takes nothing for long is broken off. Many people may have one
// address (an office, a proxy), so nobody takes what another one needs by reading one link slowly.

/** Downloads of one address at a time, of one link and of all. */
const mostOfLink = 20
const mostOfAddress = 100
/**
 * So long a reader may take nothing, in milliseconds. The system asks for more once 1 to 2 MB of what it holds are taken: on a
 * line of 3 KB a second after ten minutes.
 */
const patienceMs = 600_000

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
  /** Nothing where the address has as many as it may have, of this link or of all. */
  begin(address: string, linkId: string): Reader | undefined
}

/** Of this process. */
export function createReaders({ silenceMs = patienceMs } = {}): Readers {
  const running = new Map<string, number>()
  const count = (key: string, more: 1 | -1): void => {
    const now = (running.get(key) ?? 0) + more
    if (now === 0) running.delete(key)
    else running.set(key, now)
  }
  return {
    begin(address, linkId) {
      const ofLink = JSON.stringify([address, linkId])
      if ((running.get(ofLink) ?? 0) >= mostOfLink || (running.get(address) ?? 0) >= mostOfAddress) return undefined
      for (const key of [ofLink, address]) count(key, 1)
      let silence: NodeJS.Timeout | undefined
      let hasEnded = false
      const takes = (): void => clearTimeout(silence)
      const end = (): void => {
        takes()
        if (hasEnded) return
        hasEnded = true
        for (const key of [ofLink, address]) count(key, -1)
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
