// Cards as anything at all: whatever the schema allows, and the same with one part replaced by junk.
import * as fc from 'fast-check'
import {
  cardStates,
  type Card,
  type CardAction,
  type CardBlock,
  type CardSpan,
  type CardValue,
} from '../../server/model/card.ts'
import { formatApply, formatPreview } from '../../server/confirm/message.ts'
import { anyCharacter } from '../kit/any-character.ts'

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    '',
    'ACME',
    '<img src=x onerror=alert(1)>',
    'a\u202Eb',
    'x\u200By',
    '`code` **b**',
    'one\ntwo',
    '{{x}}',
  ),
)
const filledText = fc.string({ minLength: 1, maxLength: 12 })
const decimal = fc.stringMatching(/^-?\d{1,30}(\.\d{1,12})?$/)

export const anyValue: fc.Arbitrary<CardValue> = fc.letrec<{ value: CardValue }>((tie) => ({
  value: fc.oneof(
    // The schema lets lists stand in lists four deep.
    { depthSize: 'small', maxDepth: 4 },
    fc.record({ kind: fc.constant('text' as const), text }),
    fc.record({ kind: fc.constant('code' as const), text }),
    fc.record({ kind: fc.constant('number' as const), value: decimal, unit: text }),
    fc.record({ kind: fc.constant('money' as const), amount: decimal, currency: fc.stringMatching(/^[A-Z]{3}$/) }),
    fc.record({
      kind: fc.constant('date' as const),
      iso: fc.constantFrom('2026-11-28', '2026-11-28T12:03:00Z', '2026-02-30', '9999-99-99T99:99:99+99:99'),
      precision: fc.constantFrom('day' as const, 'minute' as const),
    }),
    fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('unset' as const) }),
    fc.record({ kind: fc.constant('unknown' as const) }),
  ),
})).value

/** A PNG of one pixel. */
export const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const labelled = fc.record({ label: text, value: anyValue })
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 4 })
const url = fc.webUrl()

const change = fc.record(
  { pointer: text, label: text, before: anyValue, after: anyValue, saw: anyValue },
  { requiredKeys: ['pointer', 'label', 'before', 'after'] },
)

const anySpans: fc.Arbitrary<CardSpan[]> = few(
  fc.record({
    from: fc.nat(20),
    to: fc.nat(20),
    as: fc.constantFrom('keyword', 'string', 'danger', 'heading', 'code'),
  }),
)

/** Those of them that a schema lets through: in their order, inside of the text. */
const within = (spans: readonly CardSpan[], shown: string): CardSpan[] => {
  let done = 0
  return spans.filter(({ from, to }) => {
    const fits = from >= done && from < to && to <= shown.length
    if (fits) done = to
    return fits
  })
}

const anyBlock: fc.Arbitrary<CardBlock> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('effects' as const), effects: few(text) }),
  fc.record({ kind: fc.constant('fields' as const), fields: few(labelled) }),
  fc.record({ kind: fc.constant('diff' as const), changes: few(change), unchanged: few(labelled) }),
  fc.record({
    kind: fc.constant('diff' as const),
    changes: fc.constant([]),
    records: few(
      fc.record({
        change: fc.constantFrom('added' as const, 'changed' as const, 'removed' as const),
        label: text,
        id: text,
        fields: few(labelled),
        changes: few(change),
      }),
    ),
    unchangedRecords: fc.nat(99),
  }),
  fc
    .record({
      kind: fc.constant('lines' as const),
      columns: few(fc.record({ label: text, align: fc.constantFrom('start' as const, 'end' as const) })),
      itemLabel: text,
      items: few(fc.record({ id: text, label: text, cells: few(anyValue) })),
      totals: few(labelled),
    })
    .map((block) => ({
      ...block,
      items: block.items.map((item) => ({ ...item, cells: item.cells.slice(0, block.columns.length) })),
    })),
  fc
    .record({
      columns: fc.array(fc.record({ label: text }), { minLength: 1, maxLength: 3 }),
      rows: few(fc.tuple(anyValue, anyValue, anyValue)),
      label: text,
      totals: few(labelled),
    })
    .map((block) => ({
      ...block,
      kind: 'table' as const,
      rows: block.rows.map((cells) => cells.slice(0, block.columns.length)),
    })),
  fc
    .record({
      list: filledText,
      label: text,
      columns: fc.array(fc.record({ label: text }), { minLength: 1, maxLength: 3 }),
      rows: few(fc.tuple(anyValue, anyValue, anyValue)),
      more: fc.nat(9_999),
      rest: text,
    })
    .map(({ rows, more, ...block }) => ({
      ...block,
      kind: 'pages' as const,
      total: rows.length + more,
      rows: rows.map((cells, at) => ({ key: String(at), cells: cells.slice(0, block.columns.length) })),
      next: 'x',
      opens: true as const,
    })),
  fc.record({
    kind: fc.constant('people' as const),
    label: text,
    count: fc.integer({ min: 4, max: 5_000 }),
    sample: few(fc.record({ name: text, address: text, isNew: fc.boolean() })),
    domains: few(fc.record({ name: text, count: fc.nat(99) })),
    newCount: fc.nat(4),
  }),
  fc.record({
    kind: fc.constant('steps' as const),
    steps: few(
      fc.record({
        label: text,
        state: fc.constantFrom(
          'planned' as const,
          'applied' as const,
          'verified' as const,
          'failed' as const,
          'not-run' as const,
          'unknown' as const,
        ),
        note: text,
      }),
    ),
  }),
  fc
    .tuple(text, fc.nat(99), fc.nat(99))
    .map(([label, a, b]) => ({ kind: 'progress' as const, label, done: Math.min(a, b), total: Math.max(a, b) })),
  fc.record({
    kind: fc.constant('metrics' as const),
    metrics: few(fc.record({ label: text, value: anyValue, before: anyValue })),
  }),
  fc.record({
    kind: fc.constant('alert' as const),
    severity: fc.constantFrom('info' as const, 'warning' as const, 'danger' as const, 'block' as const),
    title: text,
    text,
  }),
  fc
    .record({
      kind: fc.constant('code' as const),
      text,
      language: fc.constantFrom('diff', 'json', 'markdown'),
      label: text,
      spans: anySpans,
    })
    .map((block) => ({ ...block, spans: within(block.spans, block.text) })),
  fc
    .record({
      kind: fc.constant('details' as const),
      summary: text,
      fields: few(labelled),
      text,
      spans: anySpans,
      blocks: few(fc.record({ kind: fc.constant('effects' as const), effects: few(filledText) })),
    })
    .map((block) => ({ ...block, spans: within(block.spans, block.text) })),
  fc.record({
    kind: fc.constant('picture' as const),
    label: text,
    alt: filledText,
    data: fc.constant(onePixel),
    width: fc.constant(1),
    height: fc.constant(1),
  }),
  fc.record({ kind: fc.constant('links' as const), links: few(fc.record({ label: text, url })) }),
  fc.record({ kind: fc.constant('details' as const), summary: text, fields: few(labelled), fallback: text }),
)

const stepOf = (role: CardAction['role']) =>
  fc.oneof(
    fc.record({
      do: fc.constant('SendMessage' as const),
      text: text.map((data) =>
        role === 'confirm' ? formatApply('t', [['data', data]]) : formatPreview('t', [['data', data]]),
      ),
    }),
    fc.record({ do: fc.constant('OpenLink' as const), url }),
    fc.record({ do: fc.constant('CopyText' as const), text }),
  )

const filled = fc.string({ minLength: 1, maxLength: 12 })

/** Any card that the schema allows. */
export const anyCard: fc.Arbitrary<Card> = fc.record(
  {
    version: fc.constant(1 as const),
    language: fc.constantFrom('de', 'tlh'),
    signed: text,
    kind: fc.constantFrom('preview', 'success', 'error', 'approval', 'info'),
    title: filled,
    subtitle: text,
    icon: fc.constantFrom('data:image/png;base64,iVBORw0KGgo=', 'data:image/jpeg;base64,/9j/'),
    tool: filled,
    source: text,
    risk: fc.constantFrom('low', 'medium', 'high', 'critical'),
    claim: text,
    blocks: few(anyBlock),
    actions: few(
      fc.constantFrom('confirm' as const, 'cancel' as const, 'other' as const).chain((role) =>
        fc.record({
          role: fc.constant(role),
          label: filled,
          tone: fc.constantFrom('go' as const, 'stop' as const, 'plain' as const),
          steps: fc.array(stepOf(role), { minLength: 1, maxLength: 3 }),
        }),
      ),
    ),
    state: fc.constantFrom(...cardStates),
    confirm_phrase: fc.stringMatching(/^[A-Z0-9-]{1,12}$/),
    plan: fc.record({ id: filled, ticket: filled, expires_in_ms: fc.nat() }),
    plan_id: text,
    code: text,
    at: fc.constantFrom('2026-11-21T12:03:00Z', 'yesterday'),
  },
  { requiredKeys: ['version', 'kind', 'title', 'tool', 'source', 'blocks', 'actions', 'state'] },
)

/** Every place in a document, as the path to it. */
const placesOf = (node: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof node === 'object' && node !== null
    ? [path, ...Object.entries(node).flatMap(([key, child]) => placesOf(child, [...path, key]))]
    : [path]

const replaced = (node: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by
  const copy: Record<string, unknown> | unknown[] = Array.isArray(node)
    ? [...(node as unknown[])]
    : { ...(node as object) }
  const holder = copy as Record<string, unknown>
  holder[key] = replaced(holder[key], rest, by)
  return copy
}

/** A card with one part, anywhere, replaced by something else. */
export const anyBrokenCard: fc.Arbitrary<unknown> = fc
  .tuple(anyCard, fc.nat(), fc.oneof(fc.anything({ maxDepth: 2 }), fc.constantFrom(null, [], {}, -1, Number.NaN)))
  .map(([card, where, junk]) => {
    const places = placesOf(card)
    return replaced(card, places[where % places.length] ?? [], junk)
  })
