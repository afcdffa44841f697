// How far it got: step by step, as a share of the whole, in a few numbers. The word says it; the sign is for the eye.
import type { VNode } from 'preact'
import { formatNumber } from './format.ts'
import { Label, Marked, Quote } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Value, type ShownValue } from './value.tsx'

interface Props<B> {
  readonly block: B
  readonly reader: Reader
}

const looks = {
  planned: ['○', '$planned', ''],
  applied: ['✓', '$applied', 'added'],
  verified: ['✓', '$verified', 'added'],
  failed: ['×', '$failed', 'removed'],
  'not-run': ['–', '$notRun', 'changed'],
  unknown: ['?', '$unknown', 'changed'],
} as const

interface StepsBlock {
  readonly steps: readonly { readonly label: string; readonly state: keyof typeof looks; readonly note?: string }[]
}

export const Steps = ({ block, reader }: Props<StepsBlock>): VNode => (
  <ol class="effects">
    {block.steps.map(({ label, state, note }) => {
      const [sign, word, tone] = looks[state]
      return (
        <li>
          <span class={`sign ${tone}`} aria-hidden="true">
            {sign}
          </span>
          <span class="step">
            <Label text={label} reader={reader} /> <small class={tone}>{reader.words[word].toLowerCase()}</small>
            {note && (
              <span class="reason">
                <Label text={note} reader={reader} />
              </span>
            )}
          </span>
        </li>
      )
    })}
  </ol>
)

interface ProgressBlock {
  readonly label: string
  readonly done: number
  /** Nothing where nobody knows how much there is. */
  readonly total?: number | undefined
  readonly marks?: readonly number[]
}

/** `quoted`: what it is called are words of a tool that runs, and none of ours. */
export const Progress = ({ block, reader, quoted }: Props<ProgressBlock> & { readonly quoted?: boolean }): VNode => (
  <label class="progress">
    <span>
      {quoted ? (
        block.label && <Quote text={block.label} reader={reader} />
      ) : (
        <Marked text={block.label} reader={reader} />
      )}
    </span>{' '}
    <span class="fig">
      {[block.done, block.total]
        .flatMap((amount) => (amount === undefined ? [] : formatNumber(String(amount), reader)))
        .join(' / ')}
    </span>
    <span class="bar">
      <progress max={block.total || 1} value={block.total === undefined ? undefined : block.done} />
      {block.marks?.map((percent) => (
        <i style={{ insetInlineStart: `${percent}%` }} />
      ))}
    </span>
  </label>
)

interface MetricsBlock {
  readonly metrics: readonly { readonly label: string; readonly value: ShownValue; readonly before?: ShownValue }[]
}

export const Metrics = ({ block, reader }: Props<MetricsBlock>): VNode => (
  <dl class="metrics">
    {block.metrics.map(({ label, value, before }) => (
      <div>
        <dt>
          <Marked text={label} reader={reader} />
        </dt>
        <dd>
          <b>
            <Value value={value} reader={reader} />
          </b>
          {before && (
            <small>
              {reader.words.$was} <Value value={before} reader={reader} />
            </small>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
