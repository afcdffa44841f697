// What was promised before the power was cut, asked of the database that is left: by opening the server on it anew and
// going on as an agent would.
import { compose, type Composed } from '../../../../server/compose/compose.ts'
import { fail } from '../../../../server/errors/result.ts'
import type { Plan } from '../../../../server/model/plan-store.ts'
import { call } from '../../../../server/rail/call.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { requestOf } from '../../../kit/calls.ts'
import { keptMarks, markTools, type KeptMarks, type Mark, type Planned } from './marks.ts'

/** States that a plan has only after it was claimed. */
const claimed: ReadonlySet<string> = new Set(['applying', 'applied', 'failed', 'stale', 'unknown'])

/** Plans that are applied again: of those that stand open, and of all, so many that somebody heard of last. */
const appliedAgain = 3

/** What a server on this database, and its agents, find broken of what these marks promise; a sentence for each. */
export async function brokenPromises(
  { anchor, ...database }: { readonly file: string; readonly secret?: string; readonly anchor?: string },
  marks: readonly Mark[],
): Promise<readonly string[]> {
  const broken: string[] = []
  const runs = new Map<string, number>()
  const plans = new Map<string, Planned>()
  const heardOf = (what: Planned): void => {
    plans.delete(what.plan)
    plans.set(what.plan, what)
  }
  const ran = (what: Planned): void => {
    heardOf(what)
    runs.set(what.plan, (runs.get(what.plan) ?? 0) + 1)
  }
  for (const mark of marks)
    if (mark.is === 'previewed') heardOf(mark)
    else if (mark.is === 'ran') ran(mark)
  const posted = marks.filter((mark) => mark.is === 'ran' && mark.tool === 'marks_post').length
  const composed = await compose({
    ...database,
    activity: { anchor },
    tools: markTools(ran),
    toolsets: [keptMarks],
    settings: { planTtlMs: 6 * 3_600_000 },
    logLevel: 'silent',
    onError: (error, where) => void broken.push(`${where}: ${error instanceof Error ? error.message : String(error)}`),
  }).catch((error: unknown) => fail({ message: String(error), next: '' }))
  if (!composed.ok) return [`The store does not open: ${composed.failure.message}`]
  const server = composed.value
  try {
    broken.push(...(await recordProblems(server)))
    const found = new Map<string, Plan | undefined>()
    for (const plan of plans.keys()) found.set(plan, await server.store.plans.find({ by: 'id', id: plan }))
    for (const mark of marks) broken.push(...(await notKept(server, mark, found)))
    const used = await usesOfGrants(server, marks)
    if (used < posted) broken.push(`Grants let ${posted} calls run, and ${used} uses are counted.`)
    const onRecord = await plansOnRecord(server)
    for (const plan of found.values())
      if (plan !== undefined && claimed.has(plan.state) && !onRecord.has(plan.id))
        broken.push(`No row of the activity log names the plan ${plan.id}, which is ${plan.state}.`)
    for (const planned of worthApplying([...plans.values()], found))
      broken.push(...(await again(server, planned, marks)))
    broken.push(...(await goesOn(server)))
    for (const { plan, tool } of plans.values())
      if (tool === 'marks_keep') broken.push(...(await keptOnce(server, plan)))
  } catch (error) {
    broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await server.close(1000)
  }
  for (const [plan, times] of runs) if (times > 1) broken.push(`The plan ${plan} ran ${times} times.`)
  return broken
}

/** Nobody has touched the database, so nobody may be accused of it. */
async function recordProblems({ store, anchoring }: Composed): Promise<readonly string[]> {
  const reports = await store.activity.verify(await anchoring.read())
  const doubt = await anchoring.doubt()
  return [
    ...reports.flatMap(({ problem }) =>
      problem === undefined ? [] : [`The chain is taken for broken: ${problem.message}`],
    ),
    ...(doubt === undefined ? [] : [`The database is in doubt: ${doubt.message}`]),
    ...((await store.switches.list()).some(({ tenant }) => tenant === undefined) ? ['Every tenant is frozen.'] : []),
  ]
}

/** What is broken of one promise. */
async function notKept(
  { store }: Composed,
  mark: Mark,
  found: ReadonlyMap<string, Plan | undefined>,
): Promise<readonly string[]> {
  switch (mark.is) {
    case 'previewed':
      return []
    case 'ran':
    case 'told':
    case 'cancelled': {
      const plan = found.get(mark.plan)
      if (plan !== undefined && keeps(plan, mark)) return []
      const said = mark.is === 'told' ? `told as ${mark.outcome}` : mark.is
      return [`The plan ${mark.plan} was ${said}, and is ${plan?.state ?? 'gone'}.`]
    }
    case 'approved': {
      const state = (await store.approvals.find(mark.approval))?.state
      return state === 'approved' ? [] : [`${mark.approval} was approved, and is ${state ?? 'gone'}.`]
    }
    case 'granted':
      return (await store.grants.find(mark.grant)) === undefined ? [`${mark.grant} was granted, and is gone.`] : []
    case 'frozen':
      return (await store.switches.frozen(mark.tenant)) === undefined ? [`${mark.tenant} is not frozen any more.`] : []
    default:
      return mark satisfies never
  }
}

/** Whether a plan is as its mark has it. */
function keeps(plan: Plan, mark: Extract<Mark, { readonly is: 'ran' | 'told' | 'cancelled' }>): boolean {
  if (mark.is === 'cancelled') return plan.state === 'cancelled'
  if (mark.is === 'ran') return claimed.has(plan.state)
  switch (mark.outcome) {
    case 'applied':
    case 'replayed':
      return plan.ending?.kind === 'applied' && plan.ending.result === mark.result
    case 'failed':
    case 'stale':
      return plan.ending?.kind === mark.outcome
    case 'running':
    case 'outcome_unknown':
      return claimed.has(plan.state)
    case 'previewed':
    case 'awaiting_approval':
    case 'mismatch':
    case 'refused':
    case 'ok':
      return true
    default:
      return mark.outcome satisfies never
  }
}

const usesOfGrants = async ({ store }: Composed, marks: readonly Mark[]): Promise<number> => {
  let used = 0
  for (const mark of marks) if (mark.is === 'granted') used += (await store.grants.find(mark.grant))?.usedInAll ?? 0
  return used
}

/** Whether the effect of a plan is there where it is applied, and there alone. */
async function keptOnce({ store }: Composed, id: string): Promise<readonly string[]> {
  const db = store.db.$extendTables<KeptMarks>()
  const kept = await db.selectFrom('kept_marks').select('text').where('plan', '=', id).execute()
  const state = (await store.plans.find({ by: 'id', id }))?.state
  if (kept.length === (state === 'applied' ? 1 : 0) && state !== 'applying' && state !== 'unknown') return []
  return [`The plan ${id} is ${state ?? 'gone'}, and its effect is there ${kept.length} times.`]
}

/** The plans that rows of the activity log name which are more than previews. */
const plansOnRecord = async ({ store }: Composed): Promise<ReadonlySet<string>> => {
  const { calls } = await store.activity.page({ limit: 5000 })
  const applies = calls.filter(({ status }) => status !== 'previewed' && status !== 'awaiting_approval')
  return new Set(applies.flatMap(({ planId }) => planId ?? []))
}

function worthApplying(plans: readonly Planned[], found: ReadonlyMap<string, Plan | undefined>): ReadonlySet<Planned> {
  const open = plans.filter(({ plan }) => found.get(plan)?.state === 'open')
  return new Set([...open.slice(-appliedAgain), ...plans.slice(-appliedAgain)])
}

const ask = ({ parts }: Composed, tool: string, args: object): Promise<Answer> =>
  call(parts.engine, requestOf(tool, { rationale: 'The person asked for it.', ...args }))

/** Applies a plan as the agent would that has not heard of the power cut. */
async function again(
  server: Composed,
  { plan, tool, text }: Planned,
  marks: readonly Mark[],
): Promise<readonly string[]> {
  const { outcome, result } = await ask(server, tool, { text, ticket: plan, preview: false })
  const told = marks.find((mark) => mark.is === 'told' && mark.plan === plan && mark.outcome === 'applied') as
    | Extract<Mark, { readonly is: 'told' }>
    | undefined
  if (told === undefined || (outcome === 'replayed' && JSON.stringify(result) === told.result)) return []
  return [`The plan ${plan} was told as applied, and applied again it is ${outcome} with ${JSON.stringify(result)}.`]
}

/** Whether the server works as ever. */
async function goesOn(server: Composed): Promise<readonly string[]> {
  const text = 'after the power cut'
  const { planId } = await ask(server, 'marks_add', { text })
  const { outcome } = await ask(server, 'marks_add', { text, ticket: planId, preview: false })
  return outcome === 'applied' ? [] : [`A new call is ${outcome}.`]
}
