// One card with the same string in every place that data can reach.
import type { Card, CardSpan, CardValue } from '../../server/model/card.ts'
import { createOrder } from '../hosts/cards.ts'
import { onePixel } from './arbitrary-card.ts'

/** A span over every other unit of its beginning, through the middle of whatever stands there. */
const spansOver = (text: string): CardSpan[] =>
  Array.from({ length: Math.floor(Math.min(text.length, 40) / 2) }, (_, at) => ({
    from: at * 2,
    to: at * 2 + 1,
    as: 'string',
  }))

/** A preview that can be confirmed, full of `text`. */
export const everywhere = (text: string): Card => {
  const value: CardValue = { kind: 'text', text }
  return {
    ...createOrder,
    title: `Pay ${text}`,
    subtitle: text,
    claim: text,
    blocks: [
      { kind: 'text', text },
      { kind: 'effects', effects: [text] },
      {
        kind: 'fields',
        fields: [
          { label: text, value },
          { label: 'code', value: { kind: 'code', text } },
        ],
      },
      {
        kind: 'diff',
        changes: [
          { pointer: '/x', label: text, before: value, after: { kind: 'list', items: [value] } },
          { pointer: '/y', label: 'y', before: { kind: 'text', text: 'a\nb' }, after: value },
        ],
        unchanged: [{ label: text, value }],
        records: [{ change: 'added', label: text, id: text, fields: [{ label: text, value }] }],
        unchangedRecords: 2,
      },
      {
        kind: 'lines',
        itemLabel: text,
        columns: [{ label: text }],
        items: [{ id: text, label: text, cells: [value] }],
        totals: [{ label: text, value }],
      },
      { kind: 'table', label: text, columns: [{ label: text }], rows: [[value], [value]] },
      {
        kind: 'pages',
        list: 'x',
        label: text,
        total: 9,
        columns: [{ label: text }],
        rows: [{ key: 'a', cells: [value] }],
        rest: text,
      },
      {
        kind: 'people',
        label: text,
        count: 3,
        sample: [{ name: text, address: text }],
        domains: [{ name: text, count: 1 }],
      },
      { kind: 'steps', steps: [{ label: text, state: 'planned', note: text }] },
      { kind: 'progress', label: text, done: 1, total: 2 },
      { kind: 'metrics', metrics: [{ label: text, value, before: value }] },
      { kind: 'alert', severity: 'info', title: text, text },
      { kind: 'code', text, label: text },
      { kind: 'code', text: `${text}\n${text}`, language: 'sql', spans: spansOver(text) },
      { kind: 'code', text, language: 'markdown', spans: spansOver(text) },
      { kind: 'picture', label: text, alt: text, data: onePixel, width: 1, height: 1 },
      { kind: 'links', links: [{ label: text, url: 'https://a.example/' }] },
      { kind: 'details', summary: text, fields: [{ label: text, value }] },
      { kind: 'details', summary: text, fields: [], text, spans: spansOver(text) },
    ],
  }
}
