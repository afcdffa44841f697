// How a call reads on a terminal: one line in a table, or its whole story. The rationale is always called what it is,
// the agent's claim.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { isCall } from '../../model/activity.ts'
import type { ActivityLine, ActivityRecord } from '../../http/activity/activity-wire.ts'
import type { Approval } from './activity-open.ts'

export const tableHead = ['TIME (UTC)', 'SOURCE', 'TOOL', 'INTENT', 'STATUS', 'DURATION', 'ID'] as const

const icons: Readonly<Record<string, string>> = { read: '○', write: '✎', destructive: '✖' }

/** One line of the table. */
export const tableRow = (call: ActivityLine, withIcons: boolean): readonly string[] => [
  timeText(call.time),
  call.source,
  showInvisible(call.tool),
  intentText(call, withIcons),
  call.status,
  call.duration_ms === null || !isCall(call.source) ? '-' : durationText(call.duration_ms),
  call.id,
]

/** The operation, with a mark where no agent has declared it. */
const intentText = ({ intent_type: type, intent_source, source }: ActivityLine, withIcons: boolean): string => {
  if (type === null && !isCall(source)) return '-'
  if (type === null) return withIcons ? '?' : 'unknown'
  const text = withIcons ? `${icons[type] ?? '?'} ${showInvisible(type)}` : showInvisible(type)
  return intent_source === 'derived' ? `${text}, derived` : text
}

const timeText = (iso: string): string => iso.slice(0, 19).replace('T', ' ')

/** A duration as a person says it. */
const durationText = (ms: number): string => {
  if (ms < 1000) return `${ms} ms`
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

/** One call, all of it. */
function callText(call: ActivityRecord, withIcons: boolean): string {
  const rows: (readonly [string, unknown])[] = [
    ['Time', call.time],
    ['Tool', call.variant === null ? call.tool : `${call.tool} (through ${call.variant})`],
    ['Intent', intentText(call, withIcons) + (call.intent_source === 'declared' ? ', declared' : '')],
    ['Declared', call.intent.operation_type === call.intent_type ? null : call.intent.operation_type],
    ['Sensitivity', call.intent.data_sensitivity],
    ['Reason', call.intent.reason],
    ['Rationale', call.rationale === null ? null : `"${call.rationale}" (the agent's claim)`],
    [
      'Who',
      call.source === 'later'
        ? `this server, later, on behalf of ${call.subject}, tenant ${call.tenant}`
        : `${call.subject}, tenant ${call.tenant}, with ${call.client} over ${call.source}`,
    ],
    ['Risk', call.risk],
    ['Verdict', call.verdict],
    ['Status', call.status === 'unknown' ? 'unknown (its end was never written: the process died)' : call.status],
    ['Duration', call.duration_ms === null || !isCall(call.source) ? null : durationText(call.duration_ms)],
    ['Event', call.audit_event],
    ['Plan', call.plan_id],
    ['Approval', call.approval_id],
    ['Notes', call.notes.length === 0 ? null : call.notes.join(' ')],
    [call.source === 'later' ? 'Details' : 'Arguments', call.arguments],
    ['Result', call.result],
    ['Error', call.error_code === null ? null : `${call.error_code}: ${call.error_message ?? '(erased)'}`],
    ['Erased', call.erased ? 'its texts were erased; the chain still vouches for what is left' : null],
  ]
  const events = call.events.map((event): readonly [string, unknown] => [
    'Added',
    `${timeText(event.time)} ${event.name} ${JSON.stringify(event.data)}`,
  ])
  return [...rows, ...events]
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) =>
        `  ${name.padEnd(11)} ${showInvisible(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('\n')
}

/** A story: every call of one plan or approval, in order. `asked` is marked. */
export function storyText(story: readonly ActivityRecord[], asked: string, withIcons: boolean): string {
  return story
    .map((call, at) => {
      const mark = call.id === asked && story.length > 1 ? '  <- asked for' : ''
      const count = story.length > 1 ? `${at + 1} of ${story.length}: ` : ''
      return `${count}${call.id} ${call.status}${mark}\n${callText(call, withIcons)}`
    })
    .join('\n\n')
}

/** Who let it happen, or did not. */
export function approvalText(approval: Approval): string {
  const { id, state, decidedBy, decidedAt, reason } = approval
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  const at = decidedAt === undefined ? '' : ` at ${new Date(decidedAt).toISOString()}`
  return `\n${id} ${state}${showInvisible(`${by}${at}${reason === undefined ? '' : `: ${reason}`}`)}`
}
