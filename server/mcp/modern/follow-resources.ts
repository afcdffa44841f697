// A client of MCP 2026-07-28 names the resources whose changes it wants to hear of in `subscriptions/listen`, which the SDK answers
// without asking anybody. Those of servers behind have to be asked for there first: what none of them agrees to is taken
// out of the request, so that the SDK acknowledges the others alone ("Subscriptions", "Acknowledgment").
import { z } from 'zod'
import type { Caller } from '../../rail/engine.ts'
import { missingOf } from '../../rail/authorize/missing-permissions.ts'
import { answerRequest, type DoorParts } from '../protocol.ts'

/** Of one request: more resources than this are not followed, and so many are asked for at the same time. */
const limits = { resources: 100, atOnce: 4 } as const

const listenRequest = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({
    _meta: z.record(z.string(), z.unknown()).optional(),
    notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).min(1) }),
  }),
})

/** A request to listen that names resources. */
export type ListenRequest = z.infer<typeof listenRequest>

/** Reads one; nothing where a message is another, or names none. */
export const readListen = (message: unknown): ListenRequest | undefined => listenRequest.safeParse(message).data

/** The resources that it names, each once, and no more than one request may follow: the others are not acknowledged. */
export const resourcesOf = ({ params }: ListenRequest): readonly string[] =>
  [...new Set(params.notifications.resourceSubscriptions)].slice(0, limits.resources)

/** The same request for these resources alone. */
export function listenFor(request: ListenRequest, uris: readonly string[]): Record<string, unknown> {
  const { resourceSubscriptions: _, ...others } = request.params.notifications
  const notifications = uris.length === 0 ? others : { ...others, resourceSubscriptions: uris }
  return { ...request, params: { ...request.params, notifications } }
}

/**
 * Subscribes at the servers behind, under the name of this client, a few at a time, so that others get their turns there.
 * Answers the resources of which one of them will tell. When the client has left, nothing more is asked for.
 */
export async function followResources(
  parts: DoorParts,
  client: string,
  uris: readonly string[],
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const followed = new Set<string>()
  const left = uris.values()
  const followSome = async (): Promise<void> => {
    for (const uri of left) {
      if (signal.aborted) return
      await answerRequest(parts, { method: 'resources/subscribe', params: { uri } }, caller, client, { signal }).then(
        () => followed.add(uri),
        // It has a row of its own, which says why.
        () => undefined,
      )
    }
  }
  await Promise.all(Array.from({ length: limits.atOnce }, followSome))
  return uris.filter((uri) => followed.has(uri))
}

/** Hands on each change of what this client follows. Answers how to stop. */
export function listenToResources(
  { engine, passthrough }: DoorParts,
  client: string,
  callerOf: () => Caller,
  changed: (uri: string) => void,
): () => void {
  const stop = passthrough?.listen(
    client,
    ({ method, params: { uri } }) => {
      if (method === 'notifications/resources/updated' && typeof uri === 'string') changed(uri)
    },
    () => ({ may: (permissions) => missingOf(engine, callerOf(), permissions).length === 0 }),
  )
  return () => stop?.()
}
