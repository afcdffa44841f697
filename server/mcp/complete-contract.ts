// Completion for the resource template of contracts: a client that lets somebody choose a tool is offered names (MCP
// specification 2025-11-25, "Completion").
import { z } from 'zod'
import { missingOf } from '../rail/authorize/missing-permissions.ts'
import type { Caller } from '../rail/engine.ts'
import { contractResource, contractTemplate, contractUriOf } from './listing.ts'
import type { DoorParts } from './protocol.ts'

const asked = z.looseObject({
  ref: z.looseObject({ type: z.literal('ref/resource'), uri: z.literal(contractTemplate.uriTemplate) }),
  argument: z.looseObject({ name: z.literal('tool'), value: z.string() }),
})

/** As many values as an answer may have. */
const most = 100

/** The names of tools that begin like this and whose contracts this caller may read, in order. */
export function contractNames({ engine, gatewayTools }: DoorParts, begun: string, caller?: Caller): readonly string[] {
  const names = [...engine.catalog.tools.map(({ wireName }) => wireName), ...(gatewayTools?.names() ?? [])]
  const mayRead = (name: string): boolean =>
    contractResource(engine.catalog, contractUriOf(name)) !== undefined &&
    (caller === undefined ||
      missingOf(engine, caller, engine.catalog.find(name)?.contract.permissions ?? []).length === 0)
  return [...new Set(names)].filter((name) => name.startsWith(begun) && mayRead(name)).toSorted()
}

/** Answers `completion/complete` for the contracts' template; `undefined` where it is about something else. */
export function completeContract(
  parts: DoorParts,
  params: unknown,
  caller: Caller,
): Record<string, unknown> | undefined {
  const read = asked.safeParse(params)
  if (!read.success) return undefined
  const names = contractNames(parts, read.data.argument.value, caller)
  return { completion: { values: names.slice(0, most), total: names.length, hasMore: names.length > most } }
}
