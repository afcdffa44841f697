// One call of an upstream tool through one call tool: what is asked of its server before a person is, the preview, what the plan
// rests on, and the call itself.
import { createHash } from 'node:crypto'
import type { ToolContext, ToolFailed } from '../../tools/contract.ts'
import { forbidden, heldFailure, unfit } from '../call-tools/refusals.ts'
import { hiddenViews, type ToolView } from '../passthrough/views.ts'
import { loadLineDiff } from '../profiles/line-diff.ts'
import type { KnowsError } from '../profiles/known-errors.ts'
import { readsDigest, type AskBefore } from '../profiles/before.ts'
import { unknownProperties } from '../profiles/unknown-properties.ts'
import { assess, type RiskQuestion } from '../rating/assess.ts'
import { saysFailed } from '../upstream/connection/says-failed.ts'
import { errorText, sendCall } from '../upstream/connection/upstream-call.ts'
import type { RawResult } from '../upstream/upstream.ts'
import { answeredIn, withKnown } from './answered.ts'
import { answerDigest, isFailed, type AskDryRun } from './dry-run.ts'
import type { UpstreamTool, UpstreamToolOptions } from './upstream-contracts.ts'
import { programsOf, upstreamPreview } from './upstream-preview.ts'
import { withLooks } from '../looks/looks.ts'
import { withinLimits } from '../looks/within-limits.ts'

/** What is asked of the server before a person is. */
export interface Asks {
  readonly dryRun: ((...asked: Parameters<AskDryRun>) => ReturnType<AskDryRun> | undefined) | undefined
  readonly before: AskBefore | undefined
}

/** A tool as it is called through one call tool. */
export interface Called {
  readonly tool: UpstreamTool
  readonly question: RiskQuestion
  readonly options: UpstreamToolOptions
  /** What its profile knows of an error's text. */
  readonly knows: KnowsError
}

/** Whether the call tool takes nothing that is above low. */
export const isClosed = ({ question, options }: Pick<Called, 'question' | 'options'>): boolean =>
  question.variant === 'call_tool_read' && options.readVariantAsks !== true

/** Sends the call; a read's own error is an answer, a write's a failure. */
export async function runTool(
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
  // A read's error passes as it is; a write's may have left something behind, which the rail must know.
  if (isFailed(answer)) return withKnown(called, input, answer)
  if (read || !saysFailed(answer)) return pointToView(views.result(answer), read ? undefined : views.tool(definition))
  return withKnown(called, input, {
    ...ctx.fail('upstream_error', errorText(upstream.name, answer)),
    answered: answeredIn(answer),
  })
}

/** A write is previewed on our card; what it answered says at which view of its server it may be looked at. */
const pointToView = (result: RawResult, view: ToolView | undefined): RawResult =>
  view?.resourceUri === undefined
    ? result
    : { ...result, _meta: { ...result._meta, ui: { resourceUri: view.resourceUri } } }

/** What the call would do, as far as its server, its profile and its arguments say. */
export async function previewTool(called: Called, asks: Asks, input: unknown, ctx: ToolContext) {
  const { tool, question, options } = called
  const held = heldFailure(tool, ctx)
  if (held !== undefined) return held
  const assessed = assess(question, input)
  if (assessed.risk === 'forbidden') return forbidden(tool, ctx)
  const [dryRun, readsBefore = []] = await Promise.all([
    asks.dryRun?.(input, ctx),
    asks.before?.(input, ctx),
    loadLineDiff(),
  ])
  if (isFailed(dryRun)) return withKnown(called, input, dryRun)
  const wireName = options.wireName?.(tool.definition.name) ?? tool.name
  const args = input as Readonly<Record<string, unknown>>
  const preview = upstreamPreview({
    tool,
    input: args,
    assessed,
    named: options.wireName !== undefined,
    closed: isClosed({ question, options }),
    dryRun,
    readsBefore,
    unknown: await unknownProperties(tool.profile, input),
    more: (await options.similar?.(wireName, input, ctx)) ?? [],
  })
  return { ...preview, blocks: await withLooks(withinLimits(preview.blocks ?? []), programsOf(tool, args)) }
}

/** What the preview rested on: the definition, what the dry run said, and what was read before. */
export async function basisOf(
  called: Called,
  asks: Asks,
  input: unknown,
  ctx: ToolContext,
): Promise<string | ToolFailed> {
  const { tool } = called
  const held = heldFailure(tool, ctx)
  if (held !== undefined) return held
  const [answer, readsBefore] = await Promise.all([asks.dryRun?.(input, ctx), asks.before?.(input, ctx)])
  if (isFailed(answer)) return withKnown(called, input, answer)
  return createHash('sha256')
    .update(
      `${tool.digest}\n${answer === undefined ? '' : answerDigest(answer)}${readsBefore === undefined ? '' : `\n${readsDigest(readsBefore)}`}`,
    )
    .digest('hex')
}
