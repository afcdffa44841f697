// Many people may have one address (an office, a proxy), and one of them may ask for a link again and again. So requests are
// counted by address and link, and those that are refused for their link count for nothing else: nobody keeps the others who
// share the address from theirs.

/** An address may ask so many times as often for all links as for one of them. */
const linksAtOnce = 5

/** Counts a request, in this process. Answers after how many seconds there is room again, where there is none. */
export type RequestLimits = (address: string, tokenHash: string) => Promise<number | undefined>

/** So many requests of an address for one link in a minute. */
export async function createRequestLimits(points: number): Promise<RequestLimits> {
  const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible')
  type Limiter = InstanceType<typeof RateLimiterMemory>
  const ofAll = new RateLimiterMemory({ points: points * linksAtOnce, duration: 60 })
  const ofLink = new RateLimiterMemory({ points, duration: 60 })
  const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
  const consume = async (limiter: Limiter, key: string): Promise<number | undefined> => {
    try {
      await limiter.consume(key)
      return undefined
    } catch (reached) {
      if (!(reached instanceof RateLimiterRes)) throw reached
      return seconds(reached.msBeforeNext)
    }
  }
  return async (address, tokenHash) => {
    const used = await ofAll.get(address)
    // Before the link is remembered: an address that invents links takes no more memory than it may make requests.
    if (used !== null && used.consumedPoints >= ofAll.points) return seconds(used.msBeforeNext)
    return (await consume(ofLink, `${tokenHash} ${address}`)) ?? (await consume(ofAll, address))
  }
}
