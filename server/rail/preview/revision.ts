// A call that the person has changed on its card: what the card offers to change, and what the preview of the changed call says
// of it. The change itself is made in `apply/revise-plan.ts`.
import { callDigest } from '../../confirm/canonical.ts'
import type { CardBlock } from '../../model/card.ts'
import type { CardEdits } from '../../model/card-edits.ts'
import type { Plan } from '../../model/plan-store.ts'
import { cardEditsOf, editableOf } from '../../tools/card-edits.ts'
import { differencesOf } from '../../tools/revised-arguments.ts'
import { previewMessage } from '../answers/answers.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import type { WriteCall } from '../call-context.ts'
import { fitsMessage, readShown } from './shown.ts'

/** What of a call its card offers to change; nothing where the changed call could not be sent as a message. */
export function editsFor(call: WriteCall): CardEdits | undefined {
  if (call.tool.contract.revise === undefined || marksSecrets(call.tool)) return undefined
  return fitsMessage(previewMessage(call)) ? cardEditsOf(editableOf(call.tool, call.input)) : undefined
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
export function revisionBlocks(
  { tool }: WriteCall,
  input: unknown,
  proposed: string | undefined,
): readonly CardBlock[] {
  if (proposed === undefined) return []
  const { changes, records } = differencesOf(editableOf(tool, JSON.parse(proposed)), editableOf(tool, input))
  if (changes.length === 0 && records.length === 0) return []
  return [
    { kind: 'text', text: '**Changed on the card**, against what the agent had proposed:' },
    { kind: 'diff', changes, ...(records.length === 0 ? {} : { records }) },
  ]
}
