// What a server said of itself while it was there; it is known while the server is away.
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { definitionDigest } from '../definitions/definition.ts'
import type { Connection, ServerIdentity } from './connection.ts'
import type { ToolList } from './tool-lists.ts'

interface ServerFacts {
  readonly identity: () => ServerIdentity | undefined
  readonly capabilities: () => ServerCapabilities
  readonly tools: () => ToolList
  /** What it says when it is connected. */
  readonly connected: (connection: Connection) => void
  readonly listed: (list: ToolList) => void
}

/** `onTools`: its tools are others than before. */
export function createServerFacts(onTools: () => void): ServerFacts {
  let identity: ServerIdentity | undefined
  let capabilities: ServerCapabilities = {}
  let list: ToolList = { tools: [], problems: [] }
  let digest = ''
  return {
    identity: () => identity,
    capabilities: () => capabilities,
    tools: () => list,
    connected: (connection) => {
      identity = connection.identity
      capabilities = connection.capabilities
    },
    listed: (given) => {
      if (given === list) return
      const now = definitionDigest([given.tools.map((tool) => tool.raw), given.problems])
      if (now === digest) return
      digest = now
      list = given
      onTools()
    },
  }
}
