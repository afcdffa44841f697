// "And the next twenty like this": from an approval's stored arguments to the terms that its approver may edit.
import { unlessMissing } from '../errors/optional-package.ts'
import { loadConditions, loadProposals } from '../policy/load-conditions.ts'
import { shapeOf, typeText } from '../policy/grant-shape.ts'
import type { Risk } from '../model/risk.ts'
import type { Approval } from '../model/approvals.ts'
import { grantable, type GivingParts, type GrantRefusal } from './give-grant.ts'
import type { GrantableTool } from '../model/grants.ts'
import type { Plan } from '../model/plan-store.ts'

export interface GrantProposal {
  readonly tool: GrantableTool
  readonly risk: Risk
  readonly condition: string
  /** What it leaves free, as conditions write it. */
  readonly free: readonly string[]
}

/** Terms that are like an approved call, or why none can be given. */
export async function proposeGrant(
  parts: Pick<GivingParts, 'grants' | 'riskOf'>,
  approval: Approval,
  plan: Pick<Plan, 'args'> | undefined,
): Promise<
  | { readonly kind: 'proposed'; readonly proposal: GrantProposal }
  | { readonly kind: 'refused'; readonly refusal: GrantRefusal }
> {
  if (approval.risk === 'critical')
    return {
      kind: 'refused',
      refusal: {
        code: 'not-grantable',
        message: 'This call is critical.',
        next: 'Critical calls always take a person.',
      },
    }
  const found = await grantable(parts, approval.principal.tenant, approval.tool)
  if (found.kind === 'refused') return found
  if (plan === undefined)
    return {
      kind: 'refused',
      refusal: {
        code: 'not-grantable',
        message: 'The arguments of this call are not kept any more.',
        next: 'Give the permission in Settings, and write its condition there.',
      },
    }
  const { tool, risk } = found
  const input = JSON.parse(plan.args) as Readonly<Record<string, unknown>>
  const read = await unlessMissing(loadProposals)
  if (!read.ok) return { kind: 'refused', refusal: { code: 'not-grantable', ...read.failure } }
  const proposed = read.value.proposeCondition(shapeOf(JSON.parse(tool.schema)), input)
  if (!proposed.ok) return { kind: 'refused', refusal: { code: 'not-grantable', ...proposed.failure } }
  return { kind: 'proposed', proposal: { tool, risk, ...proposed.value } }
}

/** Whether a condition, as somebody has edited it, covers a call; `undefined` where it cannot be read. */
export async function coversCall(tool: GrantableTool, condition: string, args: string): Promise<boolean | undefined> {
  const { compileCondition } = await loadConditions()
  const compiled = compileCondition(shapeOf(JSON.parse(tool.schema)), condition)
  return compiled.ok ? compiled.value.holds(JSON.parse(args)) : undefined
}

/** The arguments that a condition may name, with their types. */
export const argumentsOf = (tool: GrantableTool): readonly { readonly name: string; readonly type: string }[] =>
  [...shapeOf(JSON.parse(tool.schema)).root.fields].map(([name, shape]) => ({
    name,
    type: shape.kind === 'message' ? 'object' : typeText(shape).replaceAll(/args[\w.]*/g, 'object'),
  }))
