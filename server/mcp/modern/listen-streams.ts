// Over HTTP each `subscriptions/listen` is answered by a stream of the SDK, which takes from a bus what has changed. Lists are the
// same for all; a resource is told on the one stream whose client asked for it and may see it. So the bus is ours, and knows
// for which request a stream is opened.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Caller } from '../../rail/engine.ts'
import type { DoorParts } from '../protocol.ts'
import { followResources, listenFor, listenToResources, resourcesOf, type ListenRequest } from './follow-resources.ts'

type Deliver = (event: ServerEvent) => void

interface Stream {
  deliver?: Deliver
  readonly end: () => void
}

/** The streams of one door. */
export function createListenStreams(parts: DoorParts) {
  const opening = new AsyncLocalStorage<Stream>()
  const all = new Set<Deliver>()

  const bus: ServerEventBus = {
    publish(event) {
      for (const deliver of all) deliver(event)
    },
    subscribe(deliver) {
      const stream = opening.getStore()
      all.add(deliver)
      if (stream !== undefined) stream.deliver = deliver
      return () => {
        all.delete(deliver)
        stream?.end()
      }
    },
  }

  return {
    bus,
    /** Opens a stream by `answer`, once the servers behind have agreed to tell of the resources that it is about. */
    async open(
      request: ListenRequest,
      caller: Caller,
      signal: AbortSignal,
      answer: (body: unknown) => Promise<Response>,
    ): Promise<Response> {
      const client = `listen ${randomUUID()}`
      const stream: Stream = {
        end: () => {
          stop()
          parts.passthrough?.forget(client)
        },
      }
      const stop = listenToResources(
        parts,
        client,
        () => caller,
        (uri) => stream.deliver?.({ kind: 'resource_updated', uri }),
      )
      try {
        const followed = await followResources(parts, client, resourcesOf(request), caller, signal)
        // Nobody is there any more to whom this could be said.
        if (signal.aborted) return new Response(null, { status: 499 })
        return await opening.run(stream, () => answer(listenFor(request, followed)))
      } finally {
        // Refused, or there was nothing left to listen for.
        if (stream.deliver === undefined) stream.end()
      }
    },
  }
}
