// Whether it helps agents to be told what to do about an error, and what nobody can tell them yet.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { AdminContext } from '../context.ts'
import { Empty, Section } from '../page.tsx'
import { CodeText, Fact } from '../pieces.tsx'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'
import { Legend, StackedBar, type Part } from './charts.tsx'
import { Figure } from './figure.tsx'
import { counted, percent } from './numbers.ts'
import type { PartProps } from './page.tsx'
import { pictureOfRows } from './picture.ts'
import { rowsOf } from './rows.ts'

type Figures = PartProps['insights']['guidance']
type Resolution = Figures['resolution']
type Halves = NonNullable<Figures['halves']>

const became = [
  ['resolved', 'done', 'Resolved at the first attempt'],
  ['another', 'three', 'Another error'],
  ['repeated', 'failed', 'The same error again'],
] as const

const partsOf = (of: Resolution): readonly Part[] =>
  became.map(([name, look, label]) => ({ look, label, value: of[name] }))

/** What agents do after an error. */
export const Guidance = ({ insights, app }: PartProps): VNode => {
  const { guidance } = insights
  const { resolution, halves, types } = guidance
  const isJudged = resolution.judged + resolution.left > 0
  return (
    <Section
      title="Guidance"
      lead="Do agents get past an error once they are told what to do? It counts as resolved if the next call of the same tool in the same session, within 30 minutes, meets no error."
    >
      {isJudged && <Resolved guidance={guidance} app={app} />}
      {halves !== null && <Compared halves={halves} app={app} />}
      {types.length === 0 ? (
        <Empty title="No call met an error in this time" />
      ) : (
        <Types guidance={guidance} app={app} />
      )}
      <Rates insights={insights} app={app} />
    </Section>
  )
}

interface FigureProps {
  readonly guidance: Figures
  readonly app: AdminContext
}

const Resolved = ({ guidance: { resolution, newest }, app }: FigureProps): VNode => {
  const count = counted(app)
  const { resolved, judged, sessions, left, again, share_percent: share } = resolution
  const rows = [
    ...partsOf(resolution),
    { label: 'No further call of that tool', value: left },
    { label: 'Repeats of these errors', value: again },
  ]
  return (
    <Figure
      title={judged === 0 ? 'No error judged yet' : `${percent(app, share)} resolved at the first attempt`}
      says={`${judged === 0 ? '' : `${count(resolved)} of ${count(judged)} errors in ${sessions === 1 ? '1 session' : `${count(sessions)} sessions`}. `}${left === 0 ? '' : `After ${count(left)} ${judged === 0 ? 'errors' : 'more'} the agent did not call that tool again, so nobody knows.`}${newest === null ? '' : ` Of the newest ${count(newest)} errors.`}`}
      data={{
        label: 'What came after an error',
        rows,
        columns: [
          { label: 'Then', wide: true, value: ({ label }) => label },
          { label: 'Errors', value: ({ value }) => value },
        ],
      }}
      png={(figure) =>
        pictureOfRows(figure, {
          title: 'What came after an error',
          rows: [{ name: 'Errors', parts: partsOf(resolution), text: count(judged) }],
          most: judged,
        })
      }
      app={app}
    >
      <Legend parts={partsOf(resolution)} />
      <div class="share">
        <StackedBar parts={partsOf(resolution)} most={judged} count={count} />
      </div>
    </Figure>
  )
}

/** The halves of `guidance.sample`. */
const Compared = ({ halves, app }: { readonly halves: Halves; readonly app: AdminContext }): VNode => {
  const count = counted(app)
  const rows = [
    { name: 'With guidance', of: halves.with },
    { name: 'Without', of: halves.without },
  ]
  return (
    <Figure
      title="With and without guidance"
      says={differenceWords(app, halves.difference)}
      data={{
        label: 'With and without guidance',
        rows,
        columns: [
          { label: 'Half', wide: true, value: ({ name }) => name },
          { label: 'Sessions', value: ({ of }) => of.sessions },
          ...became.map(([name, , label]) => ({
            label,
            value: ({ of }: (typeof rows)[number]) => of[name],
          })),
          { label: 'No further call', value: ({ of }) => of.left },
          {
            label: 'Resolved in percent',
            value: ({ of }) => of.share_percent,
            words: ({ of }) => percent(app, of.share_percent),
          },
        ],
      }}
      png={(figure) =>
        pictureOfRows(figure, {
          title: 'With and without guidance',
          // Each in percent of its own half, as on the page.
          rows: rows.map(({ name, of }) => ({
            name,
            parts: partsOf(of).map((part) => ({ ...part, value: (part.value / Math.max(1, of.judged)) * 100 })),
            text: `${percent(app, of.share_percent)} of ${count(of.judged)}`,
          })),
          most: 100,
        })
      }
      app={app}
    >
      <Legend parts={partsOf(halves.with)} />
      <ul class="stack tool-bars">
        {rows.map(({ name, of }) => (
          <li>
            <span>{name}</span>
            <StackedBar parts={partsOf(of)} most={of.judged} count={count} />
            <span class="figure-count">
              {percent(app, of.share_percent)} of {count(of.judged)}
            </span>
          </li>
        ))}
      </ul>
    </Figure>
  )
}

function differenceWords(app: AdminContext, difference: Halves['difference']): string {
  if (difference === null) return 'Nothing to compare yet: both halves need an error and a call after it.'
  const { low, high } = difference
  const number = new Intl.NumberFormat(app.reader.locale ?? 'en', { signDisplay: 'exceptZero' })
  const [by, from, to] = [difference.points, low, high].map((value) => number.format(value))
  return `Resolved with guidance and not without: ${by} percentage points, in 95 of 100 cases between ${from} and ${to}.${low <= 0 && high >= 0 ? ' Zero lies between them, so this may be chance.' : ''}`
}

/** Errors by what they are called. */
const Types = ({ guidance: { types, other_types: others }, app }: FigureProps): VNode => {
  const count = counted(app)
  return (
    <div class="stack">
      <h3>By type of error</h3>
      <Table
        label="After an error, by type"
        rows={types}
        id={(of) => of.error_type}
        columns={[
          { label: 'Error', wide: true, cell: (of) => <CodeText text={of.error_type} reader={app.reader} /> },
          { label: 'Times', align: 'end', cell: (of) => count(of.errors) },
          {
            label: 'Resolved at the first attempt',
            align: 'end',
            cell: (of) => (of.judged === 0 ? '–' : `${percent(app, of.share_percent)} of ${count(of.judged)}`),
          },
          {
            label: 'Calls until one went well (median)',
            align: 'end',
            cell: (of) => (of.median_attempts === null ? '–' : count(of.median_attempts)),
          },
        ]}
      />
      {others > 0 && <p class="hint">{count(others)} more errors of other types.</p>}
    </div>
  )
}

/** Shares that are no chart. */
const Rates = ({ insights, app }: Pick<PartProps, 'insights' | 'app'>): VNode => {
  const { budgets, tool_choice: choice } = insights.guidance
  const count = counted(app)
  const sent = choice.other_call_tool + choice.unknown_tool + choice.other_tool_of_server
  const ways = [
    [choice.other_call_tool, 'another of the call tools fits'],
    [choice.unknown_tool, 'no tool has that name'],
    [choice.other_tool_of_server, 'the server behind names another tool'],
  ] as const
  return (
    <dl class="fields facts">
      <Fact label="Budget or fuel used up">
        {budgets.calls === 0 ? (
          'No call of this time used a budget.'
        ) : (
          <>
            {percent(app, budgets.share_percent)} ({count(budgets.exhausted)} of {count(budgets.calls)} calls with one)
            {budgets.tools.map(({ tool, exhausted }) => (
              <small class="below">
                <a href={rowsOf(insights, app)({ tool })}>
                  <CodeText text={tool} reader={app.reader} />
                </a>{' '}
                {count(exhausted)}
              </small>
            ))}
          </>
        )}
      </Fact>
      <Fact label="Sent to another tool">
        {percent(app, choice.share_percent)} ({count(sent)} of {count(choice.calls)} calls)
        {ways.map(([calls, words]) =>
          calls === 0 ? null : (
            <small class="below">
              {words}: {count(calls)}
            </small>
          ),
        )}
      </Fact>
    </dl>
  )
}

/** Errors of which nobody can tell agents more than that something went wrong. */
export const Unexplained = ({ insights, app }: PartProps): VNode => {
  const count = counted(app)
  const { unexplained } = insights.guidance
  return (
    <Section
      title="Not explained yet"
      lead="Errors of which agents are told only that something went wrong. Values are removed from the texts. How to explain one stands in the guide on errors, under “Errors that nothing explains”."
    >
      <Table
        label="Errors that nothing explains, the most frequent first"
        rows={unexplained}
        empty={<Empty title="Every error of this time is explained" />}
        id={({ fingerprint, tool }) => `${fingerprint} ${tool}`}
        columns={[
          {
            label: 'Error',
            wide: true,
            cell: ({ text, fingerprint, next }) => (
              <>
                <Marked text={text} reader={app.reader} />
                <small class="below minor">{next}</small>
                <small class="below minor">
                  Fingerprint <code>{fingerprint}</code>
                </small>
              </>
            ),
          },
          {
            label: 'Tool',
            cell: ({ tool, server }) =>
              tool === null ? (
                'a tool that does not exist'
              ) : (
                <>
                  <a href={rowsOf(insights, app)({ tool })}>
                    <CodeText text={tool} reader={app.reader} />
                  </a>
                  {server !== null && (
                    <small class="below">
                      of <Marked text={server} reader={app.reader} />
                    </small>
                  )}
                </>
              ),
          },
          { label: 'Times', align: 'end', cell: ({ errors }) => count(errors) },
          { label: 'Sessions', align: 'end', cell: ({ sessions }) => count(sessions) },
          {
            label: 'Last',
            cell: ({ first_at: first, last_at: last }) => (
              <>
                <Ago iso={last} app={app} />
                <small class="below minor">
                  first <Ago iso={first} app={app} />
                </small>
              </>
            ),
          },
        ]}
      />
    </Section>
  )
}
