// From a result to the answer that every door formats, and to the card that follows what the call has begun. Both offer
// calls (Undo, what can be made of the work that goes on): as new previews, never run by themselves.
import { successCard, type SuccessFacts } from '../../cards/builders.ts'
import { withoutLife } from '../../cards/alive.ts'
import { cardText } from '../../cards/card-text.ts'
import { cardWords, fill } from '../../cards/card-words.ts'
import { figureText } from '../../cards/figures.ts'
import { unmarked } from '../../cards/unmarked.ts'
import type { Card } from '../../model/card.ts'
import type { Followed } from '../../tools/card-reads.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { OfferedCall } from '../../tools/contract.ts'
import { budgetUse } from './budget-usage.ts'
import { checkCardMessages } from '../preview/check-card-messages.ts'
import { callable } from '../preview/suggested-calls.ts'
import type { PlannedCall } from '../call-context.ts'
import { languageOf } from '../language.ts'
import { previewMessage } from './answers.ts'
import { dataBlocks } from '../../tools/planned/data-blocks.ts'
import type { Answer } from './outcome.ts'

interface AppliedFacts {
  readonly outcome: 'applied' | 'replayed'
  /** `undefined` when it is no longer kept, or was not as the contract says. */
  readonly output: { readonly value: unknown } | undefined
  readonly at: number
  readonly notice?: { readonly title: string; readonly text?: string } | undefined
}

/** The answer to a call that took effect. */
export function appliedAnswer(call: PlannedCall, facts: AppliedFacts): Answer {
  const { plan, tool } = call
  const { contract } = tool
  const card = appliedCard(call, facts)
  const head =
    facts.outcome === 'replayed'
      ? `This was already applied at ${new Date(facts.at).toISOString()}; it was not run again. ${facts.output === undefined ? 'Its result is no longer stored.' : 'The recorded result:'}`
      : 'Applied.'
  const value = facts.output?.value ?? undefined
  const data =
    value === undefined || contract.passes === true
      ? []
      : [withoutLife((words) => `Result: ${words.code(JSON.stringify(value))}`)]
  return {
    outcome: facts.outcome,
    tool: tool.wireName,
    contract,
    ...(facts.output === undefined ? {} : { result: facts.output.value }),
    ...(facts.output === undefined ? {} : budgetUse(call, facts.output.value)),
    planId: plan.id,
    card,
    next: 'Tell the person what came of it, and do not repeat the call.',
    text: [head, cardText(card), ...data].join('\n\n'),
    ...(contract.passes === true ? { textBesideResult: [head, cardText(withoutCode(card))].join('\n\n') } : {}),
  }
}

/** The answer of an upstream stands on its card as code. */
const withoutCode = (card: Card): Card => ({ ...card, blocks: card.blocks.filter(({ kind }) => kind !== 'code') })

/** What the card of a success says whatever the tool says. */
const identityOf = (call: PlannedCall, at: number, language: string, isReplay = true) => ({
  tool: call.tool.wireName,
  language,
  source: call.engine.settings.source,
  planId: call.plan.id,
  signed: signatureOf(call, isReplay, language),
  at: new Date(at).toISOString(),
})

/**
 * Who agreed to a call, and when, where this very answer is that of its run, or names the approval by which it ran: as far as
 * the server knows it, and not merely an agent says so. Nobody where a grant stands for it, which its notice says.
 */
function signatureOf({ plan, proof, notice }: PlannedCall, isReplay: boolean, language: string): string | undefined {
  const { signed, confirmedOnCard, approved } = cardWords(language)
  const moment = (at: number): string =>
    figureText({ kind: 'date', iso: new Date(at).toISOString(), precision: 'minute' })
  if (notice !== undefined) return undefined
  if (proof?.approval?.decidedAt !== undefined)
    return fill(approved, unmarked(proof.approval.decidedBy ?? ''), moment(proof.approval.decidedAt))
  if (isReplay || proof?.credential !== 'ticket' || plan.click === undefined) return undefined
  return fill(plan.click.trusted ? signed : confirmedOnCard, moment(plan.click.at))
}

const plainTitle = ({ contract }: Tool): string => `${contract.title}: done`

/** The tool's own words for its success. The effect stands, so where those words break, plain ones take their place. */
function appliedCard(call: PlannedCall, facts: AppliedFacts): Card {
  const { engine, tool, input } = call
  const { contract } = tool
  const notices = facts.notice === undefined ? [] : [facts.notice]
  // What stands on a card without the tool's own words is in English.
  const isReplay = facts.outcome === 'replayed'
  const plain = { ...identityOf(call, facts.at, 'en', isReplay), notices, title: plainTitle(tool) }
  if (facts.output === undefined) return successCard(plain)
  const { value } = facts.output
  const language = languageOf(call)
  const follow = contract.follow !== undefined
  const generic = { ...plain, blocks: dataBlocks(value), follow }
  try {
    const own = contract.cards?.success?.(input, value, { language })
    const said =
      own === undefined ? generic : { ...identityOf(call, facts.at, language, isReplay), notices, ...own, follow }
    return checkCardMessages(successCard({ ...said, offers: undoOf(call, value) }))
  } catch (error) {
    engine.report(error, `${tool.wireName} success card`)
    return successCard(generic)
  }
}

/** The success card as it stands by now, of what goes on after its call. */
export function followedCard(call: PlannedCall, output: unknown, followed: Followed): Card {
  const { tool, input, plan } = call
  const own = tool.contract.cards?.success?.(input, output, { language: languageOf(call) })
  const language = own === undefined && followed.title === undefined ? 'en' : languageOf(call)
  const offers = followed.offers?.flatMap((offer) => offered(call, offer, 'follow'))
  return checkCardMessages(
    successCard({
      ...identityOf(call, plan.changedAt, language),
      ...own,
      title: followed.title ?? own?.title ?? plainTitle(tool),
      subtitle: followed.subtitle ?? own?.subtitle,
      blocks: followed.blocks,
      offers: offers ?? undoOf(call, output),
      follow: !followed.done,
    }),
  )
}

type Offers = NonNullable<SuccessFacts['offers']>

/** What can be done about a call that took effect: what it left undone, and taking it back. */
function undoOf(call: PlannedCall, output: unknown): Offers {
  const { engine, input, tool } = call
  const language = languageOf(call)
  return (['rest', 'undo'] as const).flatMap((as) => {
    try {
      const offer = tool.contract[as]?.(input, output, { language })
      return offer === undefined ? [] : offered(call, offer, as)
    } catch (error) {
      // The effect stands, and so does what its card says of it.
      engine.report(error, `${tool.wireName} ${as}`)
      return []
    }
  })
}

const rationales = {
  undo: (id: string) => `Undo of plan ${id}, asked for by the person.`,
  rest: (id: string) => `The rest of plan ${id}, asked for by the person.`,
  follow: (id: string) => `The person asked for it on the card of plan ${id}.`,
} as const

/** A button for a call that the tool offers; none, with a report, for one that could not be made or is no preview. */
function offered(
  { engine, tool: { contract }, plan }: PlannedCall,
  offer: OfferedCall,
  as: keyof typeof rationales,
): Offers {
  const rationale = rationales[as](plan.id)
  const reserved = engine.catalog.find(offer.tool)?.reserved.rationale ?? 'rationale'
  // As it will come back: with a reason, and without a word of ours that would make it more than a preview.
  const call = { tool: offer.tool, arguments: { ...offer.arguments, [reserved]: rationale } }
  const where = `${contract.name} ${as}`
  const tool = callable(engine, where, call)
  if (tool === undefined) return []
  if (!isPreview(tool, offer.arguments)) {
    engine.report(new Error(`It offers a call of ${offer.tool} that is not a preview.`), where)
    return []
  }
  return [{ label: `${offer.label}…`, text: previewMessage({ tool, input: offer.arguments, rationale, request: {} }) }]
}

const isPreview = ({ contract, reserved }: Tool, args: Readonly<Record<string, unknown>>): boolean =>
  contract.operation !== 'read' && !Object.values(reserved).some((name: string) => Object.hasOwn(args, name))
