// Over stdio the SDK answers `subscriptions/listen` itself as well, and hands what a server notifies to those who asked for it. So
// the messages are read before it: a request that names resources waits until the servers behind have agreed, and when it
// is cancelled they are told.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Caller } from '../../rail/engine.ts'
import type { DoorParts } from '../protocol.ts'
import { followResources, listenFor, readListen, resourcesOf, type ListenRequest } from './follow-resources.ts'

/** Under which name the one client of this door follows resources. */
export const stdioListener = 'stdio, 2026-07-28'

const cancelled = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
})

const refused = z.looseObject({ id: z.union([z.string(), z.number()]), error: z.looseObject({}) })

type Id = ListenRequest['id']

/** A request to listen that is not over. */
interface Listening {
  readonly control: AbortController
  /** What it asks for, and once that is known, what is followed for it. */
  uris: readonly string[]
  /** Whether the SDK has read it. */
  isRead: boolean
}

/** The same connection, on which a client has asked for resources before the SDK reads that it does. */
export function followingOverStdio(
  parts: DoorParts,
  inner: Transport,
  callerOf: (meta: ListenRequest['params']['_meta']) => Caller,
): Transport {
  const open = new Map<Id, Listening>()
  const outer: Transport = {
    start: () => {
      inner.onmessage = (message, extra) => {
        if (hear(message)) outer.onmessage?.(message, extra)
      }
      inner.onclose = () => {
        for (const { control } of open.values()) control.abort()
        parts.passthrough?.forget(stdioListener)
        outer.onclose?.()
      }
      inner.onerror = (error) => outer.onerror?.(error)
      return inner.start()
    },
    send: (message, options) => {
      // The SDK looks at a request after us: one that it refuses follows nothing.
      const id = refused.safeParse(message).data?.id
      if (id !== undefined) end(id)
      return inner.send(message, options)
    },
    close: () => inner.close(),
  }

  /** Whether the SDK is to read a message now. */
  function hear(message: JSONRPCMessage): boolean {
    const request = parts.passthrough === undefined ? undefined : readListen(message)
    if (request !== undefined && !open.has(request.id)) {
      void begin(request).catch((error: unknown) => {
        parts.engine.report(error, 'following resources')
        if (open.get(request.id)?.isRead !== false) return
        open.delete(request.id)
        follow(request, [])
      })
      return false
    }
    const ended = cancelled.safeParse(message).data?.params.requestId
    return ended === undefined || end(ended)
  }

  /** Ends a request to listen, if it is one. Whether the SDK has read it. */
  function end(id: Id): boolean {
    const listening = open.get(id)
    if (listening === undefined) return true
    open.delete(id)
    listening.control.abort()
    // One that is still being asked for releases itself.
    if (listening.isRead) release(listening.uris)
    return listening.isRead
  }

  async function begin(request: ListenRequest): Promise<void> {
    const asked = resourcesOf(request)
    const listening: Listening = { control: new AbortController(), uris: asked, isRead: false }
    open.set(request.id, listening)
    const { signal } = listening.control
    const caller = callerOf(request.params._meta)
    const uris = await followResources(parts, stdioListener, asked, caller, signal)
    if (signal.aborted) return release(uris)
    Object.assign(listening, { uris, isRead: true })
    // Of one that was cancelled meanwhile and left them to this one.
    release(asked.filter((uri) => !uris.includes(uri)))
    follow(request, uris)
  }

  /** Has the SDK read a request, for these resources alone. */
  const follow = (request: ListenRequest, uris: readonly string[]): void =>
    outer.onmessage?.(listenFor(request, uris) as unknown as JSONRPCMessage)

  /** Ends what no other request of this client is about. */
  function release(uris: readonly string[]): void {
    const others = new Set([...open.values()].flatMap((each) => each.uris))
    for (const uri of uris)
      if (!others.has(uri))
        void parts.passthrough
          ?.unsubscribe(stdioListener, uri)
          .catch((error: unknown) => parts.engine.report(error, 'unsubscribing'))
  }
  return outer
}
