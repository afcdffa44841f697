import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { outcomeWords, verdictWords } from '../activity/words.tsx'
import { Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { BarFigure } from './bar-figure.tsx'
import { Legend, Sparkline, StackedBar, type Part } from './charts.tsx'
import { Figure } from './figure.tsx'
import { comparedWords, counted, percent, sliceLabel } from './numbers.ts'
import type { PartProps } from './page.tsx'
import { pictureOfRows } from './picture.ts'
import { rowsOf, statusesOf } from './rows.ts'

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

const wholeOf = ({ done, waiting, failed }: Kinds): number => done + waiting + failed

/** How many calls, over time and by tool. */
export const Calls = ({ insights, before, app }: PartProps): VNode => {
  const { calls } = insights
  const count = counted(app)
  const failed = calls.over_time.reduce((sum, slice) => sum + slice.failed, 0)
  const label = (iso: string): string => sliceLabel(app, iso, calls.grain)
  const rows = rowsOf(insights, app)
  const slice = ({ since, until }: { readonly since: string; readonly until: string }) => ({ since, until })
  return (
    <Section title="Calls" lead="What agents asked for. Click a bar, or a number of a table, for the calls behind it.">
      <BarFigure
        title={`Calls by ${calls.grain}`}
        says={`${count(calls.total)} in all, ${count(failed)} of them refused or failed (${percent(app, (failed / calls.total) * 100)}).${comparedWords(app, calls.total, before?.calls.total)}`}
        data={{
          label: `Calls by ${calls.grain}`,
          rows: calls.over_time,
          columns: [
            { label: 'From', wide: true, value: ({ since }) => since, words: ({ since }) => label(since) },
            ...kinds.map(([kind, words]) => ({
              label: words,
              value: (of: Kinds) => of[kind],
              href: (of: (typeof calls.over_time)[number]) => rows({ ...slice(of), status: statusesOf[kind] }),
            })),
          ],
        }}
        labels={calls.over_time.map(({ since }) => label(since))}
        series={kinds.map(([look, words]) => ({ look, label: words, values: calls.over_time.map((of) => of[look]) }))}
        before={before?.calls.over_time.map(wholeOf)}
        href={({ bar, part }) => {
          const of = calls.over_time[bar]
          const kind = part === undefined ? undefined : kinds[part]?.[0]
          return of && rows({ ...slice(of), status: kind && statusesOf[kind] })
        }}
        app={app}
      />
      <ByTool insights={insights} before={before} app={app} />
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
  const rows = rowsOf(insights, app)
  const link = ({ tool }: Tool, more: Readonly<Record<string, string | undefined>> = {}): string =>
    rows({ ...(tool === null ? { status: 'refused' } : { tool }), ...more })
  const listed = (of: Readonly<Record<string, number>>, words: (name: string) => string): string =>
    Object.entries(of)
      .map(([name, calls]) => `${words(name)} ${count(calls)}`)
      .join(', ')
  const partsOf = (of: Tool): readonly Part[] => (by === 'outcome' ? kindParts(of.kinds) : verdictParts(of))
  const partLink = (of: Tool, { look }: Part): string => {
    const kind = kinds.find(([name]) => name === look)?.[0]
    const verdict = verdicts.find(([, each]) => each === look)?.[0]
    if (by === 'outcome') return link(of, { status: kind && statusesOf[kind] })
    return link(of, { verdict: verdict === 'none' ? undefined : verdict })
  }
  return (
    <Figure
      title="Calls by tool"
      says={top === undefined ? '' : `${nameOf(top)} has the most, ${count(top.calls)}.`}
      data={{
        label: 'Calls by tool',
        rows: tools,
        columns: [
          { label: 'Tool', value: nameOf },
          { label: 'Calls', value: ({ calls }) => calls, href: (of) => link(of) },
          ...kinds.map(([kind, words]) => ({
            label: words,
            value: (of: Tool) => of.kinds[kind],
            href: (of: Tool) => link(of, { status: statusesOf[kind] }),
          })),
          { label: 'Decided by the rules', value: (of) => listed(of.verdicts, verdictWords) },
          { label: 'What became of them', wide: true, value: (of) => listed(of.outcomes, outcomeWords) },
        ],
      }}
      png={(figure) =>
        pictureOfRows(figure, {
          title: 'Calls by tool',
          rows: tools.slice(0, SHOWN).map((of) => ({ name: nameOf(of), parts: partsOf(of), text: count(of.calls) })),
          most,
        })
      }
      app={app}
    >
      <div class="buttons" role="group" aria-label="Split by">
        {(['outcome', 'verdict'] as const).map((name) => (
          <button type="button" class="small" aria-pressed={by === name} onClick={() => arrange(name)}>
            {name === 'outcome' ? 'By what became of them' : 'By what the rules said'}
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
            <StackedBar parts={partsOf(of)} most={most} count={count} onPart={(part) => app.go(partLink(of, part))} />
            <Sparkline values={of.trend} />
            <span class="figure-count">{count(of.calls)}</span>
          </li>
        ))}
      </ul>
      {(tools.length > SHOWN || others > 0) && <p class="hint">The table has the other tools.</p>}
    </Figure>
  )
}

const nameOf = ({ tool }: Tool): string => tool ?? 'Tools that do not exist'
