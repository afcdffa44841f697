// What changes at a server of MCP 2026-07-28 comes on streams that are asked for (`subscriptions/listen`): one for its lists, and
// one for each resource that somebody follows. A stream may end at any time without the server being gone; then it is asked
// for anew, and what may have changed meanwhile counts as changed.
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Client, McpSubscription, SubscriptionFilter } from './wire/modern-sdk.ts'

type Notify = (method: string, params: Readonly<Record<string, unknown>>) => void

/** In milliseconds, doubled each time that a stream ends at once. */
const pause = { firstMs: 1000, longestMs: 60_000 } as const

/** A stream that stayed so long is no sign of trouble. */
const stableAfterMs = 30_000

const listKinds = ['tools', 'prompts', 'resources'] as const

interface Listening {
  /** Begins to listen for changed lists, and does not wait for it. */
  listenToLists(): void
  /** Resolves once the server has agreed. Whoever leaves by the signal leaves the attempt to the others who wait for it. */
  subscribe(uri: string, signal: AbortSignal): Promise<void>
  unsubscribe(uri: string): void
  end(): void
}

/** Whether a server tells of each resource that it was asked for. */
const isAgreement = (
  { honoredFilter }: McpSubscription,
  { resourceSubscriptions: asked = [] }: SubscriptionFilter,
): boolean => asked.every((uri) => honoredFilter.resourceSubscriptions?.includes(uri) === true)

/** A resource that is followed, or asked for. */
interface Followed {
  readonly ends: AbortController
  /** Whether the server has agreed, which all wait for who ask for it meanwhile. */
  readonly agreed: Promise<void>
  isAgreed: boolean
  /** How many wait for that. */
  waiting: number
}

/** What is listened to over one connection. `notify` is told what may have changed while a stream was away. */
export function createListening(
  client: Pick<Client, 'listen'>,
  capabilities: ServerCapabilities,
  timeoutMs: number,
  notify: Notify,
): Listening {
  const over = new AbortController()
  const followed = new Map<string, Followed>()

  /**
   * Listens until `signal`. `first` is told how the first attempt ended, and where it failed there is no other. A server that
   * has agreed once is asked again whatever it says later: it may be about to end, or to start.
   */
  async function keep(
    filter: SubscriptionFilter,
    signal: AbortSignal,
    missed: () => void,
    first?: (failure?: Error) => void,
  ): Promise<void> {
    let pauseMs: number = pause.firstMs
    let hasAgreed = false
    while (!signal.aborted) {
      const since = performance.now()
      try {
        const stream = await client.listen(filter, { timeout: timeoutMs, signal })
        const end = (): void => void stream.close()
        if (!isAgreement(stream, filter)) {
          end()
          throw new McpError(ErrorCode.InvalidParams, 'It does not tell of changes of this resource.')
        }
        if (hasAgreed) missed()
        else first?.()
        hasAgreed = true
        // It may have been aborted while the stream came; then nobody would hear of it any more.
        if (signal.aborted) return end()
        signal.addEventListener('abort', end, { once: true })
        await stream.closed
        signal.removeEventListener('abort', end)
      } catch (error) {
        if (!hasAgreed && first !== undefined) return first(error instanceof Error ? error : new Error(String(error)))
        // The server has answered that it does not do this, or not for us.
        if (!hasAgreed && error instanceof Error && error.name === 'ProtocolError') return
      }
      if (performance.now() - since >= stableAfterMs) pauseMs = pause.firstMs
      await wait(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, pause.longestMs)
    }
  }

  function drop(uri: string, resource: Followed): void {
    resource.ends.abort()
    if (followed.get(uri) === resource) followed.delete(uri)
  }

  function follow(uri: string): Followed {
    const ends = new AbortController()
    const { promise: agreed, resolve, reject } = Promise.withResolvers<void>()
    const resource: Followed = { ends, agreed, isAgreed: false, waiting: 0 }
    followed.set(uri, resource)
    const missed = (): void => notify('notifications/resources/updated', { uri })
    void keep({ resourceSubscriptions: [uri] }, AbortSignal.any([over.signal, ends.signal]), missed, (failure) => {
      if (failure !== undefined) {
        drop(uri, resource)
        return reject(failure)
      }
      resource.isAgreed = true
      resolve()
    })
    return resource
  }

  return {
    listenToLists() {
      const told = listKinds.filter((list) => capabilities[list]?.listChanged === true)
      if (told.length === 0) return
      const filter = Object.fromEntries(told.map((list) => [`${list}ListChanged`, true]))
      void keep(filter, over.signal, () => told.forEach((list) => notify(`notifications/${list}/list_changed`, {})))
    },
    async subscribe(uri, signal) {
      signal.throwIfAborted()
      const resource = followed.get(uri) ?? follow(uri)
      const left = Promise.withResolvers<never>()
      const leave = (): void => left.reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      resource.waiting++
      try {
        await Promise.race([resource.agreed, left.promise])
      } finally {
        signal.removeEventListener('abort', leave)
        resource.waiting--
        if (resource.waiting === 0 && !resource.isAgreed) drop(uri, resource)
      }
    },
    unsubscribe(uri) {
      const resource = followed.get(uri)
      if (resource !== undefined) drop(uri, resource)
    },
    end: () => over.abort(),
  }
}
