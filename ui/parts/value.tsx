// One value as a person reads it. "Not set" is a fact and "unknown" is the lack of one; they must never look alike.
import type { VNode } from 'preact'
import { formatDate, formatMoney, formatNumber } from './format.ts'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { counted } from './count.ts'

/** What can be shown. The card's own value type must fit into it; the compiler checks that where the two meet. */
export type ShownValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'number'; readonly value: string; readonly unit?: string }
  | { readonly kind: 'money'; readonly amount: string; readonly currency: string }
  | { readonly kind: 'date'; readonly iso: string; readonly precision: 'day' | 'minute' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly ShownValue[] }
  | { readonly kind: 'unset' }
  | { readonly kind: 'unknown' }

interface ValueProps {
  readonly value: ShownValue
  readonly reader: Reader
}

/** What `Intl` has written may hold direction marks of its own; what it could not read is data like any other. */
const Figure = ({
  raw,
  shown,
  reader,
}: {
  readonly raw: string
  readonly shown: string
  readonly reader: Reader
}): VNode => (raw === shown ? <Marked text={raw} reader={reader} /> : <bdi>{shown}</bdi>)

const LONG = 300
const LINES = 6

/** Long text is folded, with its length, and never cut. What is to be applied must have been opened once. */
const Text = ({ value, reader }: { readonly value: { readonly text: string }; readonly reader: Reader }): VNode => {
  const { text } = value
  const lines = text.split('\n').length > LINES
  if (text.length <= LONG && !lines) return <Marked text={text} reader={reader} />
  const [first = ''] = text.slice(0, 120).split('\n')
  return (
    <details class="long" data-read>
      <summary>
        <Marked text={first} reader={reader} />… <i>{counted(reader, '$characters', text.length)}</i>
      </summary>
      <div class="text">
        <Marked text={text} reader={reader} lines />
      </div>
    </details>
  )
}

export const Value = ({ value, reader }: ValueProps): VNode => {
  const { words } = reader
  switch (value.kind) {
    case 'text':
      return value.text === '' ? <i class="unset">“”</i> : <Text value={value} reader={reader} />
    case 'code':
      return (
        <code class={value.text.length <= 40 ? 'id' : ''}>
          <Text value={value} reader={reader} />
        </code>
      )
    case 'number':
      return (
        <span class="fig">
          <Figure raw={value.value} shown={formatNumber(value.value, reader)} reader={reader} />
          {value.unit ? <Marked text={`\u00A0${value.unit}`} reader={reader} /> : null}
        </span>
      )
    case 'money':
      return (
        <span class="fig">
          <Figure
            raw={`${value.amount} ${value.currency}`}
            shown={formatMoney(value.amount, value.currency, reader)}
            reader={reader}
          />
        </span>
      )
    case 'date':
      return (
        <time class="fig" dateTime={value.iso}>
          <Figure raw={value.iso} shown={formatDate(value.iso, value.precision, reader)} reader={reader} />
        </time>
      )
    case 'boolean':
      return <span>{value.value ? words.$yes : words.$no}</span>
    case 'list':
      return value.items.length === 0 ? (
        <i class="unset">{words.$none}</i>
      ) : (
        <ul class="list">
          {value.items.map((item) => (
            <li>
              <Value value={item} reader={reader} />
            </li>
          ))}
        </ul>
      )
    case 'unset':
      return <i class="unset">{words.$notSet}</i>
    case 'unknown':
      return <span class="unknown">{words.$unknown}</span>
  }
  value satisfies never
  return <span class="unknown">{words.$unknown}</span>
}
