import type { VNode } from 'preact'
import { Section } from '../page.tsx'
import { to } from '../route.ts'
import { BarFigure } from './bar-figure.tsx'
import { GroupList } from './groups.tsx'
import { counted, sliceLabel } from './numbers.ts'
import type { PartProps } from './page.tsx'

/** How often agents say where they are stuck, and with what. */
export const FeedbackFigures = ({ insights, app }: PartProps): VNode => {
  const { feedback } = insights
  const count = counted(app)
  const label = (iso: string): string => sliceLabel(app, iso, 'day')
  const { high, med, low } = feedback.severities
  const listed = (since: string): string => `${to('feedback')}?${new URLSearchParams({ since })}`
  return (
    <Section
      title="Feedback"
      lead="If agents never report problems, they may not know that they can."
      actions={<a href={to('feedback')}>All feedback</a>}
    >
      <BarFigure
        title="Feedback in the last three months"
        says={`${count(feedback.count)} in the time above (high ${count(high)}, medium ${count(med)}, low ${count(low)}). ${rateWords(feedback)}`}
        data={{
          label: 'Feedback by 30 days',
          rows: feedback.months,
          columns: [
            {
              label: '30 days from',
              wide: true,
              value: ({ since }) => since,
              words: ({ since, until }) => `${label(since)} to ${label(until)}`,
            },
            { label: 'Feedback', value: (month) => month.count, href: ({ since }) => listed(since) },
          ],
        }}
        labels={feedback.months.map(({ since, until }) => `${label(since)} to ${label(until)}`)}
        series={[{ look: 'one', label: 'Feedback', values: feedback.months.map((month) => month.count) }]}
        href={({ bar }) => {
          const month = feedback.months[bar]
          return month && listed(month.since)
        }}
        app={app}
      />
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
    ? 'The average for a month is shown once the record is 30 days old.'
    : `${per_month} a month over the last ${days} days.`
