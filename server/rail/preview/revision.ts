// A call that the person has changed on its card: what the card offers to change, and what the preview of the changed call says
// of it. The change itself is made in `apply/revise-plan.ts`.
import { callDigest } from '../../confirm/call-digest.ts'
import type { CardBlock } from '../../model/card.ts'
import type { CardEdits } from '../../model/card-edits.ts'
import type { Plan } from '../../model/plan-store.ts'
import { cardEditsOf, editableOf, type Editable } from '../../tools/card-edits.ts'
import type { WriteTool } from '../../tools/catalog.ts'
import { differencesOf } from '../../tools/revised-arguments.ts'
import { previewMessage } from '../answers/answers.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import { cardWords } from '../../cards/card-words.ts'
import type { WriteCall } from '../call-context.ts'
import { languageOf } from '../language.ts'
import { fitsMessage, readShown } from './shown.ts'

const nothing: Editable = { values: [], lists: [] }

/** What of these arguments of a tool may be changed on a card: of one that marks secrets nothing, because no message has those. */
export const editableArguments = (tool: WriteTool, args: unknown, language?: string): Editable =>
  marksSecrets(tool) ? nothing : editableOf(tool, args, language)

/** What of a call its card offers to change; nothing where the call could not be sent as a message. */
export function editsFor(call: WriteCall): CardEdits | undefined {
  if (call.tool.contract.revise === undefined || !fitsMessage(previewMessage(call, true))) return undefined
  return cardEditsOf(editableArguments(call.tool, call.input, languageOf(call)))
}

/** The plan that this call takes the place of, because the person changed its call on its card. */
export const revisedPlan = async ({ engine, tool, canonical, request }: WriteCall): Promise<Plan | undefined> =>
  tool.contract.revise === undefined
    ? undefined
    : engine.plans.findRevised(callDigest(tool.wireName, tool.definition, canonical), request.caller.principal)

/** The arguments that the agent had proposed of the call that this plan revises; nothing where it revises none. */
export function proposedBy(call: WriteCall, revised: Plan | undefined): string | undefined {
  if (revised === undefined) return undefined
  const { proposed = revised.args } = readShown(revised.shown)
  return proposed === call.canonical ? undefined : proposed
}

/** What the person has changed, against what the agent had proposed. */
export function revisionBlocks(call: WriteCall, input: unknown, proposed: string | undefined): readonly CardBlock[] {
  if (proposed === undefined) return []
  const { tool } = call
  const language = languageOf(call)
  const { changes, records } = differencesOf(
    editableArguments(tool, JSON.parse(proposed), language),
    editableArguments(tool, input, language),
  )
  if (changes.length === 0 && records.length === 0) return []
  return [
    { kind: 'text', text: cardWords(language).revised },
    { kind: 'diff', changes, ...(records.length === 0 ? {} : { records }) },
  ]
}
