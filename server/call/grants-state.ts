// How a standing permission stands now, for those who look at it: beside what the store knows of it, that depends on the
// tool as it is offered and rated today.
import { grantState, type GrantState } from '../policy/grant.ts'
import { riskRank } from '../tools/define-tool.ts'
import type { GivingParts } from './grants-give.ts'
import type { Grant, GrantableTool } from './grants.ts'

export interface GrantStanding {
  readonly state: GrantState
  readonly title: string | undefined
  /** Why it is suspended. */
  readonly because: string | undefined
}

/** Looks at each of them once. */
export async function standingsOf(
  { grants, riskOf, now }: Pick<GivingParts, 'grants' | 'riskOf' | 'now'>,
  list: readonly Grant[],
): Promise<readonly (readonly [Grant, GrantStanding])[]> {
  const tools = new Map<string, GrantableTool | undefined>()
  for (const name of new Set(list.map(({ tool }) => tool))) tools.set(name, await grants.offered(name))
  const at = now()
  return list.map((grant) => {
    const tool = tools.get(grant.tool)
    const rated = tool && (riskOf?.(grant.tenant, grant.tool, tool.risk) ?? tool.risk)
    const state = grantState(grant, tool && rated && { definition: tool.definition, risk: rated }, at)
    return [grant, { state, title: tool?.title, because: state === 'suspended' ? because(grant, tool) : undefined }]
  })
}

const because = ({ definition, risk }: Grant, tool: GrantableTool | undefined): string =>
  tool !== undefined && tool.definition !== definition
    ? 'The tool has changed since it was given.'
    : `The tool is rated higher than ${risk} now${tool === undefined || riskRank(tool.risk) <= riskRank(risk) ? ', by an operator' : ''}.`
