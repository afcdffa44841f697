// Calls of an upstream tool that are refused before anything is sent, each with why.
import type { ToolContext, ToolFailed } from '../tools/contract.ts'
import type { UpstreamTool } from './contracts.ts'
import { assess, undeclaredArgument, type RiskQuestion } from './risk.ts'

/** The operator forbids calls with such arguments; the tool itself is there. */
export const forbidden = (tool: UpstreamTool, ctx: ToolContext): ToolFailed =>
  ctx.fail('forbidden_call', `The operator forbids calls of ${tool.name} with such arguments. Nothing was sent.`)

/** Its server has changed it since an operator looked. */
export const heldFailure = (tool: UpstreamTool, ctx: ToolContext): ToolFailed | undefined =>
  tool.held === undefined
    ? undefined
    : ctx.fail('upstream_held', `${tool.name} is held back: its server has changed its definition. Nothing was sent.`)

/**
 * What the read door does not run: what is not low (a plan is bound to the tool and not to the door, so a ticket could be
 * brought there as well), and what nobody vouches for.
 */
export function unfitForRead(
  tool: UpstreamTool,
  question: RiskQuestion,
  input: unknown,
  ctx: ToolContext,
): ToolFailed | undefined {
  if (question.variant !== 'call_tool_read') return undefined
  const { risk } = assess(question, input)
  if (risk === 'forbidden') return undefined
  if (risk !== 'low') return ctx.fail('wrong_door', `call_tool_read does not run ${tool.name}. Nothing was sent.`)
  const extra = undeclaredArgument(question, input)
  return extra === undefined
    ? undefined
    : ctx.fail(
        'wrong_door',
        `${tool.name} does not declare "${extra.slice(0, 100)}", so this is no plain read. Nothing was sent.`,
      )
}
