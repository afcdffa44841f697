// A grant as a person reads it at a terminal.
import type { GrantStateNow } from '../../operators/grant-state.ts'
import type { Records } from './operator.ts'
import { cell, columns, minute } from '../terminal/output.ts'

type Grant = NonNullable<Awaited<ReturnType<Records['grants']['find']>>>
type Use = Awaited<ReturnType<Records['grants']['uses']>>[number]

const periods = { hour: 'in any hour', day: 'in any 24 hours', total: 'in all' } as const

/** "20 times in any hour". */
export const timesText = ({ times, per }: Pick<Grant, 'times' | 'per'>): string =>
  `${times} ${times === 1 ? 'time' : 'times'} ${periods[per]}`

/** Whose calls it covers. */
export const whoText = ({ subject, tenant }: Pick<Grant, 'subject' | 'tenant'>): string =>
  subject === undefined ? `everyone of tenant ${tenant}` : `${subject} of tenant ${tenant}`

/** Many of them, one a line; below them why some do not count at present. */
export const grantTable = (list: readonly (readonly [Grant, GrantStateNow])[]): string =>
  [listed(list), ...list.flatMap(([{ id }, { because }]) => (because === undefined ? [] : [`${id}: ${because}`]))].join(
    '\n',
  )

const listed = (list: readonly (readonly [Grant, GrantStateNow])[]): string =>
  columns([
    ['ID', 'STATE', 'LEFT', 'TOOL', 'WHOSE CALLS', 'UNTIL (UTC)', 'IF'],
    ...list.map(([grant, { state }]) => [
      grant.id,
      state,
      `${Math.max(0, grant.times - grant.used)}/${grant.times}${grant.per === 'total' ? '' : ` a ${grant.per}`}`,
      cell(grant.tool, 40),
      cell(whoText(grant), 40),
      minute(grant.until),
      cell(grant.condition),
    ]),
  ])

/** One of them, with everything. */
export function grantText(grant: Grant, { state, title, because }: GrantStateNow, uses: readonly Use[]): string {
  const rows: (readonly [string, string | undefined])[] = [
    [
      'State',
      because === undefined ? state : `${state}: ${because} \`countersign grants renew ${grant.id}\` renews it.`,
    ],
    ['Tool', title === undefined ? grant.tool : `${grant.tool} (${title})`],
    ['Whose calls', whoText(grant)],
    ['If', grant.condition],
    ['Risk', `up to ${grant.risk}`],
    ['How often', timesText(grant)],
    ['Left', String(Math.max(0, grant.times - grant.used))],
    ['Until', `${minute(grant.until)} UTC`],
    ['Why', grant.note],
    [
      'Given',
      `${minute(grant.createdAt)} by ${grant.createdBy}${grant.approvalId === undefined ? '' : `, from ${grant.approvalId}`}`,
    ],
    ['Renewed', grant.renewed && `${minute(grant.renewed.at)} by ${grant.renewed.by}`],
    ['Revoked', grant.revoked && `${minute(grant.revoked.at)} by ${grant.revoked.by}`],
    ['Used', `${grant.usedInAll} in all`],
  ]
  const head = columns(rows.flatMap(([label, value]) => (value === undefined ? [] : [[`${label}:`, value]])))
  if (uses.length === 0) return `${grant.id}\n${head}`
  const table = columns([
    ['WHEN (UTC)', 'WHO', 'PLAN', ''],
    ...uses.map(({ at, subject, planId, returnedAt }) => [
      minute(at),
      cell(subject, 40),
      planId,
      returnedAt === undefined ? '' : 'given back: nothing had happened',
    ]),
  ])
  return `${grant.id}\n${head}\n\n${table}`
}
