// The person changes values of a call on its card. The server checks them, puts on record what was changed, and writes the
// message that asks for the preview of the changed call. Nothing is applied by it (docs/DESIGN.md, section 2; ADR 85).
import { z } from 'zod'
import { cardWords, fill, quotation } from '../../cards/card-words.ts'
import { limitIn } from '../../cards/limit-words.ts'
import { callDigest } from '../../confirm/call-digest.ts'
import { readCredential } from '../../confirm/secret.ts'
import type { Failure } from '../../errors/failure.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { WrongArgument } from '../../errors/wrong-argument.ts'
import type { Editable, EditableValue } from '../../tools/card-edits.ts'
import type { WriteTool } from '../../tools/catalog.ts'
import { appTools, revisionMetaKey } from '../../tools/names.ts'
import { differencesOf, reviseArguments, spokenDifferences, type Revision } from '../../tools/revised-arguments.ts'
import { previewMessage } from '../answers/answers.ts'
import { allowedIn, saysOf } from '../answers/failure-words.ts'
import { hiddenValue } from '../answers/hide-secrets.ts'
import type { PlannedCall } from '../call-context.ts'
import type { Caller, Engine } from '../engine.ts'
import type { ParsedArguments } from '../intake/parse.ts'
import { readArguments } from '../intake/read-arguments.ts'
import { languageOf } from '../language.ts'
import { describeCall } from '../preview/describe.ts'
import { editableArguments } from '../preview/revision.ts'
import { fitsMessage, readShown } from '../preview/shown.ts'
import { recordable } from '../record/activity-row.ts'
import { inLanguageOfCard, ownCall, type CardRead } from './card-reads.ts'
import { statusOf, withCardRow } from './plan-tools.ts'

const place = z.string().max(500)
const most = 300
const reviseArgumentsSchema = z.strictObject({
  ticket: z.string().max(64),
  set: z
    .record(place, z.string().max(100_000))
    .refine((set) => Object.keys(set).length <= most)
    .default({}),
  leave_out: z.array(place).max(most).default([]),
  /** The person wants it sent: it goes on record. Without, the values are only checked. */
  send: z.boolean().default(false),
})

/** Why a value cannot stand, at its field on the card; "" where it has none. */
interface Fault {
  readonly at: string
  readonly text: string
}

const about = (text: string): readonly Fault[] => [{ at: '', text }]

/** Faults as the card can place them: at a field, else with the name of the list. */
function placed(faults: readonly Fault[], { values, lists }: Editable): readonly Fault[] {
  const members = lists.flatMap((list) => list.members)
  const fields = new Set([...values, ...members.flatMap((member) => member.values)].map(({ edit }) => edit.at))
  const listOf = (at: string) => lists.find((list) => at === list.at || at.startsWith(`${list.at}/`))?.label
  return faults.map(({ at, text }) =>
    fields.has(at) ? { at, text } : { at: '', text: at === '' ? text : `${listOf(at) ?? at}: ${text}` },
  )
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
  const call = inLanguageOfCard(found.value)
  const { plan, tool } = call
  const editable = editableArguments(tool, JSON.parse(plan.args), languageOf(call))
  const heard = plan.state === 'open' ? await revised(call, editable, { set, leaveOut }, send) : undefined
  const after = send ? await engine.plans.find({ by: 'id', id: plan.id }) : plan
  const meta = heard === undefined || after?.state !== 'open' ? {} : { [revisionMetaKey]: heard }
  return { kind: 'read', status: await statusOf(engine, after ?? plan), meta }
}

/** What the card of an open plan hears. */
async function revised(call: PlannedCall, editable: Editable, given: Revision, send: boolean) {
  const words = cardWords(languageOf(call))
  // By then the ticket has been in the chat, where an agent could use it as the person does.
  if (call.plan.click !== undefined) return { faults: about(words.revisePressed) }
  const read = await readRevision(call, editable, given)
  if (!read.ok) return { faults: placed(read.failure, editable) }
  const { parsed, message } = read.value
  if (send && !(await sent(call, parsed))) return { faults: about(words.reviseApprover) }
  return { message }
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
  const language = languageOf(call)
  const words = cardWords(language)
  const revision = reviseArguments(JSON.parse(plan.args), editable, given)
  if (!revision.ok)
    return fail(
      revision.failure.map(({ at, allowed }) => ({
        at,
        text: allowed === undefined ? words.reviseNot : fill(words.allowedIs, limitIn(language, allowed)),
      })),
    )
  const faultAt = (pointer: string, text: string): Fault => ({ at: revision.value.placeBefore(pointer), text })
  const allowedText = (wrong: Pick<WrongArgument, 'allowed' | 'limit'>): string =>
    fill(words.allowedIs, allowedIn(language, wrong))
  const rationale = plan.rationale === '' ? {} : { [tool.reserved.rationale]: plan.rationale }
  const args = { ...(revision.value.args as object), ...rationale }
  const known = { mayLackRationale: true, reason: plan.rationale, report: engine.report }
  const parsed = readArguments(call, args, known)
  if (!parsed.ok) {
    const { failure } = parsed
    return fail(
      failure.kind === 'invalid-arguments'
        ? failure.fields.map((wrong) =>
            // A sentence of a schema's own says what is wrong, and not what is allowed.
            faultAt(wrong.pointer, wrong.remedy?.kind === 'as-said' ? allowedIn(language, wrong) : allowedText(wrong)),
          )
        : about(words.reviseUnseen),
    )
  }
  if (parsed.value.canonical === plan.args) return fail(about(words.reviseSame))
  const { door: spelling } = readShown(plan.shown)
  const { input } = parsed.value
  const message = previewMessage({ tool, input, rationale: plan.rationale, request: { spelling } }, true)
  if (!fitsMessage(message)) return fail(about(words.reviseLong))
  const changed = ok({ parsed: parsed.value, message })
  if (tool.contract.wire !== undefined) return changed
  const described = await describeCall({ ...call, ...parsed.value, rationale: plan.rationale })
  if (described.kind === 'described') return changed
  const { guidance, preview } = described.answer
  if (guidance === undefined) {
    const { title = '', text = '' } = preview?.blocked ?? {}
    return fail(about(`${title} ${text}`.trim()))
  }
  // What the contract has for a person, in another language than that of the agent.
  const said =
    language === 'en' ? undefined : saysOf({ failures: tool.contract.failures, language }, guidance.error_type)
  if (guidance.field_errors.length > 0)
    return fail(
      guidance.field_errors.map((wrong) =>
        faultAt(wrong.pointer, said === undefined ? allowedText(wrong) : `${said} ${allowedText(wrong)}`),
      ),
    )
  if (language === 'en') return fail(about(guidance.message))
  return fail(about(said ?? `${words.failTool} ${quotation(language, guidance.message)}`))
}

/** What stands in the record: no secret, by the name of the argument or its look. */
const recorded = (tool: WriteTool, { values, lists }: Editable): Editable => {
  const hidden = (value: EditableValue): EditableValue => {
    const { at, value: text } = value.edit
    const shown = hiddenValue(tool, at, text)
    return shown === text ? value : { ...value, edit: { ...value.edit, as: 'text', value: String(shown) } }
  }
  return {
    values: values.map(hidden),
    lists: lists.map((list) => ({
      ...list,
      members: list.members.map((member) => ({ ...member, values: member.values.map(hidden) })),
    })),
  }
}

/** Puts on record what the person changed, and notes on the plan which call takes its place; false where that is too late. */
async function sent(call: PlannedCall, { canonical }: ParsedArguments): Promise<boolean> {
  const { engine, request, tool, plan } = call
  // The record is in English, as all of it.
  const recordOf = (text: string): Editable => recorded(tool, editableArguments(tool, JSON.parse(text)))
  const changed = spokenDifferences(differencesOf(recordOf(plan.args), recordOf(canonical)))
  const args = recordable({ plan: plan.id, tool: plan.tool, changed }, undefined)
  let isNoted = false
  await withCardRow(
    engine,
    request.caller,
    { name: appTools.revise, auditEvent: 'plan.revised', args, plan },
    async () => {
      isNoted = await engine.plans.revise(plan.id, callDigest(tool.wireName, tool.definition, canonical))
      return isNoted ? plan : undefined
    },
  )
  return isNoted
}
