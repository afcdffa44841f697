// A preview changes nothing, says exactly what would change, and leaves one thing behind: the plan that can be
// confirmed. It is also what comes back whenever an apply could not run (another basis, other arguments, no ticket).
import { previewCard } from '../../cards/builders.ts'
import { cardText } from '../../cards/card-text.ts'
import { cardWords, fill } from '../../cards/card-words.ts'
import type { Card, CardChange } from '../../model/card.ts'
import { callDigest } from '../../confirm/call-digest.ts'
import { formatApply, formatCancel, type Argument } from '../../confirm/message.ts'
import { newPlanId, newTicket, ticketHash } from '../../confirm/secret.ts'
import type { Preview, WriteContract } from '../../tools/contract.ts'
import { reservedNamesFor } from '../../tools/names.ts'
import { failureAnswer, previewMessage } from '../answers/answers.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import { argumentsAtDoor, orderedArguments } from '../answers/argument-order.ts'
import { applyPlanName, longestTitle } from '../apply/apply-plan.ts'
import { checkCardMessages } from './check-card-messages.ts'
import { nextAfterPreview, outsideNotice, previewInstructions } from '../answers/agent-instructions.ts'
import {
  cardFacts,
  describeCall,
  previewAnswer,
  type CardOptions,
  type Described,
  type Description,
} from './describe.ts'
import { autoApproves } from '../authorize/auto-approve.ts'
import { hostConfirms, needsPeople, needsStepUp, ratedRisk, requiredProof } from '../authorize/gate.ts'
import { coveringGrant } from '../answers/grant-answers.ts'
import type { OpenedPlan, Plan } from '../../model/plan-store.ts'
import type { Answer } from '../answers/outcome.ts'
import { editsFor, proposedBy, revisedPlan, revisionBlocks } from './revision.ts'
import { fitsMessage, type Shown } from './shown.ts'
import { rationaleArgument } from '../intake/rationale.ts'
import type { PlannedCall, WriteCall } from '../call-context.ts'
import { languageOf } from '../language.ts'

export interface PreviewOptions extends CardOptions {
  /** What the person saw before the state moved. */
  readonly saw?: readonly CardChange[]
  /** Canonical JSON of what the agent had proposed, where the person has changed it. */
  readonly proposed?: string | undefined
}

/** Makes a preview: reads, describes, opens a plan, and answers with its card. */
export async function previewCall(call: WriteCall, options: PreviewOptions = {}): Promise<Answer> {
  const described = await describeCall(call)
  if (described.kind === 'answer') return described.answer
  return (await openPreview(call, described, options)).answer
}

/** Opens a plan for a call that runs without a click. What no card could show does not run so either. */
export async function openPlanForRun(
  call: WriteCall,
): Promise<{ readonly kind: 'opened'; readonly call: PlannedCall } | Extract<Described, { kind: 'answer' }>> {
  const described = await describeCall(call)
  return described.kind === 'answer' ? described : { kind: 'opened', call: await openForRun(call, described) }
}

/** An opened plan and its answer. */
interface Previewed {
  readonly plan: Plan
  readonly answer: Answer
  /** The warning that the same call was applied a short time ago, in this language, where it was. */
  readonly repeatsIn?: (language: string) => NonNullable<Preview['warnings']>
}

/** Opens a plan for a call of which this is known, for a run that follows at once. `id`: the plan's, where it is not a new one. */
export async function openForRun(call: WriteCall, described: Description, id?: string): Promise<PlannedCall> {
  const named = { ...newPlan(call), ...(id === undefined ? {} : { id }) }
  cardOf(call, described.preview, named)
  // It neither replaces a card that somebody is looking at, nor another such call.
  const { plan } = await storePlan(call, described, named, `${digestOf(call)}:${named.id}`)
  return { ...call, plan }
}

/** Opens a plan that rests on this description, and answers with its card; where the plan is not open, with why. */
export async function openPreview(
  call: WriteCall,
  described: Description,
  options: PreviewOptions = {},
): Promise<Previewed> {
  const { engine, request, tool } = call
  const { settings } = engine
  const preview = withSaw(described.preview, options.saw)
  const { cover } = options
  const risk = ratedRisk(call)
  const people = needsPeople(call, risk) && cover === undefined
  const notices = [...(options.notices ?? []), ...(people ? [outsideNotice(languageOf(call))] : [])]
  const named = newPlan(call)
  const revised = await revisedPlan(call)
  const proposed = proposedBy(call, revised) ?? options.proposed
  const cardWith = (warnings: NonNullable<Preview['warnings']>): Card =>
    cardOf(call, { ...preview, warnings }, named, { ...options, notices, proposed })
  // Before the plan: what no card can show must not take the place of a preview that somebody is looking at.
  const first = cardWith(preview.warnings ?? [])
  const estimating = typicalDuration(call)
  const { plan, appliedAt } = await storePlan(call, described, named, digestOf(call), {
    isRevision: revised !== undefined,
    proposed,
  })
  if (plan.state !== 'open') return { plan, answer: await stoppedAnswer(call, plan) }
  const repeatsIn = (language: string) => repeatWarning(tool.contract, appliedAt, plan.createdAt, language)
  const repeats = repeatsIn(languageOf(call))
  const warnings = [...(preview.warnings ?? []), ...repeats]
  const card = repeats.length === 0 ? first : cardWith(warnings)
  // As the gate has it: the host's prompt covers all but critical calls.
  const byHost = hostConfirms(call) && risk !== 'critical'
  const isUnasked = risk === 'high' && autoApproves(settings, request.caller.principal.tenant)
  const proof = risk === 'forbidden' ? 'recorded' : requiredProof(call)[risk]
  const needed = people || (await needsStepUp(call)) ? 'approval' : byHost ? 'host' : isUnasked ? 'nothing' : proof
  const answer: Answer = {
    ...previewAnswer(call, { ...(await estimating), ...preview, warnings }, card),
    planId: plan.id,
    expiresAt: plan.expiresAt,
    ...(cover === undefined ? {} : { coveringGrant: coveringGrant(cover.grant, cover.left) }),
    next: nextAfterPreview(call, plan, needed, cover),
    text: `${cardText(card)}\n\n${previewInstructions(call, plan, needed, cover)}`,
  }
  return { plan, answer, repeatsIn }
}

/** An operator stopped all changes while this was being previewed. */
async function stoppedAnswer(call: WriteCall, plan: Plan): Promise<Answer> {
  const freeze = await call.engine.switches?.revoker(plan)
  const failure = { kind: 'frozen', tool: call.tool.wireName, reason: freeze?.reason ?? '' } as const
  return failureAnswer(call, failure, { outcome: 'refused', planId: plan.id })
}

/** The card of a preview that can be confirmed. Throws where no card can show it. */
function cardOf(call: WriteCall, preview: Preview, { id, ticket }: NewPlan, options: PreviewOptions = {}): Card {
  const { engine, tool } = call
  return checkCardMessages(
    previewCard({
      ...cardFacts(call, preview, options),
      revision: revisionBlocks(call, call.input, options.proposed),
      edits: editsFor(call),
      plan: { id, ticket, expires_in_ms: engine.settings.planTtlMs },
      applyText: applyText(call, preview.title, ticket),
      cancelText: formatCancel(tool.contract.noun, id),
      previewText: marksSecrets(tool) ? undefined : previewMessage(call),
    }),
  )
}

/** What a plan is known by: to everybody by its id, and to its card alone by the ticket. */
interface NewPlan {
  readonly id: string
  readonly ticket: string
}

function newPlan({ engine }: WriteCall): NewPlan {
  const ticket = newTicket(engine.random)
  return { ticket, id: newPlanId(engine.random) }
}

/** The digest by which a call is known again. */
export const digestOf = ({ tool, canonical }: WriteCall): string =>
  callDigest(tool.wireName, tool.definition, canonical)

function storePlan(
  call: WriteCall,
  { preview, basis }: Description,
  { id, ticket }: NewPlan,
  digest: string,
  { isRevision = false, proposed }: { readonly isRevision?: boolean; readonly proposed?: string | undefined } = {},
): Promise<OpenedPlan> {
  const { engine, request, tool, canonical, rationale, row } = call
  const { spelling } = request
  const language = languageOf(call)
  const door = spelling && { tool: spelling.tool, around: spelling.around }
  const draft = {
    id,
    ticketHash: ticketHash(ticket),
    digest,
    tool: tool.wireName,
    definition: tool.definition,
    principal: request.caller.principal,
    basis,
    args: canonical,
    rationale,
    shown: JSON.stringify({
      title: preview.title,
      changes: preview.changes ?? [],
      door,
      proposed,
      ...(language === 'en' ? {} : { language }),
    } satisfies Shown),
    ttlMs: engine.settings.planTtlMs,
    isRevision,
  }
  return engine.plans.open(draft, row)
}

/** How long it will take: the tool's own estimate of this very call comes before what its runs took. */
async function typicalDuration({ engine, request, tool }: WriteCall): Promise<Pick<Preview, 'estimatedDurationMs'>> {
  try {
    const { tenant } = request.caller.principal
    const estimatedDurationMs = await engine.typicalDuration?.({ tool: tool.wireName, tenant })
    return estimatedDurationMs === undefined ? {} : { estimatedDurationMs }
  } catch (error) {
    engine.report(error, `how long ${tool.wireName} takes`)
    return {}
  }
}

/** The text that the card sends: the arguments in full, or the plan by name where they are long or hold a secret. */
function applyText({ engine, request, tool, input, rationale }: WriteCall, title: string, ticket: string): string {
  const { spelling } = request
  const names = spelling === undefined ? tool.reserved : reservedNamesFor([])
  const tail: Argument[] = [...rationaleArgument(names.rationale, rationale), [names.ticket, ticket]]
  if (engine.settings.apply !== 'reference') {
    const own = orderedArguments(tool, input)
    const inline =
      spelling === undefined
        ? formatApply(tool.wireName, [...own, ...tail], names.preview)
        : formatApply(spelling.tool, [...argumentsAtDoor(spelling, own), ...tail])
    const fits = fitsMessage(inline) && !marksSecrets(tool)
    if (engine.settings.apply === 'inline' || fits) return inline
  }
  return formatApply(applyPlanName, [
    ['tool', tool.wireName],
    ['title', title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…`.toWellFormed() : title],
    ...rationaleArgument('rationale', rationale),
    ['ticket', ticket],
  ])
}

function repeatWarning(
  { sideEffects }: WriteContract,
  appliedAt: number | undefined,
  now: number,
  language: string,
): readonly { readonly title: string; readonly text: string }[] {
  if (appliedAt === undefined) return []
  const { repeated, repeats } = cardWords(language)
  const seconds = Math.max(0, Math.round((now - appliedAt) / 1000))
  const ago = new Intl.RelativeTimeFormat(language)
  const when = seconds < 60 ? ago.format(-seconds, 'second') : ago.format(-Math.floor(seconds / 60), 'minute')
  // What a contract says of a repeat is in English.
  const what = sideEffects.map(({ onRepeat }) => asSentence(onRepeat)).join(' ')
  return [{ title: fill(repeated, when), text: language === 'en' ? `Confirming does it again: ${what}` : repeats }]
}

/** Contracts say what a repeat does with or without a full stop. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Puts what the person saw beside what is now, field by field. */
function withSaw(preview: Preview, saw: readonly CardChange[] | undefined): Preview {
  if (saw === undefined || saw.length === 0 || preview.changes === undefined) return preview
  const before = new Map(saw.map((change) => [change.pointer, change.before]))
  return {
    ...preview,
    changes: preview.changes.map((change) => {
      const seen = before.get(change.pointer)
      return seen === undefined ? change : { ...change, saw: seen }
    }),
  }
}
