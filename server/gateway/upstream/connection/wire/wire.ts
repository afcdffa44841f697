// What a connection needs of a client of the protocol, whichever generation of it an upstream speaks. Errors are those of the
// SDK's first generation in both, so that what reads them knows of one.
import type { Implementation, Progress, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { RunTime } from '../../../../model/run-time.ts'
import type { ToolDefinition } from '../../definitions/definition.ts'
import type { SeenClient } from '../downstream-client.ts'

/** What one request needs beside its method and params. */
export interface WireRequest {
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Counts what the server asks for before it answers this request. */
  readonly questions: Questions
}

/** What is wrong with a tool's definition, in words that go on from its name. */
export type WhyNotListed = (tool: ToolDefinition) => string | undefined

/** A client of one server, connected. */
export interface Wire {
  readonly who: Implementation | undefined
  readonly instructions: string | undefined
  readonly capabilities: ServerCapabilities
  /** The version of the protocol that both have agreed on. */
  readonly protocolVersion: string
  /** The session that the server gave it, which it may forget. */
  readonly session: string | undefined
  /** Why a tool must be left out of this server's list, where it must. */
  readonly whyNotListed?: WhyNotListed
  /** One request; answers what came, as it came. */
  request(method: string, params: Readonly<Record<string, unknown>>, settings: WireRequest): Promise<unknown>
  readonly notify: (method: string) => Promise<void>
  /** Tells the server that its session is over. */
  readonly endSession: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What a client of either generation is opened with. */
export interface WireParts {
  /** Our own version, told to the server. */
  readonly version: string
  /** How long the server may take to say who it is. */
  readonly timeoutMs: number
  /** Calls the attempt off: whoever waits for an answer throws its reason, and nothing more is said to the server. */
  readonly signal: AbortSignal
  /** Who answers what the server asks, where there is one. */
  readonly downstream: SeenClient | undefined
  /** Counts questions of the server that are open. */
  readonly questions: Questions
  readonly onNotification: (method: string, params: Readonly<Record<string, unknown>>) => void
  readonly onError: (error: Error) => void
  readonly onClose: () => void
}

/** Counts requests of the server that are open: while it waits for a person, its silence is no sign of trouble. */
export interface Questions {
  readonly any: () => boolean
  readonly during: <T>(question: () => Promise<T>) => Promise<T>
  /** While one is open that comes from now on, the time of this run stands still, until what is answered has been called. */
  readonly stopsTime: (time: RunTime) => () => void
}

/** None is open yet. */
export function countQuestions(): Questions {
  let open = 0
  const runs = new Set<{ readonly time: RunTime; readonly holds: Set<() => void> }>()
  return {
    any: () => open > 0,
    async during(question) {
      open++
      const held = [...runs].map(({ time, holds }) => ({ holds, goOn: time.hold() }))
      for (const { holds, goOn } of held) holds.add(goOn)
      try {
        return await question()
      } finally {
        open--
        for (const { holds, goOn } of held) {
          holds.delete(goOn)
          goOn()
        }
      }
    },
    stopsTime(time) {
      const run = { time, holds: new Set<() => void>() }
      runs.add(run)
      return () => {
        runs.delete(run)
        for (const goOn of run.holds) goOn()
      }
    },
  }
}

/** The longest time that a timer of Node takes. */
export const forever = 2 ** 31 - 1

/**
 * The SDK hands on an answer at once and a notification a moment later, so a call's last progress would come after its
 * end and be dropped. An answer that comes in the same turn is put back, so that both arrive in the order of the wire.
 */
export function keepOrder(transport: Pick<Transport, 'onmessage'>): void {
  const deliver = transport.onmessage
  if (deliver === undefined) return
  let isUnheard = false
  transport.onmessage = (message, extra) => {
    if ('method' in message) {
      if (!isUnheard) setImmediate(() => (isUnheard = false))
      isUnheard = true
      deliver(message, extra)
    } else if (isUnheard) setImmediate(() => deliver(message, extra))
    else deliver(message, extra)
  }
}
