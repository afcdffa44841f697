// The tools that only cards call: how they are listed, and their answers as tool results. What a host may show to its model
// stands in `content` and `structuredContent`; what only the card is meant to have, in `_meta`.
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { errorOf } from '../rail/answers/envelope.ts'
import { guidanceText } from '../rail/answers/answers.ts'
import { isCardRead, readForCard, type CardReadName } from '../rail/apply/card-reads.ts'
import { callPlanTool, isPlanTool, type PlanStatus, type PlanToolName } from '../rail/apply/plan-tools.ts'
import { revisePlan } from '../rail/apply/revise-plan.ts'
import { engineFor } from '../rail/guidance-half.ts'
import type { Failure } from '../errors/failure.ts'
import { guidanceFor } from '../errors/table.ts'
import { cardLimits } from '../cards/limits.ts'
import type { CallRequest, Engine } from '../rail/engine.ts'
import type { Tool } from '../tools/catalog.ts'
import { appTools, progressMetaKey } from '../tools/names.ts'

type AppToolName = PlanToolName | CardReadName | typeof appTools.revise

/** Whether a tool is one of those that our card calls. */
export const isAppTool = (name: string): name is AppToolName =>
  isPlanTool(name) || isCardRead(name) || name === appTools.revise

const text = (description: string, maxLength: number) => ({ type: 'string', maxLength, description })
const ticket = { ticket: text('The ticket of the card.', 64) }
const place = {
  list: text('The list, as the card names it.', cardLimits.listPart),
  after: text('What the page before ended with; the first page without it.', cardLimits.listPart),
  key: text('The row to show in full.', cardLimits.listPart),
}

const changed = {
  set: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'JSON Pointer of an argument → its text.',
  },
  leave_out: { type: 'array', items: { type: 'string' }, description: 'JSON Pointers of members of lists.' },
  send: { type: 'boolean', description: 'false only checks.' },
}

/** Of each its title, its arguments, and which of them beside the ticket it needs. */
const declared: Readonly<Record<AppToolName, readonly [string, Record<string, object>, ...string[]]>> = {
  [appTools.status]: ['State of a preview', ticket],
  [appTools.confirm]: ['Record a click on Confirm', ticket],
  [appTools.cancel]: ['Cancel a preview', ticket],
  [appTools.page]: ['More of a list on a preview', { ...ticket, ...place }, 'list'],
  [appTools.revise]: ['Change values of a preview', { ...ticket, ...changed }],
  [appTools.progress]: ['How it goes on', { ticket: text('The ticket of the card, or the id of its plan.', 64) }],
}

/** The field of a contract without which no card needs the tool. */
const neededFor: Partial<Record<AppToolName, 'lists' | 'follow' | 'revise'>> = {
  [appTools.page]: 'lists',
  [appTools.progress]: 'follow',
  [appTools.revise]: 'revise',
}

/** The app-only tools of a server with these tools: those that not every card needs only where one may. */
export const appToolsFor = (tools: readonly Tool[], also: readonly AppToolName[] = []): McpTool[] => {
  const isNeeded = (name: AppToolName): boolean => {
    const field = neededFor[name]
    return (
      field === undefined ||
      also.includes(name) ||
      tools.some(({ contract }) => contract.operation !== 'read' && contract[field] !== undefined)
    )
  }
  return (Object.keys(declared) as AppToolName[]).filter(isNeeded).map(listed)
}

function listed(name: AppToolName): McpTool {
  const [title, properties, ...needed] = declared[name]
  return {
    name,
    title,
    description: 'For the confirmation card only. Not for agents: it does not apply anything.',
    inputSchema: {
      type: 'object',
      properties,
      required: ['ticket', ...needed],
      additionalProperties: false,
    },
    annotations: {
      title,
      readOnlyHint: name !== appTools.confirm && name !== appTools.cancel && name !== appTools.revise,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    _meta: { ui: { visibility: ['app'] } },
  }
}

interface Told {
  readonly status: PlanStatus
  readonly meta?: Readonly<Record<string, unknown>>
}

async function ask(engine: Engine, { caller, args, signal }: CallRequest, name: AppToolName): Promise<Told | Failure> {
  try {
    if (name === appTools.revise) return await revisePlan(engine, caller, { args, signal })
    if (isCardRead(name)) return await readForCard(engine, caller, { name, args, signal })
    const status = await callPlanTool(engine, caller, name, args)
    return status === undefined ? { kind: 'not-your-card', tool: name } : { status }
  } catch (error) {
    const uncertain = error instanceof Error && 'effect' in error && error.effect === 'unknown'
    const failure = { kind: 'store-unavailable', tool: name, incident: engine.report(error, name) } as const
    return uncertain ? { ...failure, uncertain } : failure
  }
}

/** Answers a call of one of these tools: the plan's state and what the card reads, or why it cannot be told. */
export async function appToolResult(asked: Engine, request: CallRequest, name: AppToolName): Promise<CallToolResult> {
  const { engine } = engineFor(asked, request.caller)
  const told = await ask(engine, request, name)
  if (!('status' in told)) {
    const guidance = guidanceFor(told)
    return {
      isError: true,
      content: [{ type: 'text', text: guidanceText(guidance, engine.settings.guidance) }],
      structuredContent: {
        error: errorOf(guidance, undefined),
        ...(engine.settings.guidance.errors ? { error_guidance: guidance } : {}),
      },
    }
  }
  const { meta } = told
  const { progress, ...status } = told.status
  return {
    content: [{ type: 'text', text: `Plan ${status.plan_id} is ${status.state}.` }],
    structuredContent: { ...status },
    // What a tool, or a server behind, says of its progress is for the card and no model.
    ...(meta === undefined && progress === undefined
      ? {}
      : { _meta: { ...meta, ...(progress === undefined ? {} : { [progressMetaKey]: progress }) } }),
  }
}
