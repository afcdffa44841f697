// A preview changes nothing, says exactly what would change, and leaves one thing behind: the plan that can be
// confirmed. It is also what comes back whenever an apply could not run (another basis, other arguments, no ticket).
import { z } from 'zod'
import { previewCard } from '../../cards/builders.ts'
import { cardChangeSchema } from '../../cards/card.schema.ts'
import { cardText } from '../../cards/card-text.ts'
import type { Card, CardChange } from '../../model/card.ts'
import { callDigest } from '../../confirm/canonical.ts'
import { formatApply, formatCancel, type Argument } from '../../confirm/message.ts'
import { newPlanId, newTicket, ticketHash } from '../../confirm/secret.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Preview, WriteContract } from '../../tools/contract.ts'
import { reservedNamesFor } from '../../tools/names.ts'
import { orderedArguments, previewMessage, retryOf } from '../answers/answers.ts'
import type { Write } from '../apply/apply-named.ts'
import { applyPlanName, longestTitle } from '../apply/apply-plan.ts'
import { checkMessages } from '../intake/check-messages.ts'
import { outsideNotice, previewCoaching } from '../answers/coaching.ts'
import { cardFacts, describeCall, previewAnswer, type CardOptions, type Description } from './describe.ts'
import { needsPeople, needsStepUp, ratedRisk } from '../authorize/gate.ts'
import { standingOf } from '../answers/grant-answers.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { Answer } from '../answers/outcome.ts'
import type { ParsedCall } from '../intake/parse.ts'
import { rationaleArgument } from '../intake/rationale.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** Above this many bytes of text the Apply message names the plan instead of repeating the arguments. */
const inlineLimit = 8 * 1024

export interface PreviewOptions extends CardOptions {
  /** Nobody is asked: the plan is for this call alone. */
  readonly alone?: true
  /** What the person saw before the state moved. */
  readonly saw?: readonly CardChange[]
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

/** Makes a preview: reads, describes, opens a plan, and answers with its card. */
export async function previewCall(
  engine: Engine,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
  options: PreviewOptions = {},
): Promise<Answer> {
  const described = await describeCall(engine, request, tool, contract, parsed)
  if (described.kind === 'answer') return described.answer
  return (await openPreview(engine, request, { tool, contract, parsed }, described, options)).answer
}

/** Opens a plan that rests on this description, and answers with its card. */
export async function openPreview(
  engine: Engine,
  request: CallRequest,
  { tool, contract, parsed }: Write,
  described: Description,
  options: PreviewOptions = {},
): Promise<{ readonly plan: Plan; readonly answer: Answer }> {
  const preview = withSaw(described.preview, options.saw)
  const { cover } = options
  const { tenant } = request.caller.principal
  const risk = ratedRisk(engine, tenant, contract, tool.wireName, parsed.input)
  const people = needsPeople(engine, tool.wireName, risk) && cover === undefined
  const notices = [...(options.notices ?? []), ...(people ? [outsideNotice] : [])]
  const ticket = newTicket(engine.random)
  const id = newPlanId(engine.random)
  const cardWith = (warnings: NonNullable<Preview['warnings']>): Card =>
    checkMessages(
      previewCard({
        ...cardFacts(engine, request, tool, contract, parsed, { ...preview, warnings }, { ...options, notices }),
        plan: { id, ticket, expires_in_ms: engine.settings.planTtlMs },
        applyText: applyText(engine, request, tool, parsed, preview.title, ticket),
        cancelText: formatCancel(contract.noun, id),
        previewText: previewMessage(retryOf(tool, request, parsed)),
      }),
    )
  // Before the plan: what no card can show must not take the place of a preview that somebody is looking at.
  const first = cardWith(preview.warnings ?? [])
  const digest = callDigest(tool.wireName, tool.definition, parsed.canonical)
  const { plan, appliedAt } = await engine.plans.open({
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
    ttlMs: engine.settings.planTtlMs,
  })
  const repeats = repeatWarning(contract, appliedAt, plan.createdAt)
  const warnings = [...(preview.warnings ?? []), ...repeats]
  const card = repeats.length === 0 ? first : cardWith(warnings)
  const outside = people || needsStepUp(engine, contract, parsed.input)
  const needed = outside ? 'approval' : risk === 'forbidden' ? 'recorded' : engine.settings.proof[risk]
  // As the gate has it: the host's prompt covers all but critical calls.
  const hostConfirms = engine.settings.confirmation === 'host' && risk !== 'critical'
  const answer: Answer = {
    ...previewAnswer(tool, contract, { ...preview, warnings }, card),
    planId: plan.id,
    expiresAt: plan.expiresAt,
    ...(cover === undefined ? {} : { standing: standingOf(cover.grant, cover.left) }),
    text: `${cardText(card)}\n\n${previewCoaching(tool, plan, needed, request, { approvals: engine.approvals !== undefined, hostConfirms }, cover)}`,
  }
  return { plan, answer }
}

/** The text that the card sends: the arguments in full, or the plan by name where they are too long for a chat. */
function applyText(
  engine: Engine,
  { spelling }: CallRequest,
  tool: Tool,
  parsed: ParsedCall,
  title: string,
  ticket: string,
): string {
  const names = spelling === undefined ? tool.reserved : reservedNamesFor([])
  const tail: Argument[] = [...rationaleArgument(names.rationale, parsed.rationale), [names.ticket, ticket]]
  if (engine.settings.apply !== 'reference') {
    const own = orderedArguments(tool, parsed.input)
    const inline =
      spelling === undefined
        ? formatApply(tool.wireName, [...own, ...tail], names.preview)
        : formatApply(spelling.tool, [...spelling.wrap(own), ...tail])
    if (engine.settings.apply === 'inline' || Buffer.byteLength(inline) <= inlineLimit) return inline
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
