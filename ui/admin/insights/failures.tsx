import type { VNode } from 'preact'
import { Prose } from '../../parts/marked.tsx'
import { Empty, Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { Table } from '../table.tsx'
import { counted } from './numbers.ts'
import type { PartProps } from './page.tsx'
import { rowsOf, statusesOf } from './rows.ts'

/** The most frequent failures, and what to do about each. */
export const Failures = ({ insights, app }: PartProps): VNode => {
  const count = counted(app)
  const { failures } = insights
  const rows = rowsOf(insights, app)
  return (
    <Section title="Failures" lead="The same failure again and again is no longer the agents’ mistake.">
      <Table
        label="Failures, the most frequent first"
        rows={failures}
        empty={<Empty title="Nothing failed in this time" />}
        id={({ code, tool }) => `${code} ${tool}`}
        columns={[
          {
            label: 'Failure',
            cell: ({ code, tool }) => (
              <a href={rows({ status: statusesOf.failed, tool: tool ?? undefined })}>
                <CodeText text={code} reader={app.reader} />
              </a>
            ),
          },
          {
            label: 'Tool',
            cell: ({ tool }) =>
              tool === null ? 'one that does not exist' : <CodeText text={tool} reader={app.reader} />,
          },
          { label: 'Times', align: 'end', cell: (one) => count(one.count) },
          {
            label: 'What to do',
            wide: true,
            cell: ({ guidance }) =>
              guidance === null ? (
                <span class="unset">Its tool is not served here; the rows have its own words.</span>
              ) : (
                <Prose text={guidance} reader={app.reader} />
              ),
          },
        ]}
      />
    </Section>
  )
}
