// Over HTTP a tool may want some of its arguments in headers, too (`x-mcp-header`: specification 2026-07-28, "Custom Headers from
// Tool Parameters"). The SDK writes those, in `callTool` alone, which also reads the answer by its own schema; so it is used
// for the tools that ask for headers, and for no others.
import { z } from 'zod'
import type { CallToolRequestOptions, Client, Tool } from './modern-sdk.ts'

const key = 'x-mcp-header'

const listedTools = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal('object') }) })),
})

type Params = Readonly<Record<string, unknown>>

/** Remembers which tools of a server want headers. `isRemote`: over stdio there are none. */
export function createParameterHeaders(client: Pick<Client, 'callTool'>, isRemote: boolean) {
  let wanting = new Map<string, Tool>()
  return {
    /** Notes a page of the list, and answers it. */
    listed(page: unknown, isFirst: boolean): unknown {
      if (!isRemote) return page
      if (isFirst) wanting = new Map()
      for (const { name, inputSchema } of listedTools.safeParse(page).data?.tools ?? [])
        if (JSON.stringify(inputSchema).includes(`"${key}"`)) wanting.set(name, { name, inputSchema })
      return page
    },
    /** Calls a tool that wants headers; nothing where it wants none. */
    call(params: Params, options: CallToolRequestOptions): Promise<unknown> | undefined {
      const toolDefinition = wanting.get(String(params['name']))
      return toolDefinition === undefined
        ? undefined
        : client.callTool(params as Parameters<Client['callTool']>[0], { ...options, toolDefinition })
    },
  }
}
