// What grants are worth: questions that nobody had to answer.
import type { VNode } from 'preact'
import { Empty, Section } from '../page.tsx'
import { to } from '../route.ts'
import { BarFigure } from './bar-figure.tsx'
import { Figure } from './figure.tsx'
import { CodeText } from '../pieces.tsx'
import { Legend, StackedBar, type Part } from './charts.tsx'
import { comparedWords, counted, sliceLabel } from './numbers.ts'
import type { PartProps } from './page.tsx'
import { pictureOfRows } from './picture.ts'
import { rowsOf } from './rows.ts'

const ends = [
  ['ran', 'done', 'Ran', 'applied,ok'],
  ['failed', 'failed', 'Ran and failed', 'failed,outcome_unknown'],
] as const

const SHOWN = 12

/** Calls that ran because somebody had permitted them beforehand. */
export const SavedCalls = ({ insights, before, app }: PartProps): VNode => {
  const { grants, calls, approvals } = insights
  const count = counted(app)
  const rows = rowsOf(insights, app)
  const label = (iso: string): string => sliceLabel(app, iso, calls.grain)
  type Slice = (typeof grants.over_time)[number]
  type Grant = (typeof grants.grants)[number]
  const within = ({ since, until, grants: ids }: Slice, status: string | undefined): string =>
    rows({ since, until, grant: ids.join(','), status })
  const all = grants.ran + grants.failed
  const most = Math.max(1, ...grants.grants.map(({ ran, failed }) => ran + failed))
  const partsOf = (of: Grant): readonly Part[] =>
    ends.map(([end, look, words]) => ({ look, label: words, value: of[end] }))
  return (
    <Section
      title="Questions saved by grants"
      lead="A grant permits calls beforehand. Each of these ran without asking anybody; without the grant a person would have been asked."
      actions={<a href={`${to('settings')}#grants`}>Grants</a>}
    >
      {all === 0 ? (
        <Empty title="No call ran under a grant in this time">
          Where the same harmless call is approved again and again, a grant saves the question: open such an approval
          and choose “Allow the next calls like this…”.
        </Empty>
      ) : (
        <>
          <BarFigure
            title={`Calls under grants by ${calls.grain}`}
            says={`${count(all)} calls ran without a question; ${count(approvals.asked)} approvals were asked for in the same time.${comparedWords(app, all, before && before.grants.ran + before.grants.failed)}`}
            data={{
              label: `Calls under grants by ${calls.grain}`,
              rows: grants.over_time,
              columns: [
                { label: 'From', wide: true, value: ({ since }) => since, words: ({ since }) => label(since) },
                ...ends.map(([end, , words, status]) => ({
                  label: words,
                  value: (of: Slice) => of[end],
                  href: (of: Slice) => within(of, status),
                })),
              ],
            }}
            labels={grants.over_time.map(({ since }) => label(since))}
            series={ends.map(([end, look, words]) => ({
              look,
              label: words,
              values: grants.over_time.map((of) => of[end]),
            }))}
            before={before?.grants.over_time.map(({ ran, failed }) => ran + failed)}
            href={({ bar, part }) => {
              const of = grants.over_time[bar]
              return of === undefined || of.grants.length === 0
                ? undefined
                : within(of, part === undefined ? undefined : ends[part]?.[3])
            }}
            app={app}
          />
          <Figure
            title="By grant"
            says={`${count(grants.grants.length)} ${grants.grants.length === 1 ? 'grant was' : 'grants were'} used.`}
            data={{
              label: 'Calls by grant',
              rows: grants.grants,
              columns: [
                { label: 'Grant', value: ({ grant }) => grant },
                { label: 'Tool', wide: true, value: ({ tool }) => tool },
                ...ends.map(([end, , words, status]) => ({
                  label: words,
                  value: (of: Grant) => of[end],
                  href: ({ grant }: Grant) => rows({ grant, status }),
                })),
              ],
            }}
            png={(figure) =>
              pictureOfRows(figure, {
                title: 'Calls by grant',
                rows: grants.grants
                  .slice(0, SHOWN)
                  .map((of) => ({ name: of.grant, parts: partsOf(of), text: count(of.ran + of.failed) })),
                most,
              })
            }
            app={app}
          >
            <Legend parts={ends.map(([, look, words]) => ({ look, label: words }))} />
            <ul class="stack tool-bars">
              {grants.grants.slice(0, SHOWN).map((of) => (
                <li>
                  <span>
                    {of.tool !== null && <CodeText text={of.tool} reader={app.reader} />}{' '}
                    <a href={rows({ grant: of.grant })}>
                      <CodeText text={of.grant} reader={app.reader} />
                    </a>
                  </span>
                  <StackedBar
                    parts={partsOf(of)}
                    most={most}
                    count={count}
                    onPart={() => app.go(rows({ grant: of.grant }))}
                  />
                  <span class="figure-count">{count(of.ran + of.failed)}</span>
                </li>
              ))}
            </ul>
          </Figure>
        </>
      )}
    </Section>
  )
}
