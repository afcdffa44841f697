// Which standing permission covers a call. Asked only where the answer would change the verdict, and always in the store:
// what was revoked a moment ago in another process covers nothing.
import { compileCondition, type Condition } from '../policy/grant-condition.ts'
import { shapeOf } from '../policy/grant-shape.ts'
import { fitsGrant } from '../policy/grant.ts'
import { approvalNeeds, isSamePerson } from '../policy/may-approve.ts'
import type { Tool } from '../tools/catalog.ts'
import type { Risk } from '../tools/contract.ts'
import type { Grant } from './grants.ts'
import type { CallRequest, Road } from './request.ts'

/** A permission that covers a call, and how many uses are left before it. */
export interface Cover {
  readonly grant: Grant
  readonly left: number
}

/** The first permission, oldest first, that covers this call of this risk. */
export async function coverFor(
  road: Road,
  request: CallRequest,
  tool: Tool,
  input: unknown,
  risk: Risk,
): Promise<Cover | undefined> {
  if (road.grants === undefined) return undefined
  const standing = await road.grants.standing(request.caller.principal, tool.wireName)
  const { fourEyes } = approvalNeeds(road.settings.approvals, tool.wireName, risk)
  const grant = standing.find(
    (each) =>
      fitsGrant(each, { definition: tool.definition, risk }) &&
      (!fourEyes || hasTwo(each)) &&
      conditionOf(tool, each.condition)?.holds(input),
  )
  return grant && { grant, left: grant.times - grant.used }
}

/** Whether it is for somebody else than who gives it. The rule of four eyes may be younger than the permission. */
const hasTwo = ({ subject, createdBy, renewed }: Grant): boolean =>
  subject !== undefined && !isSamePerson({ name: renewed?.by ?? createdBy, subjects: [] }, subject)

/** The JSON Schema of a tool's own arguments: what a condition speaks of. */
export function argumentSchema({ inputSchema, parameters }: Tool): Readonly<Record<string, unknown>> {
  const properties = inputSchema['properties'] as Readonly<Record<string, unknown>> | undefined
  return {
    ...inputSchema,
    properties: Object.fromEntries(parameters.map((name) => [name, properties?.[name] ?? {}])),
  }
}

const kept = 500
const compiled = new Map<string, Condition | undefined>()

/** Compiled once for each definition. One that does not compile any more covers nothing. */
function conditionOf(tool: Tool, text: string): Condition | undefined {
  const key = JSON.stringify([tool.wireName, tool.definition, text])
  if (!compiled.has(key)) {
    const result = compileCondition(shapeOf(argumentSchema(tool)), text)
    if (compiled.size >= kept) compiled.clear()
    compiled.set(key, result.ok ? result.value : undefined)
  }
  return compiled.get(key)
}
