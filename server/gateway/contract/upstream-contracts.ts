// An upstream tool is one more contract, whose `run` goes over the wire; so rail, gate and record apply to it unchanged.
// Through which door it is called decides what it is where its server says nothing, so a tool has a contract for each.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import type { Contract, ReadContract, ToolContext, ToolFailed } from '../../tools/contract.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import { checkerOf, inputSchemaOf, type SchemaCheck } from './argument-check.ts'
import { doorFor, type Variant } from '../doors/call-with.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import { answerDigest, createDryRun, isFailed, type AskDryRun } from './dry-run.ts'
import type { HeldChange, PinnedTool } from '../upstream/definitions/pins.ts'
import { qualifiedName } from '../upstream/pool.ts'
import { forbidden, heldFailure, unfit, unfitToRunUnasked } from '../doors/refusals.ts'
import {
  assess,
  mayRunAlone,
  possibleAssessments,
  riskOfTool,
  type Assessed,
  type RiskQuestion,
} from '../rating/assess.ts'
import { atLeast } from '../rating/rating.ts'
import { saysFailed } from '../upstream/connection/says-failed.ts'
import { outputPromise } from './output-promise.ts'
import { shippedDryRun, type DryRun } from './shipped-dry-runs.ts'
import {
  findSuspicious,
  foreignNames,
  type Finding,
  type ForeignNames,
} from '../upstream/definitions/prompt-injection.ts'
import { rulesFor } from '../rating/tool-overrides.ts'
import { describe, listedOf, successOf, titleOf } from './tool-words.ts'
import { errorText, sendCall, upstreamFailures } from '../upstream/connection/upstream-call.ts'
import { upstreamPreview } from './upstream-preview.ts'
import type { RawResult, Upstream } from '../upstream/upstream.ts'
import { hiddenViews, isForModel, type ToolView, type Views } from '../passthrough/views.ts'

/** A contract in front of an upstream tool. */
export type UpstreamContract = Contract & {
  readonly wire: string
  readonly passes: true
  /** Digest of the pinned definition: the same through every door, so that a plan is bound to the tool and not to it. */
  readonly pinned: string
}

/** An upstream tool with everything that can be known before the first call. */
export interface UpstreamTool {
  /** `server:tool`. */
  readonly name: string
  readonly upstream: Upstream
  /** As pinned; its `annotations` are the strictest that the server ever gave. */
  readonly definition: ToolDefinition
  /** Digest of the pinned definition. */
  readonly digest: string
  /** A change that waits for an operator; until then the tool is listed and not called. */
  readonly held: HeldChange | undefined
  readonly findings: readonly Finding[]
  readonly callWith: Variant
  /** The server's description, and through which door it is called. */
  readonly description: string
  /** The highest that a call without a rule of the operator can be. */
  readonly assessed: Assessed
  readonly dryRun: DryRun | undefined
  /** Checks arguments without calling. */
  readonly check: SchemaCheck
  /** What its server says of its structured content. */
  readonly promises: Contract['promises']
  /** The contract for one door, made once. */
  contract(variant: Variant): UpstreamContract
}

export interface UpstreamToolOptions {
  /** Name on the wire; `server:tool` when absent. `wrap` gives the tool's own. */
  readonly wireName?: (tool: string) => string
  /** Qualified names of the tools of other servers, for findings in descriptions. */
  readonly others?: Iterable<string>
  /** What becomes of its server's views; hidden when absent. */
  readonly views?: Views
  /** Name of a cheatsheet that is served, where this server has one. */
  readonly cheatsheet?: string
  /** The read door takes what is above low as well, and a person is asked; otherwise it names the right door. */
  readonly readDoorAsks?: boolean
  /** What similar calls did before, for the preview. The tool as it is on the wire, and so in the record. */
  readonly similar?: (tool: string, input: unknown, ctx: ToolContext) => Promise<readonly CardBlock[]>
}

/** The tools of one upstream, as pinned. Make them anew when its list or its pins change. */
export const upstreamTools = (
  upstream: Upstream,
  pinned: readonly PinnedTool[],
  options: UpstreamToolOptions = {},
): readonly UpstreamTool[] => {
  const foreign = foreignNames(options.others ?? [])
  return pinned.map((tool) => toUpstreamTool(upstream, tool, foreign, options))
}

function toUpstreamTool(
  upstream: Upstream,
  pinned: PinnedTool,
  foreign: ForeignNames,
  options: UpstreamToolOptions,
): UpstreamTool {
  const { definition, digest, held } = pinned
  const { config } = upstream
  // What the tool is rated does not depend on the door; any door will do to ask.
  const assessed = possibleAssessments(questionOf(upstream, definition, 'call_tool_read'))[0]
  const door = doorFor(definition.annotations, assessed)
  const contracts = new Map<Variant, UpstreamContract>()
  let findings: readonly Finding[] | undefined
  let promised: { readonly of: Contract['promises'] } | undefined
  const tool: UpstreamTool = {
    name: qualifiedName(upstream.name, definition.name),
    upstream,
    definition,
    digest,
    held,
    get findings() {
      return (findings ??= findSuspicious(definition, foreign))
    },
    callWith: door,
    description: `${describe(definition, upstream)} Call it with ${door}.`,
    assessed,
    dryRun: rulesFor(config.tools, definition.name)?.dry_run ?? shippedDryRun(upstream.identity()?.name, definition),
    check: checkerOf(definition.inputSchema),
    get promises() {
      return (promised ??= { of: outputPromise(definition.outputSchema) }).of
    },
    contract(variant) {
      const known = contracts.get(variant)
      if (known !== undefined) return known
      const made = makeContract(tool, variant, options)
      contracts.set(variant, made)
      return made
    },
  }
  return tool
}

const questionOf = (upstream: Upstream, definition: ToolDefinition, variant: Variant): RiskQuestion => ({
  tool: definition,
  variant,
  server: upstream.config,
})

function makeContract(tool: UpstreamTool, variant: Variant, options: UpstreamToolOptions): UpstreamContract {
  const { upstream, definition, check } = tool
  const question = questionOf(upstream, definition, variant)
  const called: Called = { tool, question, options }
  const possible = possibleAssessments(question)
  const operation = possible.map((assessed) => assessed.operation).reduce(atLeast)
  const risk = riskOfTool(question)
  const override = rulesFor(upstream.config.tools, definition.name)
  const { promises } = tool
  const common = {
    name: tool.name,
    wire: options.wireName?.(definition.name) ?? tool.name,
    passes: true,
    sparing: definition.annotations?.destructiveHint === false,
    pinned: tool.digest,
    listed: listedOf(definition),
    title: titleOf(definition),
    description: describe(definition, upstream),
    category: upstream.name,
    permissions: [...upstream.config.permissions, ...(override?.permissions ?? [])],
    external: definition.annotations?.openWorldHint !== false,
    ...(options.cheatsheet === undefined ? {} : { cheatsheet: options.cheatsheet }),
    input: inputSchemaOf(definition.inputSchema, check, override?.when, unfitToRunUnasked(question, options)),
    // Whatever the upstream answers is passed on as the same value: no schema of ours looks at it.
    output: z.unknown().meta({ type: 'object' }),
    ...(promises === undefined ? {} : { promises }),
    // A view does not know our parameters, and what only it may call is called by nobody else.
    ...(isForModel(definition) ? {} : { rationale: 'optional' as const }),
  } as const
  const view = (options.views ?? hiddenViews).tool(definition)
  const isRelaxed = upstream.config.rationale === 'optional' || view?.visibility?.includes('model') === false
  const readAt = (rated: ReadContract['risk']): ReadContract & typeof common => ({
    ...common,
    operation: 'read',
    risk: rated,
    failures: upstreamFailures(true),
    ...(isRelaxed && riskAtMost(rated) === 'low' ? { rationale: 'optional' } : {}),
    ...(view === undefined ? {} : { ui: view }),
    run: (input, ctx) => runTool(called, true, input, ctx),
  })
  if (operation === 'read') return readAt(risk)
  // Where nothing above low is applied through the read door, nothing is asked of the server there either.
  const dryRun =
    tool.dryRun === undefined || isClosed(called) ? undefined : createDryRun(upstream, definition.name, tool.dryRun)
  const alone = mayRunAlone(question, override?.autonomous === true)
  return {
    ...common,
    operation,
    risk,
    failures: upstreamFailures(false, override?.error_effect),
    noun: `the call of ${tool.name}`,
    autonomous: alone,
    // What is previewed is shown on our card; only where nobody is asked is there nothing to show but the result.
    ...(view === undefined || (alone !== true && isForModel(definition)) ? {} : { ui: view }),
    sideEffects: [
      {
        what: `Whatever ${definition.name} does on ${upstream.name}.`,
        onRepeat:
          definition.annotations?.idempotentHint === true
            ? 'Its server says that a repeat has no further effect.'
            : 'A repeat may do it a second time.',
      },
    ],
    idempotency: 'plan',
    ...(dryRun === undefined || tool.dryRun === undefined ? {} : { dryRun: tool.dryRun }),
    preview: (input, ctx) => previewTool(called, dryRun, input, ctx),
    basis: async (input, ctx) => basisOf(tool, dryRun, input, ctx),
    run: (input, ctx) => runTool(called, false, input, ctx),
    ...(possible.some(onlyReads)
      ? { reading: { when: (input) => onlyReads(assess(question, input)), contract: readAt('low') } }
      : {}),
    cards: { success: (input, output) => successOf(tool, input, output as RawResult) },
  }
}

const onlyReads = ({ risk, operation }: Assessed): boolean => risk === 'low' && operation === 'read'

/** A tool as it is called through one door. */
interface Called {
  readonly tool: UpstreamTool
  readonly question: RiskQuestion
  readonly options: UpstreamToolOptions
}

/** Whether the door takes nothing that is above low. */
const isClosed = ({ question, options }: Pick<Called, 'question' | 'options'>): boolean =>
  question.variant === 'call_tool_read' && options.readDoorAsks !== true

async function runTool(
  called: Called,
  read: boolean,
  input: unknown,
  ctx: ToolContext,
): Promise<RawResult | ToolFailed> {
  const { tool, question, options } = called
  const { views = hiddenViews } = options
  const { upstream, definition } = tool
  const refused = heldFailure(tool, ctx) ?? unfit(tool, { question, read, closed: isClosed(called) }, input, ctx)
  if (refused !== undefined) return refused
  const answer = await sendCall(upstream, definition.name, input, ctx, { repeatable: read })
  // A read's error passes as it is; a write's may have left something behind, which the engine must know.
  if (isFailed(answer)) return answer
  if (read || !saysFailed(answer)) return pointToView(views.result(answer), read ? undefined : views.tool(definition))
  return ctx.fail('upstream_error', errorText(upstream.name, answer))
}

/** A write is previewed on our card; what it answered says at which view of its server it may be looked at. */
const pointToView = (result: RawResult, view: ToolView | undefined): RawResult =>
  view?.resourceUri === undefined
    ? result
    : { ...result, _meta: { ...result._meta, ui: { resourceUri: view.resourceUri } } }

async function previewTool(
  { tool, question, options }: Called,
  askDryRun: AskDryRun | undefined,
  input: unknown,
  ctx: ToolContext,
) {
  const held = heldFailure(tool, ctx)
  if (held !== undefined) return held
  const assessed = assess(question, input)
  if (assessed.risk === 'forbidden') return forbidden(tool, ctx)
  const dryRun = await askDryRun?.(input, ctx)
  if (isFailed(dryRun)) return dryRun
  const wireName = options.wireName?.(tool.definition.name) ?? tool.name
  return upstreamPreview({
    tool,
    input: input as Readonly<Record<string, unknown>>,
    assessed,
    closed: isClosed({ question, options }),
    dryRun,
    more: (await options.similar?.(wireName, input, ctx)) ?? [],
  })
}

/** What the preview rested on: the definition, and what the dry run said where there is one. */
async function basisOf(
  tool: UpstreamTool,
  dryRun: AskDryRun | undefined,
  input: unknown,
  ctx: ToolContext,
): Promise<string | ToolFailed> {
  const held = heldFailure(tool, ctx)
  if (held !== undefined) return held
  const answer = await dryRun?.(input, ctx)
  if (isFailed(answer)) return answer
  return createHash('sha256')
    .update(`${tool.digest}\n${answer === undefined ? '' : answerDigest(answer)}`)
    .digest('hex')
}
