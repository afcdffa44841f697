import { isDeepStrictEqual } from 'node:util'
import { valueAt } from '../../errors/pointer.ts'
import { defaultOf } from '../../tools/schemas/schema-reference.ts'
import type { UpstreamTool } from './upstream-contracts.ts'

/** Whether a call is itself a dry run, by an argument that has no opposite which we could know. */
export function isDryRun({ dryRun, definition }: Pick<UpstreamTool, 'dryRun' | 'definition'>, input: unknown): boolean {
  if (dryRun === undefined) return false
  const { parameter, value } = dryRun
  const { inputSchema } = definition
  const byDefault = defaultOf(inputSchema, valueAt(inputSchema, ['properties', parameter]))
  return isDeepStrictEqual(valueAt(input, [parameter]) ?? byDefault, value)
}
