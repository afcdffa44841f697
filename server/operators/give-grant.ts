// Every door through which a grant is given takes the same steps: is the tool one that it can be given for,
// may this person give it, do its terms make sense, does its condition fit the tool's arguments. What came of it is
// written down.
import { newGrantId, type Random } from '../confirm/secret.ts'
import { nearest } from '../errors/nearest.ts'
import { unlessMissing } from '../errors/optional-package.ts'
import type { ConditionProblem } from '../policy/grant-condition.ts'
import { loadConditions } from '../policy/load-conditions.ts'
import { shapeOf } from '../policy/grant-shape.ts'
import { pinnedRisk } from '../policy/grant.ts'
import { approvalNeeds } from '../policy/may-approve.ts'
import { mayGrant, type GrantAsked, type MayGrant } from '../policy/may-grant.ts'
import type { Risk } from '../model/risk.ts'
import { noPersonNext } from './approval-rights.ts'
import type { Decider } from './decide-approval.ts'
import type { GiverParts } from '../rail/authorize/grant-giver.ts'
import type { Grant, GrantableTool, GrantDraft, GrantPeriod, Grants } from '../model/grants.ts'
import type { ActivityLog } from '../model/activity.ts'
import { beginAct, type ActEnd } from './operator-record.ts'

/** What giving rests on. */
export interface GivingParts extends GiverParts {
  readonly grants: Grants
  readonly activityLog: Pick<ActivityLog, 'begin' | 'complete'>
  /** The operator's own rating of a tool. */
  readonly riskOf?: ((tenant: string, tool: string, declared: Risk) => Risk) | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly random: Random
}

/** A grant as somebody asks for it. */
export interface GrantTerms {
  readonly tool: string
  readonly tenant: string
  readonly subject?: string | undefined
  readonly condition: string
  readonly times: number
  readonly per: GrantPeriod
  /** Epoch milliseconds. */
  readonly until: number
  readonly note?: string | undefined
  readonly approvalId?: string | undefined
}

export type GrantRefusalCode =
  | 'unknown-tool'
  | 'not-grantable'
  | 'not-yours-to-give'
  | 'bad-terms'
  | 'bad-condition'
  | 'unknown-grant'
  | 'already-ended'

export interface GrantRefusal {
  readonly code: GrantRefusalCode
  readonly message: string
  readonly next: string
  /** The field that is to blame. */
  readonly field?: keyof GrantTerms
  /** Where in the condition, in characters. */
  readonly at?: ConditionProblem['at']
}

export type Given =
  | { readonly kind: 'given'; readonly grant: Grant }
  | { readonly kind: 'refused'; readonly refusal: GrantRefusal }

const dayMs = 24 * 3_600_000
/** The longest that a grant can stand. */
export const longestGrantMs = 366 * dayMs
export const mostTimes = 10_000

const refuse = (
  code: GrantRefusalCode,
  message: string,
  next: string,
  more: Pick<GrantRefusal, 'field' | 'at'> = {},
): { readonly kind: 'refused'; readonly refusal: GrantRefusal } => ({
  kind: 'refused',
  refusal: { code, message, next, ...more },
})

/** Gives a grant, for a person whose credential the door has checked. */
export async function giveGrant(parts: GivingParts, by: Decider, terms: GrantTerms): Promise<Given> {
  const checked = await checkTerms(parts, by, terms)
  if (checked.kind === 'refused') return checked
  const { tool, risk, condition } = checked
  const draft: GrantDraft = {
    id: newGrantId(parts.random),
    tenant: terms.tenant,
    subject: terms.subject,
    tool: terms.tool,
    definition: tool.definition,
    schema: tool.schema,
    risk,
    condition,
    note: terms.note,
    times: terms.times,
    per: terms.per,
    until: terms.until,
    createdBy: by.name,
    giver: by.person,
    approvalId: terms.approvalId,
  }
  const end = await beginGrantAct(parts, by, draft, 'grant.given')
  const grant = await parts.grants.create(draft)
  await end({ done: true })
  return { kind: 'given', grant }
}

type Checked =
  | { readonly kind: 'fits'; readonly tool: GrantableTool; readonly risk: Risk; readonly condition: string }
  | { readonly kind: 'refused'; readonly refusal: GrantRefusal }

/** Everything that is checked before a grant is given, without giving it. */
export async function checkTerms(parts: GivingParts, by: Decider, terms: GrantTerms): Promise<Checked> {
  const found = await grantable(parts, terms.tenant, terms.tool)
  if (found.kind === 'refused') return found
  const { tool, risk } = found
  const asked = { ...terms, subject: terms.subject, ...approvalNeeds(parts.rules, terms.tool, risk) }
  const may = mayGrant(by, asked)
  if (may !== 'yes') return refuse('not-yours-to-give', ...mayNotGiveWords(may, asked))
  const wrong = wrongTerm(terms, parts.now())
  if (wrong !== undefined) return { kind: 'refused', refusal: wrong }
  const read = await unlessMissing(loadConditions)
  if (!read.ok) return refuse('bad-condition', read.failure.message, read.failure.next, { field: 'condition' })
  const compiled = read.value.compileCondition(shapeOf(JSON.parse(tool.schema)), terms.condition)
  if (!compiled.ok) {
    const { message, next, at } = compiled.failure
    return refuse('bad-condition', message, next, { field: 'condition', ...(at === undefined ? {} : { at }) })
  }
  return { kind: 'fits', tool, risk, condition: compiled.value.text }
}

/** A tool that a grant can be given for, and the highest risk that it would cover. */
export async function grantable(
  { grants, riskOf }: Pick<GivingParts, 'grants' | 'riskOf'>,
  tenant: string,
  name: string,
): Promise<
  | { readonly kind: 'grantable'; readonly tool: GrantableTool; readonly risk: Risk }
  | { readonly kind: 'refused'; readonly refusal: GrantRefusal }
> {
  const tool = await grants.offered(name)
  const field = { field: 'tool' } as const
  if (tool === undefined) {
    const near = nearest(name, await grants.offeredNames())
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
    return refuse(
      'unknown-tool',
      `No server on this database offers a tool ${JSON.stringify(name.slice(0, 100))} that changes something.`,
      `Write its name as agents call it; on a gateway "server:tool". A server says what it offers when it starts.${hint}`,
      field,
    )
  }
  const risk = riskOf?.(tenant, name, tool.risk) ?? tool.risk
  if (tool.operation === 'read')
    return refuse('not-grantable', `${name} only reads.`, 'Reads run without a permission.', field)
  if (risk === 'forbidden')
    return refuse('not-grantable', `${name} is forbidden.`, 'Nobody can permit what is forbidden.', field)
  if (risk === 'critical' && !(tool.riskDependsOnInput && tool.risk === 'critical'))
    return refuse('not-grantable', `${name} is critical.`, 'Critical calls always take a person.', field)
  if (tool.stepUp === 'always')
    return refuse(
      'not-grantable',
      `${name} asks for a second factor each time.`,
      'Such calls always take a person.',
      field,
    )
  return { kind: 'grantable', tool, risk: pinnedRisk(risk) }
}

function wrongTerm({ tenant, subject, times, per, until, note }: GrantTerms, now: number): GrantRefusal | undefined {
  const wrong = (field: keyof GrantTerms, message: string, next: string): GrantRefusal => ({
    code: 'bad-terms',
    message,
    next,
    field,
  })
  if (!isName(tenant))
    return wrong('tenant', 'The tenant has no usable name.', 'A name has 1 to 200 characters on one line.')
  if (subject !== undefined && !isName(subject))
    return wrong('subject', 'Whose calls it covers has no usable name.', 'A name has 1 to 200 characters on one line.')
  if (!Number.isSafeInteger(times) || times < 1 || times > mostTimes)
    return wrong('times', `It cannot be used ${times} times.`, `Say a whole number from 1 to ${mostTimes}.`)
  if (!['hour', 'day', 'total'].includes(per))
    return wrong('per', `Uses are not counted per ${per}.`, 'Say hour, day or total.')
  if (!Number.isSafeInteger(until) || until <= now)
    return wrong('until', 'It would have ended already.', 'Say a time that is still to come.')
  if (until > now + longestGrantMs)
    return wrong('until', 'It would stand for more than a year.', 'Say a time within 366 days; it can be given again.')
  if (note !== undefined && note.length > 500)
    return wrong('note', `The note has ${note.length} characters.`, 'Write at most 500.')
  return undefined
}

const isName = (text: string): boolean => /^[^\p{C}]{1,200}$/u.test(text) && text.trim() !== ''

/** What somebody is told who may not give it: what, and what to do. */
export function mayNotGiveWords(
  why: Exclude<MayGrant, 'yes'>,
  { tool, subject, fourEyes }: GrantAsked,
): [message: string, next: string] {
  const somebodyElse = 'An admin can give it.'
  const rule = fourEyes
    ? `Who asks for ${tool} is never who approves it`
    : `Approving ${tool} takes more than one person`
  switch (why) {
    case 'needs-admin':
      return [`Approving ${tool} takes more than one person, so a grant for it takes an admin.`, 'Ask an admin.']
    case 'needs-subject':
      return [`${rule}, and "everyone" would include you.`, 'Say whose calls it is to cover.']
    case 'own-request':
      return [`${rule}, and ${subject ?? 'the caller'} is you.`, 'Another admin must give it.']
    case 'no-person':
      return [`${rule}, and the admin token does not show who you are.`, noPersonNext]
    case 'needs-no-limit':
    case 'amount-unknown':
    case 'amount-too-high':
    case 'other-currency':
      return [`You approve ${tool} up to an amount, and a grant has none.`, somebodyElse]
    case 'other-tools':
      return [`You approve other tools than ${tool}.`, somebodyElse]
    case 'no-approver':
      return ['You may look at grants, not give them.', somebodyElse]
    case 'other-tenant':
      return ['You give permissions for your own tenant only.', 'Leave the tenant out.']
    default:
      return why satisfies never
  }
}

/** Writes down what somebody is about to do with a grant; answers how to say what came of it. */
export const beginGrantAct = (
  { activityLog }: Pick<GivingParts, 'activityLog'>,
  by: Decider,
  grant: GrantDraft,
  act: 'grant.given' | 'grant.revoked' | 'grant.renewed',
): Promise<(end: ActEnd) => Promise<void>> =>
  beginAct(activityLog, {
    who: by.name,
    tenant: grant.tenant,
    via: by.via,
    act,
    details: {
      grant: grant.id,
      tool: grant.tool,
      for: grant.subject ?? '(everyone)',
      times: grant.times,
      per: grant.per,
      until: new Date(grant.until).toISOString(),
    },
    approvalId: grant.approvalId,
  })
