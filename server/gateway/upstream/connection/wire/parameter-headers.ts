// The arguments that tools of a remote server want in headers as well. The SDK does this in methods that read lists and answers
// by its own schemas, and drops what those do not know; so the headers are put on its plain requests here.
import { z } from 'zod'
import { readDefinition } from '../../definitions/definition.ts'
import { headersOf, parameterHeaders, type ParameterHeader } from '../../../../tools/schemas/parameter-headers.ts'

const listedTools = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
const calledTool = z.looseObject({ name: z.string(), arguments: z.unknown().optional() })

/** Remembers which headers the tools of one server want. */
export function createParameterHeaders() {
  let wanting: ReadonlyMap<string, readonly ParameterHeader[]> = new Map()
  let listing = new Map<string, readonly ParameterHeader[]>()
  return {
    /** Notes a page of the list. */
    listed(page: unknown, isFirst: boolean): void {
      if (isFirst) listing = new Map()
      const { tools = [], nextCursor } = listedTools.safeParse(page).data ?? {}
      for (const tool of tools) {
        // What is not served is not called either, and may be larger than anybody should read.
        const read = readDefinition(tool)
        if (!read.ok) continue
        const { name, inputSchema } = read.value
        const declared = parameterHeaders(inputSchema)
        // Of two of one name the first counts.
        if (declared.ok && !listing.has(name)) listing.set(name, declared.value)
      }
      if (nextCursor === undefined) wanting = listing
    },
    /** The headers of a call; none where its tool wants none. */
    of(params: unknown): Readonly<Record<string, string>> {
      const { name = '', arguments: args } = calledTool.safeParse(params).data ?? {}
      return headersOf(listing.get(name) ?? wanting.get(name) ?? [], args)
    },
  }
}
