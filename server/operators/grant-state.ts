// The state of a grant for those who look at it. Beside what the store knows of it, that depends on the
// tool as it is offered and rated today, and on who gave it.
import { grantState, highestGranted, type GrantState } from '../policy/grant.ts'
import type { Risk } from '../model/risk.ts'
import { riskRank, risksUpTo } from '../tools/define-tool.ts'
import type { ApproverOf } from '../rail/authorize/approver-of.ts'
import { giverLapse, lapseText } from '../rail/authorize/grant-giver.ts'
import type { GivingParts } from './give-grant.ts'
import type { Grant, GrantableTool } from '../model/grants.ts'

export interface GrantStateNow {
  readonly state: GrantState
  readonly title: string | undefined
  /** Why it is suspended. */
  readonly because: string | undefined
}

/** Looks at each of them, at its tool and at its giver once. */
export async function grantStates(
  parts: Pick<GivingParts, 'grants' | 'rules' | 'approverOf' | 'riskOf' | 'now'>,
  list: readonly Grant[],
): Promise<readonly (readonly [Grant, GrantStateNow])[]> {
  const { grants, riskOf, now } = parts
  const tools = new Map<string, GrantableTool | undefined>()
  for (const name of new Set(list.map(({ tool }) => tool))) tools.set(name, await grants.offered(name))
  const people = new Map<string, ReturnType<ApproverOf>>()
  const approverOf: ApproverOf = (person) => {
    const found = people.get(person) ?? parts.approverOf?.(person) ?? Promise.resolve(undefined)
    people.set(person, found)
    return found
  }
  const asked = { ...parts, approverOf }
  const at = now()
  const stateOf = async (grant: Grant): Promise<GrantStateNow> => {
    const tool = tools.get(grant.tool)
    const rated = tool && (riskOf?.(grant.tenant, grant.tool, tool.risk) ?? tool.risk)
    const state = grantState(grant, tool && rated && { definition: tool.definition, risk: rated }, at)
    const title = tool?.title
    if (state === 'suspended') return { state, title, because: because(grant, tool) }
    const lapse = state === 'active' || state === 'used-up' ? await lapseOf(asked, grant, tool) : undefined
    return { state: lapse === undefined ? state : 'suspended', title, because: lapse }
  }
  return await Promise.all(list.map(async (grant) => [grant, await stateOf(grant)] as const))
}

/** Why it does not count for some or all of the calls that it was given for; rules of approval may bind some risks only. */
async function lapseOf(
  parts: Pick<GivingParts, 'rules' | 'approverOf' | 'riskOf'>,
  grant: Grant,
  tool: GrantableTool | undefined,
): Promise<string | undefined> {
  const possible = tool === undefined ? [grant.risk] : risksOf(tool, grant.tenant, parts.riskOf)
  const looked = await Promise.all(
    possible.map(async (risk) => ({ risk, lapse: await giverLapse(parts, grant, risk) })),
  )
  const lapsed = looked.flatMap(({ risk, lapse }) => (lapse === undefined ? [] : [{ risk, lapse }]))
  const [first] = lapsed
  if (first === undefined) return undefined
  const which =
    lapsed.length === looked.length ? '' : `For calls of risk ${lapsed.map(({ risk }) => risk).join(', ')}: `
  return `${which}${lapseText(first.lapse, grant)}`
}

/** The risks that its calls can have today, up to the highest that a grant covers. */
function risksOf(tool: GrantableTool, tenant: string, riskOf: GivingParts['riskOf']): readonly Risk[] {
  const declared = tool.riskDependsOnInput ? risksUpTo(tool.risk) : [tool.risk]
  const rated = new Set(declared.map((risk) => riskOf?.(tenant, tool.name, risk) ?? risk))
  return [...rated].filter((risk) => riskRank(risk) <= riskRank(highestGranted))
}

const because = ({ definition, risk }: Grant, tool: GrantableTool | undefined): string =>
  tool !== undefined && tool.definition !== definition
    ? 'The tool has changed since it was given.'
    : `The tool is rated higher than ${risk} now${tool === undefined || riskRank(tool.risk) <= riskRank(risk) ? ', by an operator' : ''}.`
