// A preview changes nothing, says exactly what would change, and leaves one thing behind: the plan that can be
// confirmed. It is also what comes back whenever an apply could not run (another basis, other arguments, no ticket).
import { z } from 'zod'
import { previewCard } from '../cards/builders.ts'
import { cardChangeSchema } from '../cards/card.schema.ts'
import { cardText } from '../cards/card-text.ts'
import type { Card, CardChange, CardRisk } from '../cards/card.ts'
import { callDigest } from '../confirm/canonical.ts'
import { formatApply, formatCancel, type Argument } from '../confirm/message.ts'
import { newPlanId, newTicket, ticketHash } from '../confirm/secret.ts'
import type { Tool } from '../tools/catalog.ts'
import type { Preview, ToolFailed, WriteContract } from '../tools/contract.ts'
import { reservedNamesFor } from '../tools/names.ts'
import { failureAnswer, orderedArguments, previewMessage } from './answers.ts'
import { applyPlanName, longestTitle } from './apply-plan.ts'
import { checkMessages } from './check-messages.ts'
import { outsideNotice, previewCoaching } from './coaching.ts'
import { needsPeople, needsStepUp, ratedRisk } from './gate.ts'
import type { Cover } from './grants-cover.ts'
import { coveredNotice, standingOf } from './grants-text.ts'
import { declaredFailure, guard, isToolFailed, toolContext } from './guard.ts'
import type { Answer } from './outcome.ts'
import type { ParsedCall } from './parse.ts'
import { rationaleArgument } from './rationale.ts'
import type { CallRequest, Road } from './request.ts'

/** Above this many bytes of text the Apply message names the plan instead of repeating the arguments. */
const inlineLimit = 8 * 1024

export interface PreviewOptions {
  /** Said first on the card: why a preview came instead of a result. */
  readonly notices?: readonly { readonly title: string; readonly text?: string }[]
  /** Nobody is asked: the plan is for this call alone. */
  readonly alone?: true
  /** What the person saw before the state moved. */
  readonly saw?: readonly CardChange[]
  /** The standing permission under which it could run at once. */
  readonly cover?: Cover | undefined
}

/** What a plan keeps of its preview. */
const shownSchema = z.object({ title: z.string(), changes: z.array(cardChangeSchema) })
export interface Shown {
  readonly title: string
  readonly changes: readonly CardChange[]
}

/** Reads what `previewCall` wrote into the plan; text of an unknown form reads as nothing shown. */
export function readShown(shown: string): Shown {
  const parsed = shownSchema.safeParse(JSON.parse(shown))
  return parsed.success ? parsed.data : { title: '', changes: [] }
}

/** What the tool says it would do now, and the state that this rests on. */
export type Described =
  | { readonly kind: 'described'; readonly preview: Preview; readonly basis: string | undefined }
  /** It cannot be done as it is: the answer says why. */
  | { readonly kind: 'answer'; readonly answer: Answer }

/** Reads and describes, and leaves nothing behind. */
export async function describeCall(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
): Promise<Described> {
  const ctx = toolContext(road, request, parsed.rationale, request.signal)
  // The basis comes first: if the state moves while the preview is made, the plan carries the older fingerprint and
  // the apply finds it stale. The other order could confirm something that nobody saw.
  const basis = await guard(road, tool, 'basis', () => contract.basis?.(parsed.input, ctx))
  const shown =
    basis.kind === 'value'
      ? await guard(road, tool, 'preview', async () => typed(contract, await contract.preview(parsed.input, ctx)))
      : basis
  if (basis.kind !== 'value' || shown.kind !== 'value')
    return { kind: 'answer', answer: previewFailure(road, request, tool, parsed, shown) }
  if (shown.value.blocked !== undefined)
    return { kind: 'answer', answer: blockedAnswer(road, request, tool, contract, parsed, shown.value) }
  return { kind: 'described', preview: shown.value, basis: basis.value }
}

/** A contract that wants something typed gets no button that can be pressed without. */
function typed(contract: WriteContract, preview: Preview | ToolFailed): Preview | ToolFailed {
  if (contract.confirmation !== 'type-name' || isToolFailed(preview)) return preview
  if (preview.confirmPhrase !== undefined || preview.blocked !== undefined) return preview
  throw new Error('The contract says confirmation "type-name", and its preview names no confirmPhrase.')
}

/** Makes a preview: reads, describes, opens a plan, and answers with its card. */
export async function previewCall(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
  options: PreviewOptions = {},
): Promise<Answer> {
  const described = await describeCall(road, request, tool, contract, parsed)
  if (described.kind === 'answer') return described.answer
  const preview = withSaw(described.preview, options.saw)
  const { cover } = options
  const { tenant } = request.caller.principal
  const risk = ratedRisk(road, tenant, contract, tool.wireName, parsed.input)
  const people = needsPeople(road, tool.wireName, risk) && cover === undefined
  const notices = [...(options.notices ?? []), ...(people ? [outsideNotice] : [])]
  const ticket = newTicket(road.random)
  const id = newPlanId(road.random)
  const cardWith = (warnings: NonNullable<Preview['warnings']>): Card =>
    checkMessages(
      previewCard({
        ...cardFacts(road, request, tool, contract, parsed, { ...preview, warnings }, { ...options, notices }),
        plan: { id, ticket, expires_in_ms: road.settings.planTtlMs },
        applyText: applyText(road, request, tool, parsed, preview.title, ticket),
        cancelText: formatCancel(contract.noun, id),
        previewText: previewMessage({
          tool,
          input: parsed.input,
          rationale: parsed.rationale,
          spelling: request.spelling,
        }),
      }),
    )
  // Before the plan: what no card can show must not take the place of a preview that somebody is looking at.
  const first = cardWith(preview.warnings ?? [])
  const digest = callDigest(tool.wireName, tool.definition, parsed.canonical)
  const { plan, appliedAt } = await road.ledger.open({
    id,
    ticketHash: ticketHash(ticket),
    // A call that asks nobody neither replaces a card that somebody is looking at, nor another such call.
    digest: options.alone === true ? `${digest}:${id}` : digest,
    tool: tool.wireName,
    definition: tool.definition,
    principal: request.caller.principal,
    basis: described.basis,
    args: parsed.canonical,
    rationale: parsed.rationale,
    shown: JSON.stringify({ title: preview.title, changes: described.preview.changes ?? [] } satisfies Shown),
    ttlMs: road.settings.planTtlMs,
  })
  const repeats = repeatWarning(contract, appliedAt, plan.createdAt)
  const warnings = [...(preview.warnings ?? []), ...repeats]
  const card = repeats.length === 0 ? first : cardWith(warnings)
  const outside = people || needsStepUp(road, contract, parsed.input)
  const needed = outside ? 'approval' : risk === 'forbidden' ? 'recorded' : road.settings.proof[risk]
  return {
    ...previewAnswer(tool, contract, { ...preview, warnings }, card),
    planId: plan.id,
    expiresAt: plan.expiresAt,
    ...(cover === undefined ? {} : { standing: standingOf(cover.grant, cover.left) }),
    text: `${cardText(card)}\n\n${previewCoaching(tool, plan, needed, request, road.approvals !== undefined, cover)}`,
  }
}

function previewFailure(
  road: Road,
  request: CallRequest,
  tool: Tool,
  parsed: ParsedCall,
  outcome: Awaited<ReturnType<typeof guard<unknown>>>,
): Answer {
  const retry = { tool, input: parsed.input, rationale: parsed.rationale, spelling: request.spelling }
  if (outcome.kind === 'failed')
    return failureAnswer(road, tool, declaredFailure(tool, outcome.failed, outcome.spec, 'preview'), {
      outcome: 'failed',
      retry,
    })
  const incident = outcome.kind === 'crashed' ? outcome.incident : 'none'
  return failureAnswer(
    road,
    tool,
    { kind: 'tool-crashed', tool: tool.wireName, during: 'preview', incident },
    { outcome: 'failed', retry },
  )
}

/** Nothing to confirm: no plan is opened, the card says why and what would unblock it. */
function blockedAnswer(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
  preview: Preview,
): Answer {
  const card = checkMessages(
    previewCard({
      ...cardFacts(road, request, tool, contract, parsed, preview, {}),
      blocked: preview.blocked,
      previewText: previewMessage({
        tool,
        input: parsed.input,
        rationale: parsed.rationale,
        spelling: request.spelling,
      }),
    }),
  )
  return {
    ...previewAnswer(tool, contract, preview, card),
    text: `${cardText(card)}\n\nThis cannot be confirmed as it is, and nothing has happened. Tell the person what blocks it.`,
  }
}

const previewAnswer = (tool: Tool, contract: WriteContract, preview: Preview, card: Card): Answer => ({
  outcome: 'previewed',
  tool: tool.wireName,
  contract,
  preview,
  card,
  text: '',
})

/** What a preview's card shows, whoever it is for. */
export function cardFacts(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
  preview: Preview,
  options: PreviewOptions,
) {
  const risk = ratedRisk(road, request.caller.principal.tenant, contract, tool.wireName, parsed.input) as CardRisk
  return {
    tool: tool.wireName,
    source: road.settings.source,
    title: preview.title,
    subtitle: preview.subtitle,
    claim: parsed.rationale,
    changes: preview.changes,
    unchanged: preview.unchanged,
    blocks: preview.blocks,
    effects: preview.effects,
    warnings: preview.warnings,
    notices: [...(options.notices ?? []), ...(options.cover === undefined ? [] : [coveredNotice(options.cover)])],
    confirmLabel: preview.confirmLabel,
    confirmPhrase: contract.confirmation === 'click' ? undefined : preview.confirmPhrase,
    risk,
    irreversible: risk === 'high' || risk === 'critical',
  }
}

/** The text that the card sends: the arguments in full, or the plan by name where they are too long for a chat. */
function applyText(
  road: Road,
  { spelling }: CallRequest,
  tool: Tool,
  parsed: ParsedCall,
  title: string,
  ticket: string,
): string {
  const names = spelling === undefined ? tool.reserved : reservedNamesFor([])
  const tail: Argument[] = [...rationaleArgument(names.rationale, parsed.rationale), [names.ticket, ticket]]
  if (road.settings.apply !== 'reference') {
    const own = orderedArguments(tool, parsed.input)
    const inline =
      spelling === undefined
        ? formatApply(tool.wireName, [...own, ...tail], names.preview)
        : formatApply(spelling.tool, [...spelling.wrap(own), ...tail])
    if (road.settings.apply === 'inline' || Buffer.byteLength(inline) <= inlineLimit) return inline
  }
  return formatApply(applyPlanName, [
    ['tool', tool.wireName],
    ['title', title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…`.toWellFormed() : title],
    ...rationaleArgument('rationale', parsed.rationale),
    ['ticket', ticket],
  ])
}

function repeatWarning(
  contract: WriteContract,
  appliedAt: number | undefined,
  now: number,
): readonly { readonly title: string; readonly text: string }[] {
  if (appliedAt === undefined) return []
  const seconds = Math.max(0, Math.round((now - appliedAt) / 1000))
  const ago = seconds < 60 ? `${seconds} seconds` : seconds < 120 ? '1 minute' : `${Math.floor(seconds / 60)} minutes`
  return [
    {
      title: `An identical call was applied ${ago} ago.`,
      text: `Confirming does it again: ${contract.sideEffects.map((effect) => effect.onRepeat).join(' ')}`,
    },
  ]
}

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
