// Calls of an upstream tool that are refused before anything is sent, each with why.
import type { ToolContext, ToolFailed } from '../../tools/contract.ts'
import type { UpstreamTool, UpstreamToolOptions } from '../contract/upstream-contracts.ts'
import type { FurtherCheck } from '../contract/argument-check.ts'
import type { WrongArgument } from '../../errors/wrong-argument.ts'
import { markedAs } from './call-with.ts'
import { assess, runsUnrated, unvouched, type RiskQuestion } from '../rating/assess.ts'

/** The operator forbids calls with such arguments; the tool itself is there. */
export const forbidden = (tool: UpstreamTool, ctx: ToolContext): ToolFailed =>
  ctx.fail('forbidden_call', `The operator forbids calls of ${tool.name} with such arguments. Nothing was sent.`)

/** Its server has changed it since an operator looked. */
export const heldFailure = (tool: UpstreamTool, ctx: ToolContext): ToolFailed | undefined =>
  tool.held === undefined
    ? undefined
    : ctx.fail('upstream_held', `${tool.name} is held back: its server has changed its definition. Nothing was sent.`)

/** The last look before a call is sent: what nobody may call, and what is more than a read where only reads run. */
export function unfit(
  tool: UpstreamTool,
  { question, read, closed }: { readonly question: RiskQuestion; readonly read: boolean; readonly closed: boolean },
  input: unknown,
  ctx: ToolContext,
): ToolFailed | undefined {
  const { risk } = assess(question, input)
  if (risk === 'forbidden') return forbidden(tool, ctx)
  if (risk === 'low') return undefined
  if (read) return ctx.fail('wrong_door', `This call of ${tool.name} is no plain read. Nothing was sent.`)
  // A plan is bound to the tool and not to the call tool, so a ticket could be brought to the reading call tool as well.
  return closed ? ctx.fail('wrong_door', `call_tool_read does not run ${tool.name}. Nothing was sent.`) : undefined
}

type Refused = Pick<WrongArgument, 'allowed' | 'remedy'>

/** What is left to an agent whose call may not run unasked; only what another call tool asks a person about runs there. */
const wayOut = (question: RiskQuestion, { wireName }: UpstreamToolOptions, args: unknown): string =>
  wireName === undefined && assess({ ...question, variant: 'call_tool_write' }, args).risk !== 'low'
    ? 'make the same call with call_tool_write, where a person is asked'
    : 'let the operator rate the tool'

/**
 * What keeps arguments from running unasked although their schema lets them pass. Whoever is asked reads on the card what
 * was not checked or declared; nobody is told of a call that runs unasked. Of a schema that checks nothing at all only its
 * server is the cause, and where that says that the tool only reads, it is believed.
 */
export const unfitToRunUnasked =
  (question: RiskQuestion, options: UpstreamToolOptions): FurtherCheck =>
  (args, checked) => {
    const { limit, unusable } = checked
    const uncheckedAllowed = unusable !== undefined && markedAs(question.tool.annotations) === 'read-only'
    const found = unvouched(question, args)
    const unchecked = (limit ?? unusable) !== undefined && !uncheckedAllowed && runsUnrated(question, args)
    if (!unchecked && found.length === 0) return []
    const otherwise = wayOut(question, options, args)
    return [
      ...(unchecked ? [{ path: [], ...notChecked(checked, otherwise) }] : []),
      ...found.map(({ at, inText }) => ({ path: [...at], ...(inText ? mayAct(otherwise) : undeclared(otherwise)) })),
    ]
  }

/** Arguments that nobody checked to their end. */
function notChecked({ limit, unusable }: Parameters<FurtherCheck>[1], otherwise: string): Refused {
  if (limit !== undefined) return { allowed: `${limit}. Otherwise ${otherwise}` }
  const why = `the schema of the tool cannot be used (${unusable ?? ''}), so nobody checked the arguments`
  return {
    allowed: `nothing that runs unasked, because ${why}: ${otherwise}`,
    remedy: { kind: 'instead', instruction: `${otherwise[0]?.toUpperCase() ?? ''}${otherwise.slice(1)}: ${why}` },
  }
}

/** A text whose JSON may name an action. */
const mayAct = (otherwise: string): Refused => ({
  allowed: `text that is not JSON, or plain JSON that names no action: nobody vouches for the call otherwise. Leave it out, or ${otherwise}`,
})

/** An argument that the tool does not declare. */
function undeclared(otherwise: string): Refused {
  const why = `the tool does not declare it, and its server does not say that it only reads. Otherwise ${otherwise}`
  return { allowed: `nothing: ${why}`, remedy: { kind: 'leave-out', why } }
}
