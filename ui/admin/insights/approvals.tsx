import type { VNode } from 'preact'
import { Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { toActivity } from '../route.ts'
import { Table } from '../table.tsx'
import { Figure, Legend, StackedBar, type Part } from './charts.tsx'
import { counted, percent } from './numbers.ts'
import type { PartProps } from './page.tsx'

type Tool = PartProps['insights']['approvals']['tools'][number]

const looks = [
  ['one', 'Approved within five minutes'],
  ['two', 'Approved later'],
  ['failed', 'Rejected'],
  ['waiting', 'Expired'],
] as const

const partsOf = ({ quick, approved, rejected, expired }: Tool): readonly Part[] =>
  looks.map(([look, label], at) => ({ look, label, value: [quick, approved - quick, rejected, expired][at] ?? 0 }))

const secondsWords = (seconds: number | null): string => {
  if (seconds === null) return ''
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

/** What is approved so quickly that it need not have been asked. */
export const Approvals = ({ insights, app }: PartProps): VNode => {
  const { tools, asked } = insights.approvals
  const count = counted(app)
  const most = Math.max(1, ...tools.map((of) => of.asked - of.waiting))
  const easy = tools.filter(({ re_rate }) => re_rate).length
  return (
    <Section
      title="Approvals"
      lead="A tool whose approvals are given unanimously within five minutes more often than not should be rated lower. Approvals are kept for 30 days."
    >
      <Figure
        title="How approvals ended"
        says={`${count(asked)} were asked for; ${easy === 0 ? 'no tool' : easy === 1 ? '1 tool' : `${easy} tools`} should be rated lower.`}
        table={<ApprovalTable tools={tools} app={app} />}
      >
        <Legend parts={looks.map(([look, label]) => ({ look, label }))} />
        <ul class="stack tool-bars">
          {tools.slice(0, 12).map((of) => (
            <li>
              <span>
                <a href={toActivity({ since: insights.since, tool: of.tool })}>
                  <CodeText text={of.tool} reader={app.reader} />
                </a>{' '}
                {of.re_rate && <Pill tone="warn">Rate it lower</Pill>}
              </span>
              <StackedBar parts={partsOf(of)} most={most} />
              <span class="figure-count">
                {count(of.quick)} of {count(of.approved + of.rejected + of.expired)} quick
                {of.quick_percent !== null && ` (${percent(app, of.quick_percent)})`}
              </span>
            </li>
          ))}
        </ul>
      </Figure>
    </Section>
  )
}

const ApprovalTable = ({ tools, app }: { readonly tools: readonly Tool[]; readonly app: PartProps['app'] }): VNode => {
  const count = counted(app)
  const number = (label: string, value: (of: Tool) => number) => ({
    label,
    align: 'end' as const,
    cell: (of: Tool) => count(value(of)),
  })
  return (
    <Table
      label="How approvals ended, by tool"
      rows={tools}
      id={({ tool }) => tool}
      columns={[
        { label: 'Tool', wide: true, cell: ({ tool }) => <Marked text={tool} reader={app.reader} /> },
        { label: 'Risk', cell: ({ risk }) => risk },
        number('Asked', ({ asked }) => asked),
        number('Within 5 min', ({ quick }) => quick),
        number('Approved', ({ approved }) => approved),
        number('Rejected', ({ rejected }) => rejected),
        number('Expired', ({ expired }) => expired),
        number('Waiting', ({ waiting }) => waiting),
        { label: 'Median', align: 'end', cell: (of) => secondsWords(of.median_seconds) },
        { label: 'Advice', cell: (of) => (of.re_rate ? 'Rate it lower' : '') },
      ]}
    />
  )
}
