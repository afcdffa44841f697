// Who may let a call happen: one pure function from a person and what is asked to an answer, so that "why may I not?"
// has one place to look and its whole table can be a test. The second factor and the counting of votes are not here.
import type { Risk } from '../model/risk.ts'
import type { Money, Role } from '../model/operators.ts'

/** Whoever holds the admin token is one person, whatever name they say: one credential cannot show two. */
export const adminTokenPerson = 'admin-token'

/** A person who may decide, as far as the decision depends on them. */
export interface Approver {
  readonly name: string
  /** The same for the same person at every door: an account's id, or `adminTokenPerson`. */
  readonly person?: string
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
  /** Principals that are the same person; `*` stands for any part of one. */
  readonly subjects: readonly string[]
}

/** What is to be decided. */
export interface Asked {
  /** Wire name. */
  readonly tool: string
  readonly tenant: string
  /** Who asks. */
  readonly subject: string
  /** What the call moves; `undefined` where nobody can tell. */
  readonly amount: Money | undefined
  /** Who asks is never who approves. */
  readonly fourEyes: boolean
}

/** Why somebody may not. Another tenant's is said to be unknown, not forbidden. */
export type MayNot =
  | 'other-tenant'
  | 'no-approver'
  | 'other-tools'
  | 'amount-unknown'
  | 'other-currency'
  | 'amount-too-high'
  | 'own-request'
  | 'no-person'

export type May = 'yes' | MayNot

/** Whether this person may approve that. */
export function mayApprove(person: Approver, asked: Asked): May {
  const role = mayDecide(person, asked, true)
  if (role !== 'yes' || !asked.fourEyes) return role
  if (showsNobody(person)) return 'no-person'
  return isSamePerson(person, asked.subject) ? 'own-request' : 'yes'
}

/** Whether a credential says nothing of who holds it: the name beside the admin token is whatever its holder says. */
export const showsNobody = ({ person }: Pick<Approver, 'person'>): boolean => person === adminTokenPerson

/** Whether this person may reject that: for a tool that is theirs, at any amount, and also their own. */
export const mayReject = (person: Approver, asked: Asked): May => mayDecide(person, asked, false)

/** The nearest miss is what the person is told, so these stand in the order from far to near. */
const misses: readonly MayNot[] = ['no-approver', 'other-tools', 'other-currency', 'amount-unknown', 'amount-too-high']

function mayDecide({ tenant, roles }: Approver, asked: Asked, withAmount: boolean): May {
  if (tenant !== undefined && tenant !== asked.tenant) return 'other-tenant'
  let nearest: MayNot = 'no-approver'
  for (const role of roles) {
    const answer = roleAllows(role, asked, withAmount)
    if (answer === 'yes') return 'yes'
    if (misses.indexOf(answer) > misses.indexOf(nearest)) nearest = answer
  }
  return nearest
}

function roleAllows(role: Role, { tool, amount }: Asked, withAmount: boolean): May {
  if (role.kind === 'admin') return 'yes'
  if (role.kind === 'viewer') return 'no-approver'
  if (!role.tools.some((glob) => fits(glob, tool))) return 'other-tools'
  if (!withAmount || role.maxAmount === undefined) return 'yes'
  if (amount === undefined) return 'amount-unknown'
  if (amount.currency !== role.maxAmount.currency) return 'other-currency'
  return exceeds(amount.value, role.maxAmount.value) ? 'amount-too-high' : 'yes'
}

/**
 * Whether a principal is this person: by one of their subjects, or by having their name, alone or before a slash as local
 * hosts call themselves (`ada/claude`). Too often rather than too seldom: it only ever takes away a right.
 */
export function isSamePerson({ name, subjects }: Pick<Approver, 'name' | 'subjects'>, subject: string): boolean {
  const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()
  const [own, other] = [plain(name), plain(subject)]
  return own === other || other.startsWith(`${own}/`) || subjects.some((glob) => fits(plain(glob), other))
}

/** Whether a name fits a glob: `*` stands for any part, everything else for itself. */
export function fits(glob: string, name: string): boolean {
  const pieces = glob.split('*')
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return glob === name
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}

const decimal = /^([+-]?)(\d{1,30})(?:\.(\d{1,30}))?$/

/** A decimal text as a whole number of 10^-30; `undefined` where it is none. */
function scaled(text: string): bigint | undefined {
  const found = decimal.exec(text)
  if (found === null) return undefined
  const [, sign, whole = '', part = ''] = found
  const value = BigInt(whole + part.padEnd(30, '0'))
  return sign === '-' ? -value : value
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)

/** Whether an amount, in or out, is larger than a limit. What is no number is larger than every limit. */
export function exceeds(amount: string, limit: string): boolean {
  const [one, most] = [scaled(amount), scaled(limit)]
  return one === undefined || most === undefined || size(one) > most
}

/** The largest of some amounts; `undefined` where there is none, one is no number, or their currencies differ. */
export function largest(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  if (first === undefined) return undefined
  if (amounts.some(({ value, currency }) => currency !== first.currency || scaled(value) === undefined))
    return undefined
  return amounts.reduce((most, each) => (size(scaled(each.value) ?? 0n) > size(scaled(most.value) ?? 0n) ? each : most))
}

/** A rule of approval, as the operator wrote it. */
export interface ApprovalRule {
  readonly tools: readonly string[]
  /** Every risk when absent. */
  readonly risk?: readonly Risk[] | undefined
  readonly approvers: number
  readonly fourEyes: boolean
}

/** What a call's approval takes: by the first rule that fits, else one person, whoever it is. */
export function approvalNeeds(
  rules: readonly ApprovalRule[],
  tool: string,
  risk: Risk,
): { readonly approvers: number; readonly fourEyes: boolean } {
  const rule = rules.find(
    ({ tools, risk: risks }) => tools.some((glob) => fits(glob, tool)) && (risks === undefined || risks.includes(risk)),
  )
  return { approvers: rule?.approvers ?? 1, fourEyes: rule?.fourEyes ?? false }
}
