// Nineteen hosts, some tools, four journeys: a person wants to see the one cell that is red, and what somebody sees
// there. One line per host and tool, then the failures in full.
import type { CheckRow, Report } from './check.ts'
import type { JourneyName, Verdict } from './journeys/journeys.ts'
import { hostProfiles } from './host/profiles.ts'

const marks: Readonly<Record<Verdict, string>> = {
  card: 'in the card',
  chat: 'in the chat',
  approval: 'by an approver',
  'not offered': '–',
  fails: 'FAILS',
}

const columns: readonly JourneyName[] = ['confirm', 'cancel', 'revise', 'stale']

/** The report as text for a terminal. */
export function formatReport(report: Report): string {
  const tools = [...new Set(report.rows.map((row) => row.tool))]
  const lines = tools.flatMap((tool) => [tool, ...table(report.rows.filter((row) => row.tool === tool)), ''])
  const skipped = report.skipped.map(({ tool, why }) => `  ${tool}: ${why}`)
  const failures = report.rows.filter(({ verdict }) => verdict === 'fails')
  return [
    report.server,
    '',
    ...lines,
    ...(skipped.length > 0 ? ['Not checked', ...skipped, ''] : []),
    ...failures.flatMap((row) => [`${row.tool}, ${row.journey}, a host that ${doesOf(row.profile)}:`, `  ${row.seen}`]),
    summary(report, tools.length, failures.length),
  ].join('\n')
}

function summary(report: Report, tools: number, failed: number): string {
  if (report.rows.length === 0) return 'Nothing was checked.'
  const hosts = new Set(report.rows.map((row) => row.profile)).size
  const checked = `${report.rows.length} journeys of ${tools} ${tools === 1 ? 'tool' : 'tools'} in ${hosts} hosts`
  return failed === 0 ? `${checked}: all as they should be.` : `${checked}: ${failed} failed.`
}

function table(rows: readonly CheckRow[]): readonly string[] {
  const present = columns.filter((journey) => rows.some((row) => row.journey === journey))
  const profiles = [...new Set(rows.map((row) => row.profile))]
  const body = profiles.map((profile) => {
    const of = (journey: JourneyName) => rows.find((row) => row.profile === profile && row.journey === journey)
    const seen = of('confirm')?.seen ?? of(present[0] ?? 'confirm')?.seen ?? ''
    return [profile, ...present.map((journey) => marks[of(journey)?.verdict ?? 'not offered']), short(seen)]
  })
  const head = ['host', ...present, 'in the end the person sees']
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => (row[column] ?? '').length)))
  return [head, ...body].map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').replaceAll('**', '').trim()
  return line.length > 72 ? `${line.slice(0, 71)}…` : line
}

const doesOf = (name: string): string => hostProfiles.find((one) => one.name === name)?.does ?? name
