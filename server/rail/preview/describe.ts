// Asks the tool for its preview and its basis (the fingerprint of the state) once. Card, plan and approval are made of this
// one value, so that nobody confirms a state that they have not seen.
import { previewCard } from '../../cards/builders.ts'
import { cardText } from '../../cards/card-text.ts'
import { plainSentence } from '../../cards/figures.ts'
import type { Card, CardRisk } from '../../model/card.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Preview, ToolContext, ToolFailed, WriteContract } from '../../tools/contract.ts'
import { failureAnswer, previewMessage } from '../answers/answers.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import { checkCardMessages } from './check-card-messages.ts'
import { ratedRisk } from '../authorize/gate.ts'
import type { Cover } from '../authorize/grant-cover.ts'
import { coveredNotice } from '../answers/grant-answers.ts'
import { isToolFailed } from '../tool-values.ts'
import { declaredFailure, invoke, toolContext, type Invoked } from '../invoke-contract.ts'
import type { Answer } from '../answers/outcome.ts'
import type { WriteCall } from '../call-context.ts'
import { languageOf } from '../language.ts'
import { unresolvedValueIn } from '../intake/unresolved-values.ts'

/** What the tool says it would do now, and the state that this rests on. */
export interface Description {
  readonly kind: 'described'
  readonly preview: Preview
  readonly basis: string | undefined
}

export type Described =
  | Description
  /** It cannot be done as it is: the answer says why. */
  | { readonly kind: 'answer'; readonly answer: Answer }

/** Reads and describes, and leaves nothing behind. */
export async function describeCall(call: WriteCall): Promise<Described> {
  const { contract } = call.tool
  const ctx = toolContext(call)
  // The basis comes first: if the state moves while the preview is made, the plan carries the older fingerprint and
  // the apply finds it stale. The other order could confirm something that nobody saw.
  const basis = await readBasis(call, ctx)
  const shown =
    basis.kind === 'value'
      ? await invoke(call, 'preview', ctx, async () => promised(contract, await contract.preview(call.input, ctx)))
      : basis
  if (basis.kind !== 'value' || shown.kind !== 'value') return { kind: 'answer', answer: previewFailure(call, shown) }
  const { blocked } = shown.value
  if (blocked !== undefined) return { kind: 'answer', answer: blockedAnswer(call, shown.value, blocked) }
  return { kind: 'described', preview: shown.value, basis: basis.value }
}

/** The fingerprint of the state now. One that every state could have (none, empty) would let any state pass for it. */
export const readBasis = (call: WriteCall, ctx: ToolContext): Promise<Invoked<string | undefined>> =>
  invoke(call, 'basis', ctx, async () => {
    const { contract } = call.tool
    if (contract.basis === undefined) return undefined
    const found: unknown = await contract.basis(call.input, ctx)
    if (typeof found === 'string' && found !== '') return found
    if (isToolFailed(found)) return found
    const what = unresolvedValueIn(found) ?? (found === '' ? 'an empty text' : found === null ? 'null' : typeof found)
    throw new Error(
      `The tool's basis answered with ${what}, which is not a fingerprint. Return a string such as a version or an etag.`,
    )
  })

/** A contract that wants something typed gets no button that can be pressed without, and a card shows no list of another. */
function promised(contract: WriteContract, preview: Preview | ToolFailed): Preview | ToolFailed {
  if (isToolFailed(preview)) return preview
  for (const block of preview.blocks ?? [])
    if (block.kind === 'pages' && contract.lists?.[block.list] === undefined)
      throw new Error(`The preview shows the list "${block.list}", which is not among the contract's lists.`)
  if (contract.confirmation !== 'type-name') return preview
  if (preview.confirmPhrase !== undefined || preview.blocked !== undefined) return preview
  throw new Error('The contract says confirmation "type-name", and its preview names no confirmPhrase.')
}

function previewFailure(call: WriteCall, trouble: Invoked<unknown>): Answer {
  const { tool } = call
  const incident = trouble.kind === 'crashed' ? trouble.incident : 'none'
  const failure: Failure =
    trouble.kind === 'failed'
      ? declaredFailure(tool, trouble.failed, trouble.spec, 'preview')
      : { kind: 'tool-crashed', tool: tool.wireName, during: 'preview', incident }
  return failureAnswer(call, failure, { outcome: 'failed', retry: call })
}

/** Nothing to confirm: no plan is opened, the card says why and what would unblock it. */
function blockedAnswer(call: WriteCall, preview: Preview, blocked: NonNullable<Preview['blocked']>): Answer {
  const facts = {
    ...cardFacts(call, preview),
    blocked,
    previewText: marksSecrets(call.tool) ? undefined : previewMessage(call),
  }
  const card = checkCardMessages(previewCard(facts))
  return {
    ...previewAnswer(call, preview, card),
    next: plainSentence(blocked.text ?? blocked.title),
    text: `${cardText(card)}\n\nThis cannot be confirmed as it is, and nothing has happened. Tell the person what blocks it.`,
  }
}

/** A preview's answer, before its text. */
export const previewAnswer = ({ tool, dryRun }: WriteCall, preview: Preview, card: Card): Answer => ({
  outcome: 'previewed',
  tool: tool.wireName,
  contract: tool.contract,
  preview,
  ...(dryRun ? { dryRunForm: true } : {}),
  card,
  text: '',
})

/** What a card says beside what the tool says. */
export interface CardOptions {
  /** Said first: why a preview came instead of a result. */
  readonly notices?: readonly { readonly title: string; readonly text?: string }[]
  /** The grant under which it could run at once. */
  readonly cover?: Cover | undefined
}

/** What a preview's card shows, whoever it is for. */
export function cardFacts(call: WriteCall, preview: Preview, options: CardOptions = {}) {
  const language = languageOf(call)
  const covered = options.cover === undefined ? [] : [coveredNotice(options.cover, language)]
  return {
    tool: call.tool.wireName,
    language,
    source: call.engine.settings.source,
    title: preview.title,
    subtitle: preview.subtitle,
    icon: preview.icon,
    claim: call.rationale,
    changes: preview.changes,
    unchanged: preview.unchanged,
    blocks: preview.blocks,
    effects: preview.effects,
    warnings: preview.warnings,
    notices: [...(options.notices ?? []), ...covered],
    confirmLabel: preview.confirmLabel,
    confirmPhrase: call.tool.contract.confirmation === 'click' ? undefined : preview.confirmPhrase,
    risk: ratedRisk(call) as CardRisk,
  }
}
