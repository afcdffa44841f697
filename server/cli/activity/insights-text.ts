// How insights read on a terminal: what should be done first, then the numbers that say so.
import type { gatherInsights } from '../../http/operators/insight-facts.ts'
import { cell, columns } from '../terminal/output.ts'
import { guidanceLines, typeRows, unexplainedRows } from './guidance-text.ts'

export type Insights = Awaited<ReturnType<typeof gatherInsights>>
type Groups = Insights['rationales']['groups']

/** One tenant's insights. */
export const insightsText = (insights: Insights): string =>
  [
    `Tenant ${cell(insights.tenant)}, ${minutes(insights.since)} to ${minutes(insights.until)} (UTC)`,
    ...insights.warnings.map(({ title, text, next }) => `! ${title} ${text}\n  ${next}`),
    section(`Calls: ${insights.calls.total}`, callRows(insights)),
    section('Failures', failureRows(insights)),
    section('Guidance', guidanceLines(insights.guidance), 0),
    section('After an error', typeRows(insights.guidance)),
    section('Not explained yet', unexplainedRows(insights.guidance)),
    section('Approvals', approvalRows(insights)),
    section(`Ran under grants, without a question: ${insights.grants.ran}`, grantRows(insights)),
    rationaleText(insights),
    groupsText('What rationales say', insights.rationales.groups),
    feedbackLine(insights),
    groupsText('What feedback says', insights.feedback.groups),
  ]
    .filter((part) => part !== '')
    .join('\n\n')

const minutes = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

/** Nothing where there are no rows below the head. */
const section = (title: string, rows: readonly (readonly string[])[], head = 1): string =>
  rows.length <= head ? '' : `${title}\n${indent(columns(rows))}`

const indent = (text: string): string => text.replace(/^/gm, '  ')

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const toolName = (tool: string | null): string => (tool === null ? '(no such tool)' : cell(tool, 60))

const callRows = ({ calls }: Insights): readonly (readonly string[])[] => [
  ['TOOL', 'CALLS', 'VERDICTS', 'OUTCOMES'],
  ...calls.tools.map((of) => [toolName(of.tool), String(of.calls), counts(of.verdicts), counts(of.outcomes)]),
  ...(calls.others > 0 ? [['(other tools)', String(calls.others), '', '']] : []),
]

const failureRows = ({ failures }: Insights): readonly (readonly string[])[] => [
  ['FAILURE', 'TOOL', 'TIMES', 'WHAT TO DO'],
  ...failures.map(({ code, tool, count, guidance }) => [
    cell(code, 40),
    toolName(tool),
    String(count),
    guidance ?? 'Its contract says it; see the page, or the rows: countersign activity list --status failed',
  ]),
]

const grantRows = ({ grants }: Insights): readonly (readonly string[])[] => [
  ['GRANT', 'TOOL', 'RAN', 'FAILED'],
  ...grants.grants.map(({ grant, tool, ran, failed }) => [
    cell(grant, 40),
    toolName(tool),
    String(ran),
    String(failed),
  ]),
]

const approvalRows = ({ approvals }: Insights): readonly (readonly string[])[] => [
  ['TOOL', 'RISK', 'ASKED', 'APPROVED', 'REJECTED', 'EXPIRED', 'WITHIN 5 MIN', 'MEDIAN', ''],
  ...approvals.tools.map((of) => [
    cell(of.tool, 60),
    of.risk,
    String(of.asked),
    String(of.approved),
    String(of.rejected),
    String(of.expired),
    of.quick_percent === null ? '-' : `${of.quick} (${of.quick_percent} %)`,
    of.median_seconds === null ? '-' : `${of.median_seconds} s`,
    of.re_rate ? 're-rate' : '',
  ]),
]

function rationaleText({ rationales }: Insights): string {
  const { given, without, erased, judged, meaningful, share_percent, empty } = rationales
  if (given + without === 0) return ''
  const ways = counts(Object.fromEntries(Object.entries(empty).filter(([, count]) => count > 0))).replaceAll('_', ' ')
  return [
    `Rationales: ${given} given${without > 0 ? `, ${without} calls without one` : ''}${erased > 0 ? `, ${erased} erased` : ''}`,
    share_percent === null
      ? ''
      : `  meaningful: ${share_percent} % (${meaningful} of ${judged} different ones)${ways === '' ? '' : `; not: ${ways}`}`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

const feedbackLine = ({ feedback }: Insights): string => {
  const { high, med, low } = feedback.severities
  const rate = feedback.per_month === null ? '' : `; ${feedback.per_month} a month over ${feedback.days} days`
  return `Feedback: ${feedback.count} (high ${high}, med ${med}, low ${low})${rate}`
}

function groupsText(title: string, { texts, compared, groups, others }: Groups): string {
  if (groups.length === 0) return ''
  const sample = compared < texts ? ` (a sample of ${compared} of ${texts})` : ''
  const rows = groups.map(({ count, sentence, tools }) => [
    String(count),
    cell(sentence, 100),
    tools.length === 0 ? '' : `[${cell(tools.join(', '), 60)}]`,
  ])
  const rest = others > 0 ? [[String(others), '(in smaller groups)', '']] : []
  return `${title}${sample}\n${indent(columns([...rows, ...rest]))}`
}
