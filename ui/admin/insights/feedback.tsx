import type { VNode } from 'preact'
import { Section } from '../page.tsx'
import { to } from '../route.ts'
import { Table } from '../table.tsx'
import { Columns, Figure } from './charts.tsx'
import { GroupList } from './groups.tsx'
import { counted, sliceLabel } from './numbers.ts'
import type { PartProps } from './page.tsx'

/** How often agents say where they are stuck, and with what. */
export const FeedbackFigures = ({ insights, app }: PartProps): VNode => {
  const { feedback } = insights
  const count = counted(app)
  const label = (iso: string): string => sliceLabel(app, iso, 'day')
  const { high, med, low } = feedback.severities
  return (
    <Section
      title="Feedback"
      lead="Agents that never say where they are stuck may not know how."
      actions={<a href={to('feedback')}>Read it</a>}
    >
      <Figure
        title="Feedback in the last three months"
        says={`${count(feedback.count)} in this time (high ${count(high)}, medium ${count(med)}, low ${count(low)}). ${rateWords(feedback)}`}
        table={
          <Table
            label="Feedback by 30 days"
            rows={feedback.months}
            id={({ since }) => since}
            columns={[
              {
                label: '30 days from',
                wide: true,
                cell: ({ since, until }) => `${label(since)} to ${label(until)}`,
              },
              { label: 'Feedback', align: 'end', cell: (month) => count(month.count) },
            ]}
          />
        }
      >
        <div class="months">
          <Columns
            columns={feedback.months.map((month) => ({
              label: label(month.since),
              parts: [{ look: 'one', label: 'Feedback', value: month.count }],
            }))}
            from={label(feedback.months[0]?.since ?? insights.since)}
            to={label(insights.until)}
            count={count}
          />
        </div>
      </Figure>
      <GroupList
        title="What they say"
        groups={feedback.groups}
        page="feedback"
        app={app}
        nothing="None in this time."
      />
    </Section>
  )
}

const rateWords = ({ per_month, days }: PartProps['insights']['feedback']): string =>
  per_month === null
    ? 'The rate by the month is told once the record is 30 days old.'
    : `${per_month} a month over the last ${days} days.`
