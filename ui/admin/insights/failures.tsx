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
    <Section
      title="Failures"
      lead="A failure that comes again and again has a cause that the agents cannot mend. Look for it here."
    >
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
              tool === null ? 'a tool that does not exist' : <CodeText text={tool} reader={app.reader} />,
          },
          { label: 'Times', align: 'end', cell: (one) => count(one.count) },
          {
            label: 'What to do',
            wide: true,
            cell: ({ guidance }) =>
              guidance === null ? (
                <span class="unset">This server does not have the tool. Open the calls to read its message.</span>
              ) : (
                <Prose text={guidance} reader={app.reader} />
              ),
          },
        ]}
      />
    </Section>
  )
}
