// The person changes values of a call on its card. The server checks them, puts on record what was changed, and writes the
// message that asks for the preview of the changed call. Nothing is applied by it (docs/DESIGN.md, section 2; ADR 85).
import { z } from 'zod'
import { callDigest } from '../../confirm/canonical.ts'
import { readCredential } from '../../confirm/secret.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Plan } from '../../model/plan-store.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { editableOf, type Editable } from '../../tools/card-edits.ts'
import { appTools, revisionMetaKey } from '../../tools/names.ts'
import {
  differencesOf,
  reviseArguments,
  spokenDifferences,
  type Revision,
  type RevisionFault,
} from '../../tools/revised-arguments.ts'
import { previewMessage } from '../answers/answers.ts'
import type { PlannedCall } from '../call-context.ts'
import type { Caller, Engine } from '../engine.ts'
import { parseArguments, type ParsedArguments } from '../intake/parse.ts'
import { describeCall } from '../preview/describe.ts'
import { fitsMessage, readShown } from '../preview/shown.ts'
import { recordable } from '../record/activity-row.ts'
import { ownCall, type CardRead } from './card-reads.ts'
import { statusOf, withCardRow } from './plan-tools.ts'

const place = z.string().max(500)
const reviseArgumentsSchema = z.strictObject({
  ticket: z.string().max(64),
  set: z.record(place, z.string().max(100_000)).default({}),
  leave_out: z.array(place).max(300).default([]),
  /** The person wants it sent: it goes on record. Without, the values are only checked. */
  send: z.boolean().default(false),
})

/** Why a value cannot stand, at its field on the card; "" where it has none. */
interface Fault {
  readonly at: string
  readonly text: string
}

const allowedAt = ({ at, allowed }: RevisionFault): Fault => ({ at, text: `Allowed: ${allowed}` })

/** Faults as the card can place them. */
function placed(faults: readonly Fault[], { values, lists }: Editable): readonly Fault[] {
  const members = lists.flatMap((list) => list.members)
  const fields = new Set([...values, ...members.flatMap((member) => member.values)].map(({ edit }) => edit.at))
  return faults.map(({ at, text }) => (fields.has(at) ? { at, text } : { at: '', text: `${at} ${text}`.trimStart() }))
}

/** Serves `countersign_plan_revise`. Somebody else's plan, and what is no ticket, look like none at all. */
export async function revisePlan(
  engine: Engine,
  caller: Caller,
  { args, signal }: { readonly args: unknown; readonly signal: AbortSignal },
): Promise<CardRead | Failure> {
  const none = { kind: 'not-your-card', tool: appTools.revise } as const
  const reached = await engine.limits?.take(caller.principal, 'card_reads')
  if (reached !== undefined) return { kind: 'too-many-calls', tool: appTools.revise, ...reached }
  const given = reviseArgumentsSchema.safeParse(args)
  const credential = given.success ? readCredential(given.data.ticket) : undefined
  if (!given.success || credential?.kind !== 'ticket') return none
  const found = await ownCall(engine, caller, credential, signal)
  if (found?.kind !== 'read') return found ?? none
  const { set, leave_out: leaveOut, send } = given.data
  const { plan, tool } = found.value
  if (plan.state !== 'open') return { kind: 'read', status: await statusOf(engine, plan), meta: {} }
  const editable = editableOf(tool, JSON.parse(plan.args))
  const read = await readRevision(found.value, editable, { set, leaveOut })
  const after = send && read.ok ? await sent(found.value, editable, read.value.parsed) : plan
  const revised = read.ok ? { message: read.value.message } : { faults: placed(read.failure, editable) }
  const meta = after?.state === 'open' ? { [revisionMetaKey]: revised } : {}
  return { kind: 'read', status: await statusOf(engine, after ?? plan), meta }
}

/** The changed call, and the message that asks for its preview. */
interface RevisedCall {
  readonly parsed: ParsedArguments
  readonly message: string
}

/** The call as the person wants it, checked as the agent's call will be; of a tool of ours also by its preview. */
async function readRevision(
  call: PlannedCall,
  editable: Editable,
  given: Revision,
): Promise<Result<RevisedCall, readonly Fault[]>> {
  const { engine, tool, plan } = call
  const revised = reviseArguments(JSON.parse(plan.args), editable, given)
  if (!revised.ok) return fail(revised.failure.map(allowedAt))
  const before = ({ pointer, allowed }: { readonly pointer: string; readonly allowed: string }): Fault =>
    allowedAt({ at: revised.value.placeBefore(pointer), allowed })
  const rationale = plan.rationale === '' ? {} : { [tool.reserved.rationale]: plan.rationale }
  const args = { ...(revised.value.args as object), ...rationale }
  const allowance = { mayLackRationale: true, reason: plan.rationale }
  const parsed = parseArguments(tool, args, engine.settings.maxArgumentBytes, allowance)
  if (!parsed.ok) {
    const { failure } = parsed
    return fail(
      failure.kind === 'invalid-arguments'
        ? failure.fields.map(before)
        : [{ at: '', text: 'These values cannot be previewed. Tell the agent in words.' }],
    )
  }
  const { door: spelling } = readShown(plan.shown)
  const { input } = parsed.value
  const message = previewMessage({ tool, input, rationale: plan.rationale, request: { spelling } })
  if (!fitsMessage(message)) return fail([{ at: '', text: 'This is too long for a message. Tell the agent in words.' }])
  const changed = ok({ parsed: parsed.value, message })
  if (tool.contract.wire !== undefined) return changed
  const described = await describeCall({ ...call, ...parsed.value, rationale: plan.rationale })
  if (described.kind === 'described') return changed
  const { guidance, preview } = described.answer
  const fields = guidance?.field_errors ?? []
  if (fields.length > 0) return fail(fields.map(before))
  const { title = guidance?.message ?? '', text = '' } = preview?.blocked ?? {}
  return fail([{ at: '', text: `${title} ${text}`.trim() }])
}

/** Puts on record what the person changed, and notes on the plan which call takes its place. */
function sent(call: PlannedCall, editable: Editable, { canonical }: ParsedArguments): Promise<Plan | undefined> {
  const { engine, request, tool, plan } = call
  const changed = spokenDifferences(differencesOf(editable, editableOf(tool, JSON.parse(canonical))))
  const args = recordable({ plan: plan.id, tool: plan.tool, changed }, undefined)
  return withCardRow(engine, request.caller, { name: appTools.revise, auditEvent: 'plan.revised', args, plan }, () =>
    engine.plans.revise(plan.id, callDigest(tool.wireName, tool.definition, canonical)),
  )
}
