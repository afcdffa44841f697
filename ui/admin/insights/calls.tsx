import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Marked } from '../../parts/marked.tsx'
import { outcomeWords, verdictWords } from '../activity/words.tsx'
import { Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { toActivity } from '../route.ts'
import { Table } from '../table.tsx'
import { Columns, Figure, Legend, Sparkline, StackedBar, type Part } from './charts.tsx'
import { counted, percent, sliceLabel } from './numbers.ts'
import type { PartProps } from './page.tsx'

type Tool = PartProps['insights']['calls']['tools'][number]
type Kinds = Tool['kinds']

const kinds = [
  ['done', 'Done'],
  ['waiting', 'Previewed or waiting'],
  ['failed', 'Refused or failed'],
] as const

const kindParts = (of: Kinds): readonly Part[] => kinds.map(([look, label]) => ({ look, label, value: of[look] }))

const verdicts = [
  ['allow', 'one'],
  ['preview', 'two'],
  ['approve', 'three'],
  ['deny', 'four'],
  ['none', 'five'],
] as const

const verdictParts = ({ verdicts: of }: Pick<Tool, 'verdicts'>): readonly Part[] =>
  verdicts.map(([name, look]) => ({ look, label: verdictWords(name), value: of[name] ?? 0 }))

/** How many calls, over time and by tool. */
export const Calls = ({ insights, app }: PartProps): VNode => {
  const { calls } = insights
  const count = counted(app)
  const failed = calls.over_time.reduce((sum, slice) => sum + slice.failed, 0)
  const label = (iso: string): string => sliceLabel(app, iso, calls.grain)
  return (
    <Section title="Calls">
      <Figure
        title={`Calls by ${calls.grain}`}
        says={`${count(calls.total)} in all, ${count(failed)} of them refused or failed (${percent(app, (failed / calls.total) * 100)}).`}
        table={
          <Table
            label={`Calls by ${calls.grain}`}
            rows={calls.over_time}
            id={({ since }) => since}
            columns={[
              { label: 'From', wide: true, cell: ({ since }) => label(since) },
              ...kinds.map(([key, words]) => ({
                label: words,
                align: 'end' as const,
                cell: (slice: Kinds) => count(slice[key]),
              })),
            ]}
          />
        }
      >
        <Legend parts={kinds.map(([look, words]) => ({ look, label: words }))} />
        <Columns
          columns={calls.over_time.map((slice) => ({ label: label(slice.since), parts: kindParts(slice) }))}
          from={label(insights.since)}
          to={label(insights.until)}
          count={count}
        />
      </Figure>
      <ByTool insights={insights} app={app} />
    </Section>
  )
}

const SHOWN = 12

const ByTool = ({ insights, app }: PartProps): VNode => {
  const [by, arrange] = useState<'outcome' | 'verdict'>('outcome')
  const { tools, others } = insights.calls
  const count = counted(app)
  const most = Math.max(...tools.map(({ calls }) => calls))
  const top = tools[0]
  const link = ({ tool }: Tool): string =>
    toActivity({ since: insights.since, ...(tool === null ? { status: 'refused' } : { tool }) })
  return (
    <Figure
      title="Calls by tool"
      says={top === undefined ? '' : `${nameOf(top)} has the most, ${count(top.calls)}.`}
      table={<ToolTable tools={tools} app={app} />}
    >
      <div class="buttons" role="group" aria-label="Split by">
        {(['outcome', 'verdict'] as const).map((name) => (
          <button type="button" class="small" aria-pressed={by === name} onClick={() => arrange(name)}>
            By {name}
          </button>
        ))}
      </div>
      <Legend
        parts={
          by === 'outcome'
            ? kinds.map(([look, label]) => ({ look, label }))
            : verdicts.map(([name, look]) => ({ look, label: verdictWords(name) }))
        }
      />
      <ul class="stack tool-bars">
        {tools.slice(0, SHOWN).map((of) => (
          <li>
            <a href={link(of)}>
              {of.tool === null ? 'Tools that do not exist' : <CodeText text={of.tool} reader={app.reader} />}
            </a>
            <StackedBar parts={by === 'outcome' ? kindParts(of.kinds) : verdictParts(of)} most={most} />
            <Sparkline values={of.trend} />
            <span class="figure-count">{count(of.calls)}</span>
          </li>
        ))}
      </ul>
      {(tools.length > SHOWN || others > 0) && <p class="hint">Further tools are in the table.</p>}
    </Figure>
  )
}

const nameOf = ({ tool }: Tool): string => tool ?? 'What does not exist'

const ToolTable = ({ tools, app }: { readonly tools: readonly Tool[]; readonly app: PartProps['app'] }): VNode => {
  const count = counted(app)
  const listed = (of: Readonly<Record<string, number>>, words: (name: string) => string): string =>
    Object.entries(of)
      .map(([name, calls]) => `${words(name)} ${count(calls)}`)
      .join(', ')
  return (
    <Table
      label="Calls by tool"
      rows={tools}
      id={({ tool }) => tool ?? ''}
      columns={[
        { label: 'Tool', cell: (of) => <Marked text={nameOf(of)} reader={app.reader} /> },
        { label: 'Calls', align: 'end', cell: ({ calls }) => count(calls) },
        { label: 'Verdicts', cell: (of) => listed(of.verdicts, verdictWords) },
        { label: 'Outcomes', wide: true, cell: (of) => listed(of.outcomes, outcomeWords) },
      ]}
    />
  )
}
