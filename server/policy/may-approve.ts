// Who may approve a call: a pure function from a person and a call to an answer, so that a test can be its whole table, and
// "why may I not?" has one place to look. The second factor and the counting of votes are elsewhere.
import type { Risk } from '../model/risk.ts'
import type { Money, Role } from '../model/operators.ts'

/** The id of whoever has the admin token: one person, whatever name they give, because one credential cannot prove two. */
export const adminTokenPerson = 'admin-token'

/** A person who wants to decide, as far as the answer depends on them. */
export interface Approver {
  readonly name: string
  /** The same for the same person at every door: an account's id, or `adminTokenPerson`. */
  readonly person?: string
  /** `undefined`: every tenant. */
  readonly tenant: string | undefined
  readonly roles: readonly Role[]
  /** Globs on the subjects of principals that are the same person. */
  readonly subjects: readonly string[]
}

/** What is to be decided. */
export interface Asked {
  /** Wire name. */
  readonly tool: string
  readonly tenant: string
  /** Who asks. */
  readonly subject: string
  /** The amount of the call; `undefined` where it is not known. */
  readonly amount: Money | undefined
  /** Whoever asks may not approve. */
  readonly fourEyes: boolean
}

/** Why somebody may not. `other-tenant` is told as an unknown approval. */
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

/** Whether this person may approve the call, or why not. */
export function mayApprove(person: Approver, asked: Asked): May {
  const role = mayDecide(person, asked, true)
  if (role !== 'yes' || !asked.fourEyes) return role
  if (provesNobody(person)) return 'no-person'
  return isSamePerson(person, asked.subject) ? 'own-request' : 'yes'
}

/** Whether a credential does not prove who uses it: with the admin token, anybody may give any name. */
export const provesNobody = ({ person }: Pick<Approver, 'person'>): boolean => person === adminTokenPerson

/** Whether this person may reject the call: any of a tool that they may approve, of any amount, and their own. */
export const mayReject = (person: Approver, asked: Asked): May => mayDecide(person, asked, false)

/** Ordered from far to near: of several roles, the person is told the reason of the nearest. */
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
  if (!role.tools.some((glob) => matchesGlob(glob, tool))) return 'other-tools'
  if (!withAmount || role.maxAmount === undefined) return 'yes'
  if (amount === undefined) return 'amount-unknown'
  if (amount.currency !== role.maxAmount.currency) return 'other-currency'
  return exceeds(amount.value, role.maxAmount.value) ? 'amount-too-high' : 'yes'
}

/**
 * Whether a principal is this person: by one of their globs, or by their name, alone or before a slash as local hosts use it
 * (`ada/claude`). A false match is safe, because it only takes a right away.
 */
export function isSamePerson({ name, subjects }: Pick<Approver, 'name' | 'subjects'>, subject: string): boolean {
  const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()
  const [own, other] = [plain(name), plain(subject)]
  return own === other || other.startsWith(`${own}/`) || subjects.some((glob) => matchesGlob(plain(glob), other))
}

/** Whether a name matches a glob, in which `*` is any part and everything else itself. */
export function matchesGlob(glob: string, name: string): boolean {
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

/** A decimal text in units of 10^-30; `undefined` where it is no number. */
function scaled(text: string): bigint | undefined {
  const found = decimal.exec(text)
  if (found === null) return undefined
  const [, sign, whole = '', part = ''] = found
  const value = BigInt(whole + part.padEnd(30, '0'))
  return sign === '-' ? -value : value
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)

/** Whether an amount, positive or negative, is larger than a limit. What is no number is larger than every limit. */
export function exceeds(amount: string, limit: string): boolean {
  const [one, most] = [scaled(amount), scaled(limit)]
  return one === undefined || most === undefined || size(one) > most
}

/** The largest of some amounts; `undefined` where there is none, one is no number, or their currencies differ. */
export function largestAmount(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  if (first === undefined) return undefined
  if (amounts.some(({ value, currency }) => currency !== first.currency || scaled(value) === undefined))
    return undefined
  return amounts.reduce((most, each) => (size(scaled(each.value) ?? 0n) > size(scaled(most.value) ?? 0n) ? each : most))
}

/** A rule of approval, as an operator configured it. */
export interface ApprovalRule {
  /** Patterns of wire names: `orders_*`. */
  readonly tools: readonly string[]
  /** Every risk when absent. */
  readonly risk?: readonly Risk[] | undefined
  /** How many people have to approve. */
  readonly approvers: number
  /** Whoever asks may not approve. */
  readonly fourEyes: boolean
}

/** What the approval of a call demands, by the first rule that matches; without one, any one person. */
export function approvalNeeds(
  rules: readonly ApprovalRule[],
  tool: string,
  risk: Risk,
): { readonly approvers: number; readonly fourEyes: boolean } {
  const rule = rules.find(
    ({ tools, risk: risks }) =>
      tools.some((glob) => matchesGlob(glob, tool)) && (risks === undefined || risks.includes(risk)),
  )
  return { approvers: rule?.approvers ?? 1, fourEyes: rule?.fourEyes ?? false }
}
