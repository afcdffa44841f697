// THE ROAD. Every call of every door comes through here, in this order and no other: find the tool, parse, check
// permission, ask the gate, then preview or run. It is the only place that runs a tool.
import { successCard } from '../cards/builders.ts'
import { cardText } from '../cards/card-text.ts'
import { readCredential, ticketHash } from '../confirm/secret.ts'
import type { FieldMismatch } from '../errors/failure.ts'
import { guidanceFor } from '../errors/table.ts'
import { decide, type Verdict } from '../policy/decide.ts'
import { proofBrought, type Proof } from '../policy/proof.ts'
import type { Tool } from '../tools/catalog.ts'
import type { ReadContract, Risk, WriteContract } from '../tools/contract.ts'
import { riskAtMost, riskOf } from '../tools/define-tool.ts'
import { applyPlan } from './apply.ts'
import { readApplyPlan, applyPlanName } from './apply-plan.ts'
import { failureAnswer, guidanceText } from './answers.ts'
import { budgetOf } from './budget.ts'
import { declaredFailure, guard, toolContext } from './guard.ts'
import type { Plan } from './ledger.ts'
import { nearest } from './nearest.ts'
import type { Answer } from './outcome.ts'
import { parseCall, type ParsedCall } from './parse.ts'
import { previewCall } from './preview.ts'
import { compareArguments } from './compare.ts'
import type { CallRequest, Road } from './request.ts'
import { refusedPlan, withFreshPreview } from './settled.ts'

/** Takes a call from any door to its outcome. Never throws: trouble is part of the answer. */
export async function call(road: Road, request: CallRequest): Promise<Answer> {
  try {
    return request.tool === applyPlanName ? await callByReference(road, request) : await travel(road, request)
  } catch (error) {
    // Whatever a tool does is caught at the tool; what arrives here is our own ground giving way.
    const incident = road.report(error, request.tool)
    const tool = road.catalog.find(request.tool)
    return failureAnswer(
      road,
      tool !== undefined && riskAtMost(tool.contract.risk) === 'forbidden' ? undefined : tool,
      { kind: 'store-unavailable', tool: request.tool, incident },
      { outcome: 'failed' },
    )
  }
}

async function travel(road: Road, request: CallRequest): Promise<Answer> {
  const tool = road.catalog.find(request.tool)
  if (tool === undefined || riskAtMost(tool.contract.risk) === 'forbidden') return unknownTool(road, request)
  const parsed = parseCall(tool, request.args, road.settings.maxArgumentBytes)
  if (!parsed.ok) return failureAnswer(road, tool, parsed.failure, { outcome: 'refused' })
  const denied = checkPermissions(road, request, tool)
  if (denied !== undefined) return denied
  const { contract } = tool
  const risk = riskOf(contract.risk, parsed.value.input)
  if (contract.operation === 'read') {
    const verdict = gate(road, contract, risk, 'apply', 'none')
    return verdict.kind === 'deny' ? unknownTool(road, request) : runRead(road, request, tool, contract, parsed.value)
  }
  return parsed.value.preview
    ? previewWrite(road, request, tool, contract, parsed.value, risk)
    : applyWrite(road, request, tool, contract, parsed.value, risk)
}

const gate = (
  road: Road,
  contract: ReadContract | WriteContract,
  risk: Risk,
  intent: 'preview' | 'apply',
  proof: Proof,
): Verdict =>
  decide({
    operation: contract.operation,
    risk,
    autonomous: contract.operation !== 'read' && contract.autonomous === true,
    dryRunRequired: contract.operation !== 'read' && contract.dryRunRequired === true,
    intent,
    proof,
    required: road.settings.proof,
  })

/** A forbidden tool and one that does not exist are answered by the same words. */
function unknownTool(road: Road, request: CallRequest): Answer {
  const names = road.catalog.tools.map((tool) => tool.wireName)
  const guidance = guidanceFor({ kind: 'unknown-tool', tool: request.tool, near: nearest(request.tool, names) })
  return { outcome: 'refused', tool: request.tool, guidance, text: guidanceText(guidance) }
}

function checkPermissions(road: Road, request: CallRequest, tool: Tool): Answer | undefined {
  const missing = road.missingPermissions(request.caller.principal, tool.contract.permissions ?? [])
  if (missing.length === 0) return undefined
  const failure = { kind: 'not-permitted', tool: tool.wireName, missing } as const
  return { ...failureAnswer(road, tool, failure, { outcome: 'refused' }), missing }
}

async function runRead(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: ReadContract,
  parsed: ParsedCall,
): Promise<Answer> {
  const ctx = toolContext(road, request, parsed.rationale, request.signal)
  const ran = await guard(road, tool, 'run', () => contract.run(parsed.input, ctx))
  if (ran.kind === 'failed')
    return failureAnswer(road, tool, declaredFailure(tool, ran.failed, ran.spec, 'read'), { outcome: 'failed' })
  if (ran.kind === 'crashed')
    return failureAnswer(
      road,
      tool,
      { kind: 'tool-crashed', tool: tool.wireName, during: 'read', incident: ran.incident },
      { outcome: 'failed' },
    )
  const output = contract.output.safeParse(ran.value)
  if (!output.success) {
    road.report(output.error, `${tool.wireName} output`)
    const issue = output.error.issues[0]
    return failureAnswer(
      road,
      tool,
      {
        kind: 'bad-output',
        tool: tool.wireName,
        pointer: `/${issue?.path.join('/') ?? ''}`,
        problem: issue?.message ?? '',
      },
      { outcome: 'failed' },
    )
  }
  const budget = budgetOf(contract, parsed.input, output.data)
  return {
    outcome: 'ok',
    tool: tool.wireName,
    contract,
    result: output.data,
    ...(budget === undefined ? {} : { budget }),
    text: readText(road, tool, contract, parsed.input, output.data),
  }
}

/** The contract's own words for a result where it has some; otherwise the data itself. */
function readText(road: Road, tool: Tool, contract: ReadContract, input: unknown, output: unknown): string {
  const view = contract.cards?.result?.(input, output)
  if (view === undefined) return JSON.stringify(output)
  const facts = { ...view, tool: tool.wireName, source: road.settings.source, at: new Date(road.now()).toISOString() }
  return cardText(successCard(facts))
}

async function previewWrite(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
  risk: Risk,
): Promise<Answer> {
  if (gate(road, contract, risk, 'preview', 'none').kind === 'deny') return unknownTool(road, request)
  const notices =
    parsed.ticket === undefined
      ? []
      : [{ title: 'This is a new preview.', text: 'The call named a ticket but did not say preview=False.' }]
  return previewCall(road, request, tool, contract, parsed, { notices })
}

async function applyWrite(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
  risk: Risk,
): Promise<Answer> {
  if (parsed.ticket === undefined) {
    const verdict = gate(road, contract, risk, 'apply', 'none')
    if (verdict.kind === 'deny') return unknownTool(road, request)
    if (verdict.kind !== 'allow')
      return previewCall(road, request, tool, contract, parsed, {
        notices: [{ title: 'Not done yet: a person must confirm it first.', text: 'This is the preview.' }],
      })
    return runWithoutPerson(road, request, tool, contract, parsed)
  }
  const found = await findOwnPlan(road, request, parsed.ticket)
  if (found.kind === 'refused') return refusedPlan(road, tool, found.reason)
  const { plan, credential } = found
  const fields = compareCall(plan, tool, parsed)
  // Where the confirmed arguments are not these, a dead plan is the more useful answer than its differences.
  if (fields.length > 0 && !isDead(plan))
    return withFreshPreview(road, request, tool, contract, { kind: 'mismatch', tool: tool.wireName, fields }, plan, {
      title: 'Not applied: this is not the call that was confirmed.',
      text: 'Nothing ran. This is a preview of the call as it came.',
    })
  if (fields.length > 0) return refusedPlan(road, tool, deadReason(plan), { planId: plan.id })
  return applyNamed(road, request, { tool, contract, plan }, credential)
}

/**
 * The last stretch, for a plan that is named, owned by the caller and equal to the call. What runs from here on is what
 * was stored: the message has done its duty by naming it.
 */
async function applyNamed(
  road: Road,
  request: CallRequest,
  named: { readonly tool: Tool; readonly contract: WriteContract; readonly plan: Plan },
  credential: 'plan' | 'ticket',
): Promise<Answer> {
  const { tool, contract, plan } = named
  const stored = contract.input.safeParse(JSON.parse(plan.args))
  if (!stored.success) throw new Error(`The stored arguments of ${plan.id} do not parse.`, { cause: stored.error })
  const risk = riskOf(contract.risk, stored.data)
  const verdict = gate(road, contract, risk, 'apply', proofBrought(credential, plan.click))
  if (verdict.kind === 'deny') return unknownTool(road, request)
  if (verdict.kind === 'approve' && plan.state === 'open')
    return failureAnswer(
      road,
      tool,
      { kind: 'proof-missing', tool: tool.wireName, needed: verdict.needed, brought: verdict.brought },
      { outcome: 'refused', planId: plan.id },
    )
  return applyPlan(road, request, { ...named, input: stored.data })
}

/** Autonomous calls take the same steps as confirmed ones: a plan, a claim, a record; only nobody was asked. */
async function runWithoutPerson(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  parsed: ParsedCall,
): Promise<Answer> {
  const previewed = await previewCall(road, request, tool, contract, parsed)
  if (previewed.planId === undefined) return previewed
  const plan = await road.ledger.find({ by: 'id', id: previewed.planId })
  if (plan === undefined) return refusedPlan(road, tool, 'unknown')
  return applyPlan(road, request, { tool, contract, plan, input: parsed.input })
}

/** `apply_plan`: the reference form. It runs exactly the stored plan, gated as its inner tool, never without a ticket. */
async function callByReference(road: Road, request: CallRequest): Promise<Answer> {
  const read = readApplyPlan(request.args)
  if (!read.ok) {
    const guidance = guidanceFor(read.failure)
    return { outcome: 'refused', tool: request.tool, guidance, text: guidanceText(guidance) }
  }
  const tool = road.catalog.find(read.value.tool)
  if (tool === undefined || tool.contract.operation === 'read' || riskAtMost(tool.contract.risk) === 'forbidden')
    return unknownTool(road, { ...request, tool: read.value.tool })
  const denied = checkPermissions(road, request, tool)
  if (denied !== undefined) return denied
  const found = await findOwnPlan(road, request, read.value.ticket)
  if (found.kind === 'refused') return refusedPlan(road, tool, found.reason)
  const { plan, credential } = found
  if (credential !== 'ticket' || plan.tool !== tool.wireName || plan.definition !== tool.definition)
    return refusedPlan(road, tool, 'unknown')
  return applyNamed(road, request, { tool, contract: tool.contract, plan }, credential)
}

type FoundPlan =
  | { readonly kind: 'found'; readonly plan: Plan; readonly credential: 'plan' | 'ticket' }
  | { readonly kind: 'refused'; readonly reason: 'unknown' | 'malformed' }

/** Finds the plan that the caller names, if it is the caller's own. Someone else's looks like none. */
async function findOwnPlan(road: Road, request: CallRequest, ticket: string): Promise<FoundPlan> {
  const credential = readCredential(ticket)
  if (credential.kind === 'malformed') return { kind: 'refused', reason: 'malformed' }
  if (credential.kind === 'approval') return { kind: 'refused', reason: 'unknown' }
  const plan = await road.ledger.find(
    credential.kind === 'ticket'
      ? { by: 'ticket', ticketHash: ticketHash(credential.ticket) }
      : { by: 'id', id: credential.id },
  )
  const { tenant, subject } = request.caller.principal
  if (plan === undefined || plan.principal.tenant !== tenant || plan.principal.subject !== subject)
    return { kind: 'refused', reason: 'unknown' }
  return { kind: 'found', plan, credential: credential.kind }
}

const isDead = (plan: Plan): boolean => ['cancelled', 'superseded', 'expired', 'stale'].includes(plan.state)

const deadReason = (plan: Plan): 'cancelled' | 'superseded' | 'expired' | 'stale' =>
  plan.state === 'cancelled' || plan.state === 'superseded' || plan.state === 'expired' ? plan.state : 'stale'

/** Where the call differs from what was confirmed; empty when it is the same. */
function compareCall(plan: Plan, tool: Tool, parsed: ParsedCall): readonly FieldMismatch[] {
  if (plan.tool !== tool.wireName)
    return [{ pointer: '', confirmed: `a call of ${plan.tool}`, received: `a call of ${tool.wireName}` }]
  if (plan.definition !== tool.definition)
    return [{ pointer: '', confirmed: 'an earlier definition of this tool', received: 'its present definition' }]
  return plan.args === parsed.canonical ? [] : compareArguments(JSON.parse(plan.args), JSON.parse(parsed.canonical))
}
