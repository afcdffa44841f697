// A server is asked for its tools before many calls, and mostly says to the letter what it said before. To parse that again,
// and to walk through what was parsed, took longer than all else that such a call waited for. So the line is recognised by
// its digest, and what was made of the first one stands for it.
import { hash } from 'node:crypto'
import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

interface Known {
  /** Of the line without its id. */
  readonly digest: string
  readonly result: Extract<JSONRPCMessage, { result: unknown }>['result']
}

/**
 * Reads the lines of one server. The answer to `tools/list` that is the same as the last one but for its id has the same
 * object as its result, which was made of the last one.
 */
export function createRepeatedLists(parse: (line: string) => JSONRPCMessage = deserializeMessage) {
  const asked = new Set<RequestId>()
  let last: Known | undefined

  function readAnswer(line: string, id: Place): JSONRPCMessage {
    asked.delete(id.value)
    const digest = hash('sha256', `${line.slice(0, id.start)} ${line.slice(id.end)}`)
    if (digest === last?.digest) return { jsonrpc: '2.0', id: id.value, result: last.result }
    const message = parse(line)
    if ('result' in message && message.id === id.value) last = { digest, result: message.result }
    return message
  }

  return {
    /** Notes what is sent to the server. */
    sent: (message: JSONRPCMessage): void => {
      if (!('method' in message)) return
      const { method, params } = message
      // A list of several pages is put together from all of them.
      if (method === 'tools/list' && 'id' in message && params?.['cursor'] === undefined) asked.add(message.id)
      if (method === 'notifications/cancelled') asked.delete(params?.['requestId'] as RequestId)
    },
    /** @throws what the parser throws. */
    read: (line: string): JSONRPCMessage => {
      const id = asked.size === 0 ? undefined : placeOfId(line)
      if (id !== undefined && asked.has(id.value)) return readAnswer(line, id)
      const message = parse(line)
      if (!('method' in message) && message.id !== undefined) asked.delete(message.id)
      return message
    },
  }
}

interface Place {
  readonly value: number
  readonly start: number
  readonly end: number
}

/** Members that come first or last in an object are surely its own, and not those of something in it. */
const first = /^\{ ?(?:"jsonrpc": ?"2\.0", ?)?"id": ?(0|[1-9]\d{0,14})(?=[, ])/d
const last = /[,{] ?"id": ?(0|[1-9]\d{0,14}) ?\}$/d

/** In characters: more than such members have. */
const longestMembers = 80

/** Where a message has its id: in all SDKs it is among the first members, or the last one. */
function placeOfId(line: string): Place | undefined {
  const from = Math.max(0, line.length - longestMembers)
  const [ending, offset] = [last.exec(line.slice(from)), from]
  const [found, shift] = ending === null ? [first.exec(line.slice(0, longestMembers)), 0] : [ending, offset]
  const place = found?.indices?.[1]
  return place === undefined ? undefined : { value: Number(found?.[1]), start: place[0] + shift, end: place[1] + shift }
}
