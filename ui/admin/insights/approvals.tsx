import type { VNode } from 'preact'
import { Pill } from '../../parts/buttons.tsx'
import { Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { BarFigure } from './bar-figure.tsx'
import { Legend, StackedBar, type Part } from './charts.tsx'
import { Figure } from './figure.tsx'
import { comparedWords, counted, percent, secondsWords } from './numbers.ts'
import type { PartProps } from './page.tsx'
import { pictureOfRows } from './picture.ts'
import { rowsOf } from './rows.ts'

type Tool = PartProps['insights']['approvals']['tools'][number]
type Delay = PartProps['insights']['approvals']['delays'][number]

const looks = [
  ['one', 'Approved within five minutes'],
  ['two', 'Approved later'],
  ['failed', 'Rejected'],
  ['five', 'Expired'],
] as const

const partsOf = ({ quick, approved, rejected, expired }: Tool): readonly Part[] =>
  looks.map(([look, label], at) => ({ look, label, value: [quick, approved - quick, rejected, expired][at] ?? 0 }))

/** What is approved so quickly that it need not have been asked, and what came of decisions of each speed. */
export const Approvals = ({ insights, before, app }: PartProps): VNode => {
  const { tools, asked } = insights.approvals
  const count = counted(app)
  const most = Math.max(1, ...tools.map((of) => of.asked - of.waiting))
  const easy = tools.filter(({ re_rate }) => re_rate).length
  const rows = rowsOf(insights, app)
  const ofTool = ({ tool }: Tool): string => rows({ tool, verdict: 'approve' })
  const number = (label: string, value: (of: Tool) => number) => ({ label, value, href: ofTool })
  return (
    <Section
      title="Approvals"
      lead="Where more than half of a tool’s approvals are given within five minutes, people probably agree without looking: give that tool a lower risk. Approvals are kept for 30 days."
    >
      <Delays insights={insights} before={before} app={app} />
      <Figure
        title="How approvals ended, by tool"
        says={`${count(asked)} were asked for; ${easy === 0 ? 'no tool' : easy === 1 ? '1 tool' : `${count(easy)} tools`} should get a lower risk.${comparedWords(app, asked, before?.approvals.asked)}`}
        data={{
          label: 'How approvals ended, by tool',
          rows: tools,
          columns: [
            { label: 'Tool', wide: true, value: ({ tool }) => tool },
            { label: 'Risk', value: ({ risk }) => risk },
            number('Asked', (of) => of.asked),
            number('Within 5 min', ({ quick }) => quick),
            number('Approved', ({ approved }) => approved),
            number('Rejected', ({ rejected }) => rejected),
            number('Expired', ({ expired }) => expired),
            number('Waiting', ({ waiting }) => waiting),
            {
              label: 'Median in seconds',
              value: (of) => of.median_seconds,
              words: (of) => (of.median_seconds === null ? '–' : secondsWords(app, of.median_seconds)),
            },
            { label: 'What to do', value: (of) => (of.re_rate ? 'Lower its risk' : '') },
          ],
        }}
        png={(figure) =>
          pictureOfRows(figure, {
            title: 'How approvals ended, by tool',
            rows: tools.slice(0, 12).map((of) => ({ name: of.tool, parts: partsOf(of), text: count(of.asked) })),
            most,
          })
        }
        app={app}
      >
        <Legend parts={looks.map(([look, label]) => ({ look, label }))} />
        <ul class="stack tool-bars">
          {tools.slice(0, 12).map((of) => (
            <li>
              <span>
                <a href={ofTool(of)}>
                  <CodeText text={of.tool} reader={app.reader} />
                </a>{' '}
                {of.re_rate && <Pill tone="warn">Lower its risk</Pill>}
              </span>
              <StackedBar parts={partsOf(of)} most={most} count={count} onPart={() => app.go(ofTool(of))} />
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

const ends = [
  ['applied', 'done', 'Approved, and done'],
  ['failed', 'three', 'Approved, and failed'],
  ['not_run', 'waiting', 'Approved, not run'],
  ['rejected', 'failed', 'Rejected'],
  ['expired', 'five', 'Nobody decided'],
] as const

/** How long the decision took against what came of it. */
const Delays = ({ insights, before, app }: PartProps): VNode | null => {
  const { delays } = insights.approvals
  const label = (of: Delay): string => delayWords(app, of)
  const rows = rowsOf(insights, app)
  const decided = delays.reduce(
    (sum, of) => sum + of.applied.count + of.failed.count + of.not_run.count + of.rejected.count,
    0,
  )
  const open = (of: Delay, ...which: readonly (typeof ends)[number][0][]): string | undefined => {
    const ids = which.flatMap((end) => of[end].ids)
    // Asked for in this time; decided and run after it, perhaps.
    return ids.length === 0 ? undefined : rows({ approval: ids.slice(0, 40).join(','), until: undefined })
  }
  const count = counted(app)
  if (delays.every((of) => wholeOf(of) === 0)) return null
  return (
    <BarFigure
      title="How long decisions took, and what came of them"
      says={saysOf(delays, count, decided)}
      data={{
        label: 'How long decisions took, and what came of them',
        rows: delays,
        columns: [
          { label: 'Decided after', wide: true, value: label },
          ...ends.map(([end, , words]) => ({
            label: words,
            value: (of: Delay) => of[end].count,
            href: (of: Delay) => open(of, end),
          })),
        ],
      }}
      labels={delays.map(label)}
      series={ends.map(([end, look, words]) => ({ look, label: words, values: delays.map((of) => of[end].count) }))}
      before={before?.approvals.delays.map(wholeOf)}
      href={({ bar, part }) => {
        const of = delays[bar]
        const end = part === undefined ? undefined : ends[part]?.[0]
        return of && (end === undefined ? open(of, ...ends.map(([each]) => each)) : open(of, end))
      }}
      app={app}
    />
  )
}

const wholeOf = (of: Delay): number => ends.reduce((sum, [end]) => sum + of[end].count, 0)

const saysOf = (delays: readonly Delay[], count: (value: number) => string, decided: number): string => {
  const undecided = delays.reduce((sum, of) => sum + of.expired.count, 0)
  const hasty = delays.filter(({ to_seconds: end }) => end !== null && end <= 60)
  const quick = hasty.reduce((sum, of) => sum + wholeOf(of), 0)
  const failed = hasty.reduce((sum, of) => sum + of.failed.count, 0)
  return `${count(decided)} were decided, ${count(quick)} of them within a minute${failed === 0 ? '' : `, of which ${count(failed)} were approved and then failed`}.${undecided === 0 ? '' : ` ${count(undecided)} expired without a decision.`}`
}

const delayWords = (app: PartProps['app'], { from_seconds: from, to_seconds: to }: Delay): string => {
  if (from === null) return 'Not decided'
  if (to === null) return `Over ${secondsWords(app, from)}`
  return from === 0 ? `Under ${secondsWords(app, to)}` : `${secondsWords(app, from)} to ${secondsWords(app, to)}`
}
