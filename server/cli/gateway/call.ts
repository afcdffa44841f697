// `countersign call tool-read|tool-write|tool-destructive`: the gateway's doors for people and scripts. The command itself
// says what is meant, so the intent's operation_type is filled in from it; a preview is text, and its button is a yes.
import { plainSentence } from '../../cards/figures.ts'
import { plainCardOf } from '../../operators/approval-text.ts'
import { call as callTool } from '../../rail/call.ts'
import { withKnownTool } from '../../rail/intake/await-tool.ts'
import { bodyOf, envelopeOf } from '../../rail/answers/envelope.ts'
import type { Answer } from '../../rail/answers/outcome.ts'
import { rationaleLimits } from '../../rail/intake/rationale.ts'
import { callPlanTool } from '../../rail/apply/plan-tools.ts'
import type { Caller, CallRequest, Engine } from '../../rail/engine.ts'
import type { Composed } from '../../compose/compose.ts'
import { localPrincipal } from '../../mcp/local-principal.ts'
import { saysYes, withTerminal } from '../terminal/ask.ts'
import { interruption } from '../terminal/interruption.ts'
import {
  approvalWithPlan,
  decisionText,
  earlierApprovals,
  isLive,
  needsMore,
  ranText,
  withdraw,
  type EarlierApproval,
} from './earlier-approval.ts'
import { gatewayIn, isTrusted, openGateway } from './gateway-serve.ts'
import { exit, print, printedAs, say } from '../terminal/output.ts'
import type { OutputOptions } from '../config-options.ts'
import { showProgress } from '../terminal/progress.ts'

export interface CallOptions extends OutputOptions {
  readonly config: string
  readonly toolName: string
  readonly json_args: string
  readonly reason?: string
  readonly sensitivity?: string
  readonly yes?: true
  /** A preview, or an approval, of this very call. */
  readonly ticket?: string
  /** Asks anew for what was decided before. */
  readonly again?: true
  readonly db?: string
  readonly trustedHost?: true
  readonly as: string
}

export type Operation = 'read' | 'write' | 'destructive'

/** Makes one call and prints what came of it. Answers the exit code: 0, 1 the tool failed, 2 refused. */
export async function callCommand(operation: Operation, options: CallOptions): Promise<number> {
  const found = await gatewayIn(options, exit.refused)
  if (typeof found === 'number') return found
  const { config } = found
  // One call needs one server; without it the door itself says which names there are.
  const named = options.toolName.slice(0, Math.max(0, options.toolName.indexOf(':')))
  const server = config.servers[named]
  const servers = server === undefined ? config.servers : { [named]: server }
  const composed = await openGateway({ ...config, servers }, 'gateway', {
    ...options,
    patienceMs: 60_000,
    saysOutcome: true,
  })
  if (typeof composed === 'number') return composed
  const { signal, off } = interruption('SIGINT')
  try {
    if (server?.start === 'lazy') await composed.gateway?.pool.startAll()
    await composed.gateway?.refresh()
    const caller: Caller = {
      principal: localPrincipal(options.as),
      permissions: 'all',
      client: 'terminal',
      // What is shown here is a preview with a button, as good as a card.
      cards: 'yes',
      trusted: isTrusted({ ...config, servers }, options),
    }
    const ask = asker(composed, operation, options, { caller, signal })
    return printAnswer(await confirmed(composed, ask, caller, options), options)
  } finally {
    off()
    await composed.close()
  }
}

type Ask = (more: Readonly<Record<string, unknown>>) => Promise<Answer>

/** The reason of the intent is the rationale as well, where it is long enough for one. */
function rationaleOf(reason = ''): { readonly rationale?: string } {
  const said = reason.trim()
  if (said.length >= rationaleLimits.shortest) return {}
  return { rationale: `Called by a person at the terminal${said === '' ? '.' : `: ${said}`}` }
}

/** The call through its door, as often as the confirmation needs it. */
function asker(
  { parts }: Composed,
  operation: Operation,
  options: CallOptions,
  who: Pick<CallRequest, 'caller' | 'signal'>,
): Ask {
  const { reason, sensitivity } = options
  const intent = {
    operation_type: operation,
    ...(sensitivity === undefined ? {} : { data_sensitivity: sensitivity }),
    ...(reason === undefined ? {} : { reason }),
  }
  return async (more) => {
    const args = {
      name: options.toolName,
      args_json: options.json_args,
      intent,
      ...rationaleOf(reason),
      ...more,
    }
    const door = parts.gatewayTools?.translate(`call_tool_${operation}`, args)
    if (door === undefined) throw new Error('The gateway has no such door.')
    const shown = showProgress()
    const asked: CallRequest = { ...who, ...door, source: 'cli', onProgress: (step) => shown.tell(step) }
    try {
      return await withKnownTool(parts.engine, asked, (known) => callTool(parts.engine, known))
    } finally {
      shown.end()
    }
  }
}

/** Calls; where a preview comes back, shows it and calls again once somebody said yes, here or by an approval. */
async function confirmed({ parts }: Composed, ask: Ask, caller: Caller, options: CallOptions): Promise<Answer> {
  const { engine } = parts
  if (options.ticket !== undefined) return named(engine, await ask({ ticket: options.ticket, preview: false }))
  const preview = await ask({})
  const ticket = preview.card?.plan?.ticket
  if (preview.outcome !== 'previewed' || ticket === undefined) return preview
  const all = await earlierApprovals(engine, preview)
  const live = all.filter(isLive)
  const earlier = live.find(({ approval }) => approval.state === 'approved') ?? all[0]
  // Only what was decided can be asked anew.
  const known = options.again === true && earlier?.approval.state !== 'pending' ? undefined : earlier
  // What is approved may run at any moment, so it is finished and not confirmed a second time.
  if (known?.approval.state === 'approved' && isLive(known)) return resume(engine, ask, preview, known)
  say.line(previewText(preview))
  say.line()
  const said = options.yes === true ? undefined : await askPerson(preview, known)
  if (said === undefined && known !== undefined) return resume(engine, ask, preview, known)
  if (said === undefined && options.yes !== true) return preview
  const agreed = options.yes === true || saysYes(said)
  const others = live.find(needsMore)
  if (agreed && others !== undefined) return resume(engine, ask, preview, others)
  for (const each of live)
    // It was approved and started while the question stood here.
    if (!(await withdraw(engine, caller, each))) return resume(engine, ask, preview, each)
  if (!agreed) {
    await callPlanTool(engine, caller, 'countersign_plan_cancel', { ticket })
    return preview
  }
  // A person who types yes is what a recorded click stands for. A script's --yes is not.
  if (said !== undefined)
    await callPlanTool(engine, { ...caller, trusted: true }, 'countersign_plan_confirm', { ticket })
  return ask({ ticket, preview: false })
}

/** The answer to a call by its ticket; a person reads whether it ran now. */
async function named({ plans }: Engine, answer: Answer): Promise<Answer> {
  const { outcome, planId } = answer
  const plan = outcome !== 'replayed' || planId === undefined ? undefined : await plans.find({ by: 'id', id: planId })
  if (plan !== undefined)
    say.line(`This very call ${ranText(plan)}. Nothing has run now; --again instead of --ticket asks anew.`)
  return answer
}

/** What the person at the terminal answers; `undefined` where there is none. */
const askPerson = ({ preview }: Answer, known: EarlierApproval | undefined): Promise<string | undefined> =>
  withTerminal(true, (terminal) => {
    if (terminal === undefined) return Promise.resolve(undefined)
    if (known !== undefined && known.approval.state !== 'pending')
      say.line(`${decisionText(known)} Nothing has run now; this asks anew.`)
    return terminal.ask(`${preview?.confirmLabel ?? 'Do it'}? [y/N] `)
  })

/** Goes on with an earlier approval of the previewed call. Of two plans for one call only that one may stay. */
async function resume(engine: Engine, ask: Ask, { planId }: Answer, { approval }: EarlierApproval): Promise<Answer> {
  if (planId !== undefined) await engine.plans.cancel(planId)
  // It may have been decided, and started, while somebody was asked here.
  const now = await approvalWithPlan(engine, approval.id)
  if (now !== undefined && now.approval.state !== 'pending')
    say.line(`${decisionText(now)}${isLive(now) ? '' : ' Nothing has run now; --again asks anew.'}`)
  return ask({ ticket: approval.id, preview: false })
}

/** The preview as its card says it, not as an agent is told. */
const previewText = (answer: Answer): string => plainCardOf(answer) ?? answer.text

async function printAnswer(answer: Answer, options: CallOptions): Promise<number> {
  const code = exitCodeOf(answer)
  if (await printedAs(options.output, jsonOf(answer))) return code
  if (answer.outcome === 'previewed')
    say.line(
      answer.card?.plan === undefined
        ? previewText(answer)
        : 'Nothing has happened. Confirm in a terminal, or run it again with --yes.',
    )
  else (code === exit.ok ? print : say.line)(textOf(answer))
  return code
}

/** The envelope that MCP and REST carry, with the upstream's own result as it came. */
const jsonOf = (answer: Answer): unknown => ({
  ...(answer.outcome === 'awaiting_approval' ? bodyOf(answer) : envelopeOf(answer)),
  ...(answer.result === undefined ? {} : { result: answer.result }),
})

interface Passed {
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/** A read's own words; what became of anything else. */
function textOf(answer: Answer): string {
  if (answer.approval !== undefined) return waitingText(answer.approval)
  if (answer.outcome !== 'ok') return answer.text
  const { content = [], structuredContent } = answer.result as Passed
  const blocks = content.map((block) =>
    block.type === 'text' && typeof block.text === 'string' ? block.text : `[${String(block.type)}]`,
  )
  return blocks.length === 0 ? JSON.stringify(structuredContent ?? null, null, 2) : blocks.join('\n')
}

/** What waits for a person, and how they and this command go on. */
const waitingText = ({ id, summary, url, command, commandVariables }: NonNullable<Answer['approval']>): string =>
  [
    `This needs a person's approval; nothing has happened yet. ${plainSentence(summary)}`,
    `To approve it, run: ${command}`,
    ...(commandVariables.length === 0
      ? []
      : [`It needs ${commandVariables.join(' and ')} of this server in its terminal.`]),
    ...(url.startsWith('/') ? [] : [`Or open ${url}`]),
    `Then run this command again, or add --ticket ${id}: it makes the call and prints what came of it.`,
  ].join('\n')

/** 0 done, 1 the tool failed, 2 nothing was allowed to happen. */
function exitCodeOf(answer: Answer): number {
  switch (answer.outcome) {
    case 'ok':
      return (answer.result as Passed | undefined)?.isError === true ? exit.failed : exit.ok
    case 'applied':
    case 'replayed':
      return exit.ok
    case 'failed':
    case 'outcome_unknown':
    case 'running':
      return exit.failed
    case 'previewed':
    case 'refused':
    case 'mismatch':
    case 'stale':
    case 'awaiting_approval':
      return exit.refused
    default:
      return answer.outcome satisfies never
  }
}
