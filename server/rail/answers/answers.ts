// From a failure to the answer that every door formats: guidance, card and text from the same facts.
import { errorCard, type ErrorFacts } from '../../cards/builders.ts'
import { withoutLife, type Words } from '../../cards/alive.ts'
import { lineText } from '../../cards/card-text.ts'
import { cardWords, fill } from '../../cards/card-words.ts'
import { inlineText } from '../../cards/render-text.ts'
import type { Card } from '../../model/card.ts'
import { formatPreview } from '../../confirm/message.ts'
import type { Failure } from '../../errors/failure.ts'
import type { ErrorGuidance } from '../../errors/guidance.ts'
import { guidanceFor } from '../../errors/table.ts'
import { isUnexplained } from '../../errors/unexplained.ts'
import { argumentsAtDoor, orderedArguments } from './argument-order.ts'
import { hideSecrets, marksSecrets } from './hide-secrets.ts'
import { codeExamples, type ExampleContext } from './code-examples.ts'
import { explainedGuidance } from './explained.ts'
import { allowedIn, toldFailure, type Teller } from './failure-words.ts'
import type { Tool } from '../../tools/catalog.ts'
import { cheatsheetUri, reservedNamesFor } from '../../tools/names.ts'
import { checkCardMessages } from '../preview/check-card-messages.ts'
import { readShown } from '../preview/shown.ts'
import { onlyCallable } from '../preview/suggested-calls.ts'
import type { Answer } from './outcome.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Plan } from '../../model/plan-store.ts'
import { rationaleArgument } from '../intake/rationale.ts'
import type { ParsedCall } from '../call-context.ts'
import type { Engine, GuidanceSettings, Spelling } from '../engine.ts'
import { languageOf } from '../language.ts'

/** What is known beside the failure. */
export interface FailureContext {
  readonly outcome: Outcome
  readonly planId?: string | undefined
  /** The other side says itself that it failed; what it left behind is not known. */
  readonly reported?: boolean
  /** The call to offer as "Preview again". */
  readonly retry?: Retry | undefined
}

/** The same call once more, as a preview. */
type Retry = Pick<ParsedCall, 'tool' | 'input' | 'rationale'> & {
  readonly request: { readonly spelling?: Spelling | undefined }
}

/** Where a failure is told: without a tool where there is none, or the caller may not know of it. */
type FailedCall = ExampleContext & {
  /** The plan that it named. */
  readonly plan?: Plan | undefined
}

/** The answer to a call that did not (or may not) do what it was meant to. */
export function failureAnswer(failed: FailedCall, found: Failure, given: FailureContext): Answer {
  const { engine, tool } = failed
  const failure = hideSecrets(found, tool)
  const sheet = tool?.contract.cheatsheet
  const docs = sheet === undefined ? [] : [cheatsheetUri(sheet)]
  const advice = onlyCallable(engine, failure.tool, guidanceFor(failure, docs))
  const declared = { ...advice, code_examples: codeExamples(failed, failure, advice.fix) }
  const guidance = explainedGuidance(failed, failure, declared)
  // Where guidance is withheld nothing of what follows may differ by what was found out.
  const told = engine.settings.guidance.errors ? guidance : declared
  const drawn = failed.request?.drawn !== undefined || (tool !== undefined && tool.contract.operation !== 'read')
  const context = {
    ...given,
    outcome: failure.kind === 'tool-failed' && failure.refused === true ? 'refused' : given.outcome,
    // A preview of what is refused again would be a button to nowhere.
    retry: told.retryable === 'no' ? undefined : given.retry,
  } as const
  return {
    outcome: context.outcome,
    tool: failure.tool,
    ...(tool === undefined ? {} : { contract: tool.contract }),
    ...(context.planId === undefined ? {} : { planId: context.planId }),
    guidance,
    ...(guidance === declared ? {} : { declared }),
    ...(failure.kind === 'intent' ? { details: failure.details } : {}),
    ...(failure.kind === 'not-permitted' ? { missing: failure.missing } : {}),
    ...(drawn ? { card: failureCard(engine, cardedAs(failed, failure), failure, told, context) } : {}),
    text: guidanceText(told, engine.settings.guidance),
  }
}

const cardStates: Partial<Record<Outcome, ErrorFacts['state']>> = {
  refused: 'refused',
  stale: 'stale',
  outcome_unknown: 'unknown',
  running: 'applying',
}

/** What stands on a card as its tool, and how that card speaks. */
interface Named extends Pick<Tool, 'wireName'>, Teller {
  readonly title: string
}

/** How the card of a failed call speaks: as the call's own card does, in English where there is no tool. */
function cardedAs({ engine, tool, request, plan }: FailedCall, failure: Failure): Named {
  if (tool === undefined) return { wireName: failure.tool, title: failure.tool, language: 'en', failures: {} }
  const { wireName, contract } = tool
  const language = request === undefined ? 'en' : languageOf({ engine, request, tool })
  return { wireName, title: titleIn(language, tool, plan), language, failures: contract.failures }
}

/** What a tool does, as a title. A contract has one in English; in another language a preview has shown one, else there is a name. */
export function titleIn(language: string, { contract, wireName }: Tool, plan: Plan | undefined): string {
  if (language === 'en') return contract.title
  const shown = plan && readShown(plan.shown)
  return shown !== undefined && shown.language === language && shown.title !== '' ? shown.title : wireName
}

/** The card of a failure. */
export function failureCard(
  engine: Engine,
  named: Named,
  failure: Failure,
  guidance: ErrorGuidance,
  context: FailureContext,
): Card {
  const { language } = named
  const state = cardStates[context.outcome] ?? 'failed'
  const { $nothingChanged, missing } = cardWords(language)
  // Nobody has looked what had been done when an error of our own came, or the database went away.
  const isUnsure = failure.kind === 'internal' || (failure.kind === 'store-unavailable' && failure.uncertain === true)
  const mayHaveRun = state === 'unknown' || state === 'applying' || isUnsure
  return checkCardMessages(
    errorCard({
      tool: named.wireName,
      language,
      source: engine.settings.source,
      title: failureTitle(named, state, context.reported === true),
      subtitle: mayHaveRun ? undefined : $nothingChanged,
      code: guidance.error_type,
      ...wordsOf(named, failure, guidance),
      fields: guidance.field_errors.map(({ pointer, received, allowed }, index) => ({
        pointer,
        received: typeof received === 'string' ? received : (JSON.stringify(received) ?? missing),
        allowed: allowedIn(language, {
          allowed,
          limit: failure.kind === 'invalid-arguments' ? failure.fields[index]?.limit : undefined,
        }),
      })),
      state,
      planId: context.planId,
      previewText:
        context.retry === undefined || marksSecrets(context.retry.tool) ? undefined : previewMessage(context.retry),
      at: new Date(engine.now()).toISOString(),
    }),
  )
}

/** What the card says: in English what the agent is told, in another language what is written for the person. */
function wordsOf(
  named: Named,
  failure: Failure,
  { message, cause, actionable_guidance: next }: ErrorGuidance,
): Pick<ErrorFacts, 'message' | 'cause' | 'said' | 'next'> {
  if (named.language === 'en') return { message, cause, next }
  const { title, text, said } = toldFailure(failure, named)
  return { message: title, cause: text, said, next: [] }
}

/**
 * `Preview: call …` for the same arguments, in the order of the schema. `only`: it says that it is to be previewed, also where
 * such a call runs without.
 */
export function previewMessage({ tool, input, rationale, request: { spelling } }: Retry, only = false): string {
  const own = orderedArguments(tool, input)
  const names = spelling === undefined ? tool.reserved : reservedNamesFor([])
  return formatPreview(spelling?.tool ?? tool.wireName, [
    ...(spelling === undefined ? own : argumentsAtDoor(spelling, own)),
    ...rationaleArgument(names.rationale, rationale),
    ...(only ? [[names.preview, true] as const] : []),
  ])
}

function failureTitle({ title, language }: Named, state: ErrorFacts['state'], reported: boolean): string {
  const { notDone, notKnown, saidToFail, isRunning } = cardWords(language)
  if (state === 'unknown') return fill(reported ? saidToFail : notKnown, title)
  return fill(state === 'applying' ? isRunning : notDone, title)
}

/**
 * Guidance as a text that stands on its own. Messages quote what others sent, so each stays one line: nothing in them
 * can pass for a sentence of ours, or be a link. Without `errors` it says what happened and why, and not what to do.
 */
export const guidanceText = (guidance: ErrorGuidance, { errors }: Pick<GuidanceSettings, 'errors'>): string =>
  withoutLife((words) => {
    const { message, error_type, cause, code_examples, related_docs } = guidance
    const docs = related_docs.length === 0 ? [] : [`More: ${related_docs.join(', ')}`]
    const examples = code_examples.map((example) => `For example: ${words.program(inlineText(example))}`)
    return [
      `**${lineText(message, words)}** (${error_type})`,
      lineText(cause, words),
      ...(errors ? [stepsText(guidance, words), ...examples, ...docs] : []),
    ].join('\n\n')
  })

/** What to do, one step a line. */
function stepsText(guidance: ErrorGuidance, words: Words): string {
  const fixes = guidance.fix.flatMap((fix): string[] =>
    fix.kind === 'call_tool'
      ? [`Call ${fix.tool} with ${words.code(inlineText(JSON.stringify(fix.arguments)))}: ${fix.why}`]
      : [],
  )
  return [...guidance.actionable_guidance, ...fixes].map((step) => `→ ${lineText(step, words)}`).join('\n')
}

/** What to do about an error that stands beside it in its server's own words; nothing where nothing is known of it. */
export const adviceText = (guidance: ErrorGuidance): string =>
  isUnexplained(guidance.evidence.rule) && guidance.fix.length === 0
    ? ''
    : withoutLife((words) =>
        [`${lineText(guidance.cause, words)} (${guidance.error_type})`, stepsText(guidance, words)].join('\n'),
      )
