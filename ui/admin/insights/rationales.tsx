import type { VNode } from 'preact'
import { Quote } from '../../parts/marked.tsx'
import { Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { to } from '../route.ts'
import { Legend, StackedBar, type Part } from './charts.tsx'
import { Figure } from './figure.tsx'
import { GroupList } from './groups.tsx'
import { counted, percent } from './numbers.ts'
import type { PartProps } from './page.tsx'
import { pictureOfRows } from './picture.ts'

type Figures = PartProps['insights']['rationales']

const ways = [
  ['boilerplate', 'two', 'Would fit every call'],
  ['repeats_the_call', 'three', 'Repeats the call'],
  ['no_reason', 'four', 'Names no reason'],
  ['used_before', 'five', 'Used before'],
  ['not_a_sentence', 'six', 'Not a sentence'],
] as const

const words: Readonly<Record<string, string>> = {
  meaningful: 'Gives a reason',
  ...Object.fromEntries(ways.map(([name, , label]) => [name, label])),
}

const partsOf = ({ meaningful, empty }: Figures): readonly Part[] => [
  { look: 'done', label: 'Gives a reason', value: meaningful },
  ...ways.map(([name, look, label]) => ({ look, label, value: empty[name] })),
]

/** Whether agents say why, and what they say. */
export const Rationales = ({ insights, app }: PartProps): VNode => {
  const { rationales } = insights
  const count = counted(app)
  const { judged, meaningful, given, without, erased, share_percent } = rationales
  return (
    <Section
      title="Rationales"
      lead="The reasons that agents give for their calls. One counts if it says why in its own words: more than the call says already, nothing that would fit every call, and not the same text again and again."
    >
      {judged === 0 ? (
        <p>No call of this time has a rationale{erased > 0 ? ' left: they were erased' : ''}.</p>
      ) : (
        <Figure
          title={`${percent(app, share_percent)} give a reason`}
          says={`${count(meaningful)} of ${count(judged)} different ones${judged < given ? `, out of ${count(given)} calls with a rationale` : ''}.${without > 0 ? ` Without one: ${count(without)}.` : ''}${erased > 0 ? ` Erased: ${count(erased)}.` : ''}`}
          data={{
            label: 'Rationales',
            rows: partsOf(rationales),
            columns: [
              { label: 'Kind', wide: true, value: ({ label }) => label },
              { label: 'Rationales', value: ({ value }) => value },
            ],
          }}
          png={(figure) =>
            pictureOfRows(figure, {
              title: 'Rationales',
              rows: [{ name: 'Rationales', parts: partsOf(rationales), text: count(judged) }],
              most: judged,
            })
          }
          app={app}
        >
          {without > 0 && (
            <p class="minor">
              <a href={to('insights', 'callers')}>Callers over REST without a rationale</a>
            </p>
          )}
          <Legend parts={partsOf(rationales).filter(({ value }) => value > 0)} />
          <div class="share">
            <StackedBar parts={partsOf(rationales)} most={judged} count={count} />
          </div>
          <details>
            <summary>Examples</summary>
            <dl class="fields facts">
              {rationales.examples.map(({ judgement, text, tool }) => (
                <div>
                  <dt>{words[judgement]}</dt>
                  <dd>
                    <Quote text={text} reader={app.reader} /> <CodeText text={tool} reader={app.reader} />
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </Figure>
      )}
      <GroupList
        title="What they say"
        groups={rationales.groups}
        page="activity"
        app={app}
        nothing="Nothing to group."
      />
    </Section>
  )
}
