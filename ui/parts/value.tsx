// One value as a person reads it. "Not set" is a fact and "unknown" is the lack of one; they must never look alike.
import type { VNode } from 'preact'
import type { Figure } from '../../server/cards/figures.ts'
import { formatFigure } from './format.ts'
import { directionOf } from './direction.ts'
import { marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { counted } from './count.ts'

/** What can be shown. The card's own value type must fit into it; the compiler checks that where the two meet. */
export type ShownValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | Figure
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly ShownValue[] }
  | { readonly kind: 'unset' }
  | { readonly kind: 'unknown' }

interface ValueProps {
  readonly value: ShownValue
  readonly reader: Reader
  /** Long texts that were opened, kept by a table whose rows come and go. */
  readonly opened?: Set<string> | undefined
}

/** What `Intl` has written may hold direction marks of its own; what it could not read is data like any other. */
const figure = (raw: string, shown: string, reader: Reader): VNode =>
  raw === shown ? marked({ text: raw, reader, fig: true }) : <bdi class="fig">{shown}</bdi>

const LONG = 300
const LINES = 6

const isLong = (text: string): boolean => text.length > LONG || text.split('\n').length > LINES

/** True where a part of the value is folded away, and was not opened. */
export const isFolded = (value: ShownValue, opened?: ReadonlySet<string>): boolean =>
  value.kind === 'list'
    ? value.items.some((item) => isFolded(item, opened))
    : (value.kind === 'text' || value.kind === 'code') && isLong(value.text) && !opened?.has(value.text)

/** Long text is folded, with its length, and never cut. What is to be applied must have been opened once. */
const longText = (text: string, reader: Reader, opened?: Set<string>, dir?: 'ltr'): VNode => {
  if (!isLong(text)) return marked({ text, reader, dir })
  const [first = ''] = text.slice(0, 120).split('\n')
  return (
    <details class="long" data-read={opened?.has(text) ? undefined : ''} onToggle={() => opened?.add(text)}>
      <summary>
        {marked({ text: first, reader, dir })}… <i>{counted(reader, '$characters', text.length)}</i>
      </summary>
      <div class="text">{marked({ text, reader, lines: true, dir })}</div>
    </details>
  )
}

/** Drawn as `<Value>`, or called where there are many. */
export const Value = ({ value, reader, opened }: ValueProps): VNode => {
  const { words } = reader
  switch (value.kind) {
    case 'text':
      return value.text === '' ? <i class="unset">“”</i> : longText(value.text, reader, opened)
    case 'code':
      return <code class={value.text.length <= 40 ? 'id' : ''}>{longText(value.text, reader, opened, 'ltr')}</code>
    case 'number': {
      const number = figure(value.value, formatFigure(value, reader), reader)
      return value.unit ? (
        // One run in the direction of its unit: "5 GB" stays so in a card from the right.
        <bdi dir={directionOf(value.unit)}>
          {number}
          {marked({ text: `\u00A0${value.unit}`, reader })}
        </bdi>
      ) : (
        number
      )
    }
    case 'money':
      return figure(`${value.amount} ${value.currency}`, formatFigure(value, reader), reader)
    case 'date':
      return <time dateTime={value.iso}>{figure(value.iso, formatFigure(value, reader), reader)}</time>
    case 'boolean':
      return <span>{value.value ? words.$yes : words.$no}</span>
    case 'list':
      return value.items.length === 0 ? (
        <i class="unset">{words.$none}</i>
      ) : (
        <ul class="list">
          {value.items.map((item) => (
            <li>
              <Value value={item} reader={reader} opened={opened} />
            </li>
          ))}
        </ul>
      )
    case 'unset':
      return <i class="unset">{words.$notSet}</i>
    case 'unknown':
      break
    default:
      value satisfies never
  }
  return <span class="unknown">{words.$unknown}</span>
}
