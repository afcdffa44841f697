// Delegating one's right to approve takes the same steps at every door: whose right it is, whether it can be delegated to
// whom, and until when. It is written down before it is done: what is not on record is not delegated.
import { randomBytes } from 'node:crypto'
import type { Delegation, DelegationDraft, Role } from '../model/operators.ts'
import type { Decider } from './decide-approval.ts'
import type { ActivityLog } from '../model/activity.ts'
import { beginAct } from './operator-record.ts'

/** An account, as far as a delegation depends on it. */
interface Delegator {
  readonly id: string
  readonly name: string
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
  readonly state: 'active' | 'disabled'
}

/** What a delegation rests on. */
interface DelegationParts {
  readonly accounts: {
    find(name: string): Promise<Delegator | undefined>
    byId(id: string): Promise<Delegator | undefined>
  }
  readonly delegations: {
    add(draft: DelegationDraft): Promise<Delegation>
    find(id: string): Promise<Delegation | undefined>
    revoke(id: string, by: string): Promise<boolean>
  }
  readonly activityLog: Pick<ActivityLog, 'begin' | 'complete'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** A delegation as somebody asks for it. */
interface DelegationTerms {
  /** Name of whose right it is; one's own when absent. */
  readonly from?: string | undefined
  /** Name of who receives it. */
  readonly to: string
  /** Globs on wire names; every tool when absent. */
  readonly tools?: readonly string[] | undefined
  /** Epoch milliseconds. */
  readonly until: number
}

interface DelegationRefusal {
  readonly code: 'cannot-delegate' | 'unknown-delegation'
  readonly message: string
  readonly next: string
}

type DelegationResult =
  | { readonly kind: 'done'; readonly delegation: Delegation }
  | { readonly kind: 'refused'; readonly refusal: DelegationRefusal }

/** Who delegates or revokes. */
export type Actor = Pick<Decider, 'person' | 'name' | 'via' | 'tenant' | 'roles'>

const longestMs = 366 * 24 * 3_600_000

/** Delegates a right, for a person whose credential the door has checked. */
export async function delegate(
  parts: DelegationParts,
  by: Actor,
  { from, to, tools = ['*'], until }: DelegationTerms,
): Promise<DelegationResult> {
  const [giver, taker] = [
    from === undefined ? await parts.accounts.byId(by.person) : await parts.accounts.find(from),
    await parts.accounts.find(to),
  ]
  const theirs = giver !== undefined && (giver.id === by.person || isInCharge(by, giver)) ? giver : undefined
  // Somebody of another tenant is not there.
  const reached = taker !== undefined && (by.tenant === undefined || taker.tenant === by.tenant) ? taker : undefined
  if (theirs === undefined)
    return cannot(
      `There is no account ${spoken(from ?? by.name)} whose right you may delegate.`,
      'Approvers delegate their own; admins also that of others.',
    )
  if (reached === undefined)
    return cannot(`There is no account ${spoken(to)} to delegate it to.`, 'Check the name: `countersign account list`.')
  const wrong = whyNot(theirs, reached, { until, now: parts.now() })
  if (wrong !== undefined) return wrong
  const id = `de_${randomBytes(8).toString('hex')}`
  const end = await begin(parts, by, { id, from: theirs, to: reached, tools, until }, theirs, 'operator.delegated')
  const delegation = await parts.delegations.add({ id, from: theirs.id, to: reached.id, tools, until, by: by.name })
  await end({ done: true })
  return { kind: 'done', delegation }
}

/** Revokes a delegation: its giver may, its receiver, and an admin. */
export async function revokeDelegation(parts: DelegationParts, by: Actor, id: string): Promise<DelegationResult> {
  const delegation = await parts.delegations.find(id)
  if (delegation === undefined) return unknown
  const giver = await parts.accounts.byId(delegation.from.id)
  if (!isTheirs(by, delegation, giver)) return unknown
  const end = await begin(parts, by, delegation, giver, 'operator.undelegated')
  const taken = await parts.delegations.revoke(id, by.name)
  await end(
    taken ? { done: true } : { done: false, error: { code: unknown.refusal.code, message: unknown.refusal.message } },
  )
  return taken ? { kind: 'done', delegation } : unknown
}

/** Whether a delegation is somebody's business. `giver`: its giver's account, if there still is one. */
export const isTheirs = (
  by: Actor,
  { from, to }: Pick<Delegation, 'from' | 'to'>,
  giver: Delegator | undefined,
): boolean => [from.id, to.id].includes(by.person) || (giver !== undefined && isInCharge(by, giver))

/** Whether an admin is in charge of this account: one of a single tenant not of those who see every tenant. */
export const isInCharge = (
  { roles, tenant }: Pick<Actor, 'roles' | 'tenant'>,
  account: Pick<Delegator, 'tenant'>,
): boolean => roles.some(({ kind }) => kind === 'admin') && (tenant === undefined || tenant === account.tenant)

const cannot = (message: string, next: string): { readonly kind: 'refused'; readonly refusal: DelegationRefusal } => ({
  kind: 'refused',
  refusal: { code: 'cannot-delegate', message, next },
})

const spoken = (name: string): string => JSON.stringify(name.slice(0, 100))

const unknown = {
  kind: 'refused',
  refusal: {
    code: 'unknown-delegation',
    message: 'There is no such delegation that holds.',
    next: '`countersign account delegations` and GET /api/v1/delegations list those that there are.',
  },
} as const

/** Why this cannot be delegated, if it cannot. */
function whyNot(from: Delegator, to: Delegator, { until, now }: { readonly until: number; readonly now: number }) {
  if (from.id === to.id) return cannot('Nobody can stand in for themselves.', 'Name another account.')
  if (!from.roles.some(({ kind }) => kind !== 'viewer'))
    return cannot(`${from.name} approves nothing, so there is nothing to delegate.`, 'Only approvers can delegate.')
  if (from.state === 'disabled' || to.state === 'disabled')
    return cannot(
      `The account ${from.state === 'disabled' ? from.name : to.name} is disabled.`,
      'Enable it first: `countersign account enable`.',
    )
  if (to.tenant !== undefined && from.tenant !== undefined && to.tenant !== from.tenant)
    return cannot('The two belong to different tenants.', 'Name an account of the same tenant.')
  if (until <= now) return cannot('That date has passed.', 'Name a later one.')
  if (until > now + longestMs) return cannot('That is more than a year from now.', 'Name an earlier date.')
  return undefined
}

const begin = (
  { activityLog }: Pick<DelegationParts, 'activityLog'>,
  by: Actor,
  { id, from, to, tools, until }: Pick<Delegation, 'id' | 'from' | 'to' | 'tools' | 'until'>,
  giver: Pick<Delegator, 'tenant'> | undefined,
  act: 'operator.delegated' | 'operator.undelegated',
) =>
  beginAct(activityLog, {
    who: by.name,
    tenant: giver?.tenant,
    via: by.via,
    act,
    details: { delegation: id, from: from.name, to: to.name, tools, until: new Date(until).toISOString() },
  })
