// A call under a grant takes the same steps as a confirmed one: a plan, a claim, a record. Only the click is
// missing, and in its place one use is taken, before anything runs. Where nothing has happened for certain it goes back.
import { callDigest } from '../../confirm/call-digest.ts'
import { applyPlan } from './apply.ts'
import { withVerdict, type GateVerdict } from '../authorize/gate.ts'
import { giverParts, type Cover } from '../authorize/grant-cover.ts'
import { giverLapse } from '../authorize/grant-giver.ts'
import { languageOf } from '../language.ts'
import { coveringGrant, usedNotice } from '../answers/grant-answers.ts'
import type { Answer } from '../answers/outcome.ts'
import { openPlanForRun } from '../preview/preview.ts'
import { rowEvent } from '../record/activity-row.ts'
import type { PlannedCall, WriteCall } from '../call-context.ts'

/** What the gate said of a call that a grant covers. */
type Covered = GateVerdict & { readonly cover: Cover }

/** What becomes of a call that the grant does not cover after all: somebody took the last use, or it was revoked. */
export type Otherwise = () => Promise<Answer>

/**
 * Runs a call that names no plan: one is made for it alone. A card or an approval of the same call that is still open is
 * superseded, so that nobody agrees to it a second time.
 */
export async function runGranted(call: WriteCall, verdict: Covered, otherwise: Otherwise): Promise<Answer> {
  const opened = await openPlanForRun(call)
  if (opened.kind === 'answer') return withVerdict(opened.answer, verdict)
  return applyGranted(opened.call, verdict, async () => {
    await call.engine.plans.cancel(opened.call.plan.id)
    return otherwise()
  })
}

/** Applies an open plan under a grant, if a use of it can be taken. */
export async function applyGranted(call: PlannedCall, verdict: Covered, otherwise: Otherwise): Promise<Answer> {
  const { engine, plan, tool } = call
  const { grants } = engine
  const { grant } = verdict.cover
  const { principal } = call.request.caller
  // A freeze revokes the plans that are open when it falls. This one may have been opened just after.
  if (grants === undefined || (await engine.switches?.frozen(principal.tenant)) !== undefined) return otherwise()
  // Between the gate and here lies a preview, and an account may have been closed during it.
  if ((await giverLapse(giverParts(engine), grant, verdict.risk)) !== undefined) return otherwise()
  await call.row?.written
  const taken = await grants.take(grant.id, {
    planId: plan.id,
    principal,
    tool: tool.wireName,
    definition: tool.definition,
    insteadOf: callDigest(tool.wireName, tool.definition, plan.args),
  })
  if (taken.kind === 'refused') return otherwise()
  const used = { grant: grant.id, given_by: grant.createdBy, plan: plan.id, left: taken.left }
  await rowEvent(call, 'grant.used', used)
  const notice = usedNotice(grant, taken.left, languageOf(call))
  const answer = await applyPlan({ ...call, notice }, (each) => withVerdict(each, verdict))
  if (!hadNoEffect(answer)) return { ...answer, coveringGrant: coveringGrant(grant, taken.left) }
  // Where this fails, the sweep looks at what became of the plan and does it.
  await grants.giveBack(plan.id).catch((error: unknown) => engine.report(error, `giving back a use of ${grant.id}`))
  return { ...answer, coveringGrant: coveringGrant(grant, taken.left + 1) }
}

/** Declared as without effect, stale, or never claimed: nothing has happened, and that is certain. */
const hadNoEffect = ({ outcome }: Answer): boolean =>
  outcome === 'failed' || outcome === 'stale' || outcome === 'refused'
