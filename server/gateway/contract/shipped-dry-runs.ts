// Tools that can say what they would do, if one argument asks them to. A server decides what its `preview` or `dryRun`
// means, so nothing is ever assumed from a parameter's name: an entry stands for one definition that someone here has
// read and tried, and any change of that definition takes it out of force.
import { isDeepStrictEqual } from 'node:util'
import { valueAt } from '../../errors/pointer.ts'
import { defaultOf } from '../../tools/schema-reference.ts'
import type { ToolOverride } from '../upstream/settings/upstream-config.schema.ts'
import { definitionDigest, type ToolDefinition } from '../upstream/definitions/definition.ts'
import type { UpstreamTool } from './upstream-contracts.ts'

export type DryRun = NonNullable<ToolOverride['dry_run']>

interface Shipped {
  /** The server's own name at `initialize`. */
  readonly server: string
  readonly tool: string
  /** SHA-256 of name, description and input schema, one for each published form. */
  readonly definitions: readonly string[]
  readonly dryRun: DryRun
}

const shipped: readonly Shipped[] = [
  {
    // @modelcontextprotocol/server-filesystem: answers with the unified diff and leaves the file alone.
    server: 'secure-filesystem-server',
    tool: 'edit_file',
    definitions: [
      'fcbcdc0249981d411ac04fddf7b390b674d502fd5ad0cb0c37c9c23f74089b14',
      '90ed815068b3221b69d7d5cc55ab680b14e96f2b311f5300e9973c8a47f77389',
    ],
    dryRun: { parameter: 'dryRun', value: true },
  },
]

/** The dry run that we know of for exactly this definition. */
export function shippedDryRun(server: string | undefined, definition: ToolDefinition): DryRun | undefined {
  const candidates = shipped.filter((entry) => entry.server === server && entry.tool === definition.name)
  if (candidates.length === 0) return undefined
  const { name, description, inputSchema } = definition
  const digest = definitionDigest({ name, description, inputSchema })
  return candidates.find((entry) => entry.definitions.includes(digest))?.dryRun
}

/** Whether a call is itself a dry run, by an argument that has no opposite which we could know. */
export function isDryRun({ dryRun, definition }: Pick<UpstreamTool, 'dryRun' | 'definition'>, input: unknown): boolean {
  if (dryRun === undefined) return false
  const { parameter, value } = dryRun
  const { inputSchema } = definition
  const byDefault = defaultOf(inputSchema, valueAt(inputSchema, ['properties', parameter]))
  return isDeepStrictEqual(valueAt(input, [parameter]) ?? byDefault, value)
}
