import type { VNode } from 'preact'
import { Marked, Prose } from '../../parts/marked.tsx'
import { Empty, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Table } from '../table.tsx'
import { counted } from './numbers.ts'
import type { PartProps } from './room.tsx'

/** The most frequent failures, and what to do about each. */
export const Failures = ({ insights, desk }: PartProps): VNode => {
  const count = counted(desk)
  const { failures } = insights
  return (
    <Section title="Failures" lead="The same failure again and again is no longer the agents’ mistake.">
      {failures.length === 0 ? (
        <Empty title="Nothing failed in this time" />
      ) : (
        <Table
          label="Failures, the most frequent first"
          rows={failures}
          id={({ code, tool }) => `${code} ${tool}`}
          columns={[
            {
              key: 'code',
              label: 'Failure',
              cell: ({ code, tool }) => (
                <a
                  href={`${to('activity')}?${new URLSearchParams({
                    since: insights.since,
                    status: 'refused,failed,mismatch,stale,outcome_unknown',
                    ...(tool === null ? {} : { tool }),
                  })}`}
                >
                  <code>
                    <Marked text={code} reader={desk.reader} />
                  </code>
                </a>
              ),
            },
            {
              key: 'tool',
              label: 'Tool',
              cell: ({ tool }) =>
                tool === null ? (
                  'one that does not exist'
                ) : (
                  <code>
                    <Marked text={tool} reader={desk.reader} />
                  </code>
                ),
            },
            { key: 'count', label: 'Times', align: 'end', cell: (one) => count(one.count) },
            {
              key: 'guidance',
              label: 'What to do',
              wide: true,
              cell: ({ guidance }) =>
                guidance === null ? (
                  <span class="unset">Its tool is not served here; the rows have its own words.</span>
                ) : (
                  <Prose text={guidance} reader={desk.reader} />
                ),
            },
          ]}
        />
      )}
    </Section>
  )
}
