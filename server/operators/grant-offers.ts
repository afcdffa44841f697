// What a grant can be given for, as this server offers it. Written into the store, because whoever gives
// one may be at a terminal without this server's catalogue, or at another server.
import { riskAtMost } from '../tools/define-tool.ts'
import { isBundleTool } from '../rail/bundles/bundle-contract.ts'
import type { Tool } from '../tools/catalog.ts'
import { argumentSchema } from '../rail/authorize/grant-cover.ts'
import type { GrantableTool } from '../model/grants.ts'

/** Larger schemas are not kept, and no grant can be given for their tools. In characters of JSON. */
const largestSchema = 200_000

/** A tool as the store keeps it for those who give permissions; `undefined` where none can be given: a bundle's steps are what it would be about. */
export function grantableTool(tool: Tool): GrantableTool | undefined {
  const { contract } = tool
  const atMost = riskAtMost(contract.risk)
  const schema = JSON.stringify(argumentSchema(tool))
  if (atMost === 'forbidden' || schema.length > largestSchema || isBundleTool(tool)) return undefined
  const stepUp = contract.operation === 'read' ? 'never' : (contract.stepUp ?? 'never')
  return {
    name: tool.wireName,
    title: contract.title,
    operation: contract.operation,
    risk: atMost,
    riskDependsOnInput: typeof contract.risk !== 'string',
    stepUp: typeof stepUp === 'string' ? stepUp : 'depends_on_input',
    definition: tool.definition,
    schema,
  }
}
