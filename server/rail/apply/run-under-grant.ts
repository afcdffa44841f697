// A call under a standing permission takes the same steps as a confirmed one: a plan, a claim, a record. Only the click is
// missing, and in its place one use is taken, before anything runs. Where nothing has happened for certain it goes back.
import { callDigest } from '../../confirm/canonical.ts'
import { applyPlan } from './apply.ts'
import { stamp, type Gated } from '../authorize/gate.ts'
import { giverParts, type Cover } from '../authorize/grant-cover.ts'
import { giverLapse } from '../authorize/grant-giver.ts'
import { standingOf, usedNotice } from '../answers/grant-answers.ts'
import type { Answer } from '../answers/outcome.ts'
import { previewCall } from '../preview/preview.ts'
import type { CallRequest, Engine } from '../engine.ts'
import { refusedPlan, type Confirmed } from '../answers/plan-answers.ts'
import type { Write } from './apply-named.ts'

/** What the gate said of a call that a permission covers. */
export type Covered = Gated & { readonly cover: Cover }

/** What becomes of a call that the permission does not cover after all: somebody took the last use, or it was revoked. */
export type Otherwise = () => Promise<Answer>

/**
 * Runs a call that names no plan: one is made for it alone. A card or an approval of the same call that is still open is
 * superseded, so that nobody agrees to it a second time.
 */
export async function runGranted(
  engine: Engine,
  request: CallRequest,
  { tool, contract, parsed }: Write,
  verdict: Covered,
  otherwise: Otherwise,
): Promise<Answer> {
  const previewed = await previewCall(engine, request, tool, contract, parsed, { alone: true })
  if (previewed.planId === undefined) return stamp(previewed, verdict)
  const plan = await engine.plans.find({ by: 'id', id: previewed.planId })
  if (plan === undefined) return refusedPlan(engine, tool, 'unknown')
  return applyGranted(engine, request, { tool, contract, plan, input: parsed.input }, verdict, async () => {
    await engine.plans.cancel(plan.id)
    return otherwise()
  })
}

/** Applies an open plan under a permission, if a use of it can be taken. */
export async function applyGranted(
  engine: Engine,
  request: CallRequest,
  confirmed: Confirmed,
  verdict: Covered,
  otherwise: Otherwise,
): Promise<Answer> {
  const { grants } = engine
  const { grant } = verdict.cover
  const { plan, tool } = confirmed
  const { principal } = request.caller
  // A freeze revokes the plans that are open when it falls. This one may have been opened just after.
  if (grants === undefined || (await engine.switches?.frozen(principal.tenant)) !== undefined) return otherwise()
  // Between the gate and here lies a preview, and an account may have been closed during it.
  if ((await giverLapse(giverParts(engine), grant, verdict.risk)) !== undefined) return otherwise()
  const taken = await grants.take(grant.id, {
    planId: plan.id,
    principal,
    tool: tool.wireName,
    definition: tool.definition,
    insteadOf: callDigest(tool.wireName, tool.definition, plan.args),
  })
  if (taken.kind === 'refused') return otherwise()
  if (request.entry !== undefined)
    await engine.journal?.event(request.entry, {
      name: 'grant.used',
      data: JSON.stringify({ grant: grant.id, given_by: grant.createdBy, plan: plan.id, left: taken.left }),
    })
  const notice = usedNotice(grant, taken.left)
  const answer = stamp(await applyPlan(engine, request, { ...confirmed, notice }), verdict)
  if (!hadNoEffect(answer)) return { ...answer, standing: standingOf(grant, taken.left) }
  // Where this fails, the sweep looks at what became of the plan and does it.
  await grants.giveBack(plan.id).catch((error: unknown) => engine.report(error, `giving back a use of ${grant.id}`))
  return { ...answer, standing: standingOf(grant, taken.left + 1) }
}

/** Declared as without effect, stale, or never claimed: nothing has happened, and that is certain. */
const hadNoEffect = ({ outcome }: Answer): boolean =>
  outcome === 'failed' || outcome === 'stale' || outcome === 'refused'
