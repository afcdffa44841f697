// The notices that webhooks get: enough to know whether to look, never enough to decide. None contains a secret, a ticket or
// an argument of a call, and whatever an agent has written is quoted as text and cut.
import { createHash } from 'node:crypto'
import { plainSentence } from '../../cards/figures.ts'
import type { NoticeEvent } from './webhook.ts'
import type { Approval } from '../../model/approvals.ts'
import type { Principal } from '../../model/principal.ts'
import type { FeedbackItem, TenantReport } from '../../store/store.ts'

export interface Notice {
  readonly event: NoticeEvent
  readonly tenant: string
  /** What it is about: a webhook gets one notice of a subject. */
  readonly subject: string
  /** Epoch milliseconds. */
  readonly at: number
  /** One line: what has happened. */
  readonly title: string
  /** A sentence or two, of which parts may be an agent's words. */
  readonly detail: string
  /** For people. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  /** For programs. */
  readonly data: Readonly<Record<string, unknown>>
  /** Where a person looks at it, below the server's own address. */
  readonly path: string
  /** What the link says. */
  readonly linkText: string
  /** For whoever cannot open the page: a command of `countersign`, or a request of its API. */
  readonly otherwise: { readonly command: string } | { readonly request: string }
}

/** Where people look at what they are told of. */
export interface Whereabouts {
  /** Where they open this server's pages, if anywhere. */
  readonly address: string | undefined
  /** The options by which `countersign …` works on its records. */
  readonly options: string
  /** The variables that such a command needs in its terminal. */
  readonly variables: readonly string[]
}

/** What is told of an approval. */
type WaitingApproval = Principal &
  Pick<Approval, 'id' | 'client' | 'tool' | 'risk' | 'summary' | 'stepUp' | 'createdAt' | 'expiresAt'>

const cut = (text: string, length: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

const iso = (at: number): string => new Date(at).toISOString()

function aboutApproval(event: NoticeEvent, approval: WaitingApproval, title: string, at: number): Notice {
  const { id, tenant, subject, client, tool, risk, stepUp } = approval
  const summary = cut(plainSentence(approval.summary), 300)
  return {
    event,
    tenant,
    subject: `${event} ${id}`,
    at,
    title,
    detail: summary,
    fields: [
      { name: 'Tool', value: tool },
      { name: 'Risk', value: stepUp ? `${risk}, with a second factor` : risk },
      { name: 'Asked by', value: cut(`${subject} through ${client}`, 200) },
      { name: 'Expires', value: iso(approval.expiresAt) },
    ],
    data: {
      approval_id: id,
      tenant,
      tool,
      risk,
      step_up: stepUp,
      asked_by: { subject, client },
      summary,
      created_at: iso(approval.createdAt),
      expires_at: iso(approval.expiresAt),
    },
    path: `/admin/approvals/${id}`,
    linkText: 'Look at it and decide',
    otherwise: { command: `approvals show ${id}` },
  }
}

/** A call waits for a person. */
export const approvalWaiting = (approval: WaitingApproval): Notice =>
  aboutApproval('approval.waiting', approval, 'A call waits for approval', approval.createdAt)

/** A call that waits for a person will expire soon. */
export const approvalExpiring = (approval: WaitingApproval, now: number): Notice =>
  aboutApproval('approval.expiring', approval, 'An approval is about to expire', now)

/** An agent is stuck and calls it severe. */
export function feedbackHigh(item: FeedbackItem): Notice {
  const { id, principal, toolCalled } = item
  const attempted = cut(item.attemptedAction, 300)
  return {
    event: 'feedback.high',
    tenant: principal.tenant,
    subject: `feedback.high ${id}`,
    at: item.createdAt,
    title: 'An agent sent feedback of high severity',
    detail: attempted,
    fields: [
      { name: 'From', value: cut(principal.subject, 200) },
      ...(toolCalled === undefined ? [] : [{ name: 'Tool', value: cut(toolCalled, 200) }]),
    ],
    data: {
      feedback_id: id,
      tenant: principal.tenant,
      from: { subject: principal.subject },
      attempted_action: attempted,
      ...(toolCalled === undefined ? {} : { tool: cut(toolCalled, 200) }),
    },
    path: `/admin/feedback/${id}`,
    linkText: 'Read the feedback',
    otherwise: { command: 'feedback list --severity high' },
  }
}

/** Somebody still calls without a rationale, which is refused from a date on. Once a day for each caller. */
export function rationaleMissing(caller: {
  readonly principal: Principal
  readonly client: string
  readonly tools: readonly string[]
  readonly calls: number
  readonly until: string
  readonly at: number
}): Notice {
  const { principal, client, until, at, calls } = caller
  const tools = caller.tools.slice(0, 20)
  const day = iso(at).slice(0, 10)
  // A caller's name may be long, and the subject only has to be the same for the same caller.
  const who = createHash('sha256')
    .update(JSON.stringify([principal.tenant, principal.subject, client]))
    .digest('hex')
  return {
    event: 'rationale.missing',
    tenant: principal.tenant,
    subject: `rationale.missing ${who.slice(0, 24)} ${day}`,
    at,
    title: 'A caller still sends no rationale',
    detail: `${cut(`${principal.subject} through ${client}`, 200)} has called without one today. From ${until} on such calls are refused.`,
    fields: [
      { name: 'Tools', value: cut(tools.join(', '), 300) },
      { name: 'Calls so far', value: String(calls) },
    ],
    data: { tenant: principal.tenant, caller: { subject: principal.subject, client }, tools, calls, until },
    path: '/admin/insights/callers',
    linkText: 'See these callers',
    otherwise: { command: 'admin grace' },
  }
}

/** The activity log is not what was written. Told again each day for as long as it is so. */
export function recordTampered(
  problem: NonNullable<TenantReport['problem']> & { /** Epoch milliseconds. */ readonly at: number },
): Notice {
  const { tenant, kind, seq, id, message, at } = problem
  return {
    event: 'record.tampered',
    tenant,
    subject: `record.tampered ${createHash('sha256').update(`${tenant}\n${kind}\n${seq}`).digest('hex').slice(0, 24)} ${iso(at).slice(0, 10)}`,
    at,
    title: 'The record of calls was tampered with',
    detail: cut(message, 300),
    fields: [
      { name: 'What', value: kind },
      { name: 'Entry', value: id === undefined ? String(seq) : `${seq} (${id})` },
    ],
    data: { tenant, kind, entry: seq, ...(id === undefined ? {} : { activity_id: id }), message: cut(message, 300) },
    path: id === undefined ? '/admin/activity' : `/admin/activity/${id}`,
    linkText: 'Look at the record',
    otherwise: { command: 'activity verify' },
  }
}

/** A test that an operator asked for. */
export const testNotice = (tenant: string | undefined, by: string, at: number): Notice => ({
  event: 'webhook.test',
  tenant: tenant ?? '',
  subject: `webhook.test ${at}`,
  at,
  title: 'This is a test',
  detail: `${cut(by, 100)} has asked whether notifications arrive here. They do.`,
  fields: [],
  data: { tenant: tenant ?? null, asked_by: cut(by, 100) },
  path: '/admin/settings',
  linkText: 'Look at the webhooks',
  otherwise: { request: 'GET /api/v1/webhooks' },
})
