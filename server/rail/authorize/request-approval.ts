// What cannot bring its proof goes to a person outside the chat, never to silent execution. The approval rests on a
// plan, which is held open for it: approving runs that plan, and the plan's own life makes sure that it runs once
// (docs/DESIGN.md, section 3).
import { approvalCard, waitingCard } from '../../cards/builders.ts'
import { withoutLife } from '../../cards/alive.ts'
import { cardText, wordsText } from '../../cards/card-text.ts'
import { plainSentence } from '../../cards/figures.ts'
import { newApprovalId } from '../../confirm/secret.ts'
import { approvalNeeds } from '../../policy/may-approve.ts'
import type { Risk } from '../../model/risk.ts'
import { approvalPath, type Approval } from '../../model/approvals.ts'
import { cardFacts, describeCall } from '../preview/describe.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { Answer } from '../answers/outcome.ts'
import { planAnswer } from '../answers/plan-answers.ts'
import { openPreview } from '../preview/preview.ts'
import { revisionBlocks } from '../preview/revision.ts'
import { readShown } from '../preview/shown.ts'
import { needsStepUp } from './gate.ts'
import type { ToolCall, WriteCall } from '../call-context.ts'

/**
 * Asks for an approval of a call, or answers the one that is already waiting for the same call. `weak`: the confirmed
 * plan whose proof was too weak, where there is one.
 */
export async function requestApproval(asked: WriteCall, risk: Risk, weak?: Plan): Promise<Answer> {
  // Who decides is somebody else than who asks, and the operators' pages are in English.
  const call = { ...asked, request: { ...asked.request, language: 'en' } }
  const { engine, request, tool } = call
  const { approvals, plans, settings } = engine
  const { subject } = request.caller.principal
  if (approvals === undefined) throw new Error('This engine has no approvals.')
  const described = await describeCall(call)
  if (described.kind === 'answer') return described.answer
  // A confirmed plan of an earlier state is not what the approver is about to read, whatever the state is when it runs.
  const { plan, answer } =
    weak !== undefined && weak.basis === described.basis
      ? { plan: weak, answer: undefined }
      : await openPreview(call, described)
  if (answer !== undefined && plan.state !== 'open') return answer
  const revision = revisionBlocks(call, call.input, readShown(plan.shown).proposed)
  const signed = approvalCard({ ...cardFacts(call, described.preview), revision })
  await call.row?.written
  const { approval, existing } = await approvals.request({
    id: newApprovalId(engine.random),
    planId: plan.id,
    digest: plan.digest,
    principal: request.caller.principal,
    client: request.caller.client,
    tool: tool.wireName,
    risk,
    summary: described.preview.summary,
    rationale: call.rationale,
    card: JSON.stringify(signed),
    declared: request.declared,
    stepUp: await needsStepUp(call),
    ...approvalNeeds(settings.approvals, tool.wireName, risk),
    ttlMs: settings.approvalTtlMs,
  })
  // Of two plans for the same call only the one that the approval rests on may stay.
  if (existing && approval.planId !== plan.id) await plans.cancel(plan.id)
  else {
    const held = await plans.hold(plan.id, settings.approvalTtlMs)
    // It was revoked, or has run, while the approver's card was made.
    if (held !== undefined && held.state !== 'open') return planAnswer({ ...call, plan: held })
  }
  const waiting = waitingAnswer(call, approval)
  const card = waitingCard(
    signed,
    `Requested by ${subject} through ${request.caller.client}. Nothing has happened yet.`,
  )
  return { ...waiting, card, text: `${waiting.text}\n\n${cardText(card)}` }
}

/** "A person must decide", and how the agent learns what they decided. */
export function waitingAnswer({ engine, request, tool }: ToolCall, approval: Approval): Answer {
  const ticket = request.spelling === undefined ? tool.reserved.ticket : 'ticket'
  const called = request.spelling?.tool ?? tool.wireName
  const { webAddress: web, operatorOptions, operatorVariables = [] } = engine.settings
  const url = `${web ?? ''}${approvalPath(approval.id)}`
  const command = ['countersign approvals approve', approval.id, operatorOptions].filter(Boolean).join(' ')
  const terminal =
    operatorVariables.length === 0 ? '' : ` in a terminal that has ${operatorVariables.join(' and ')} of this server`
  const where = [...(web === undefined ? [] : [`at ${url}`]), `with the command \`${command}\`${terminal}`].join(' or ')
  const again = `call ${called} again with the same arguments and \`${ticket}="${approval.id}"\` and \`preview=false\``
  const hours = Math.max(1, Math.round((approval.expiresAt - engine.now()) / 3_600_000))
  return {
    outcome: 'awaiting_approval',
    tool: tool.wireName,
    contract: tool.contract,
    planId: approval.planId,
    approval: {
      id: approval.id,
      summary: approval.summary,
      ttlSeconds: Math.round(engine.settings.approvalTtlMs / 1000),
      url,
      command,
      commandVariables: operatorVariables,
    },
    next: `Tell the person to approve or reject ${approval.id} ${where}, end your turn, and once they say that it has been decided, ${again}.`,
    text: [
      `**This needs a person's approval outside of this chat; nothing has happened yet.** ${withoutLife((words) => wordsText(plainSentence(approval.summary), words))}`,
      `Tell the person: approve or reject ${approval.id} ${where}, within ${hours} hours.${needsOf(approval)}`,
      `You cannot approve it. When the person says that it has been decided, ${again}; it answers with the outcome, or says that it is still waiting.`,
    ].join('\n\n'),
  }
}

/** What a decision takes beyond one person, whoever it is. */
function needsOf({ approvers, fourEyes, votes }: Approval): string {
  const agreed = votes.filter(({ decision }) => decision === 'approved').length
  const many =
    approvers > 1
      ? ` ${approvers} people must agree; ${agreed === 0 ? 'nobody has' : `${agreed} of them ${agreed === 1 ? 'has' : 'have'}`} so far.`
      : ''
  return `${many}${fourEyes ? ' The person who asked cannot approve it.' : ''}`
}
