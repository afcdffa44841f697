// A card as text, for a model, a chat without iframes and a terminal. One function walks the document, so that all of them
// get the same facts in the same order; a `TextFormat` says how its medium marks them up.
import type { Card, CardBlock, CardChange, CardRecordChange, CardValue, LabelledValue } from '../model/card.ts'
import { plainFigure, plainSentence } from './figures.ts'
import { showInvisible } from './invisible-characters.ts'

/** How a medium marks up text. But for `verbatim` and `prose`, texts are on one line and without invisible characters. */
export interface TextFormat {
  /** Data that begins a line or an item of a list. */
  line(text: string): string
  /** Data within a line. */
  inline(text: string): string
  /** A sentence, in which identifiers and weight are marked, within a line. */
  sentence(text: string): string
  /** The same where it begins a line or an item of a list. */
  sentenceLine(text: string): string
  strong(text: string): string
  /** "not set", "unknown": words that are not data. */
  aside(text: string): string
  code(text: string): string
  /** Text of several lines that must stay as it is. */
  verbatim(text: string, language: string): string
  /** Sentences of the server's own, with line breaks. */
  prose(text: string): string
  link(url: string): string
  table(head: readonly string[], rows: readonly (readonly string[])[]): string
}

const severities = { info: 'Note', warning: 'Warning', danger: 'Problem', block: 'Blocked' } as const

const stepWords = {
  planned: 'planned',
  applied: 'applied',
  verified: 'applied and verified',
  failed: 'failed',
  'not-run': 'not run',
  unknown: 'not known',
} as const

/**
 * Data on one line, with invisible characters shown: a line break could start a Markdown block, or look like a sentence of
 * the server's.
 */
export const inlineText = (text: string): string => showInvisible(text.replace(/(?<!\s)\s*\n\s*/g, ' ⏎ '))

/** A sentence of the server's on one line. Not for data, in which figures are not ours to format. */
const sentence = (format: TextFormat, text: string): string => format.sentence(plainSentence(text))

/** Renders a card in a format. The ticket and the texts of its buttons are left out: only the card may hold them. */
export function renderCard(card: Card, format: TextFormat): string {
  const head = [
    format.strong(sentence(format, card.title)),
    ...(card.subtitle === undefined ? [] : [format.sentenceLine(plainSentence(card.subtitle))]),
  ]
  const claim = card.claim === undefined ? [] : [`The agent says: “${format.sentence(card.claim)}”`]
  const blocks = card.blocks.map((block) => renderBlock(block, format))
  return [head.join('\n'), ...blocks, ...claim].filter((part) => part !== '').join('\n\n')
}

/** One value as a person reads it, without a locale: ISO dates, decimal points, currency codes. */
export function renderValue(value: CardValue, format: TextFormat): string {
  switch (value.kind) {
    case 'text':
      return format.inline(value.text)
    case 'code':
      return format.code(inlineText(value.text))
    case 'number':
    case 'money':
    case 'date':
      return format.inline(plainFigure(value))
    case 'boolean':
      return value.value ? 'yes' : 'no'
    case 'list':
      return value.items.length === 0 ? 'none' : value.items.map((item) => renderValue(item, format)).join(', ')
    case 'unset':
      return format.aside('not set')
    case 'unknown':
      return format.aside('unknown')
    default:
      return value satisfies never
  }
}

function renderBlock(block: CardBlock, format: TextFormat): string {
  const value = (given: CardValue): string => renderValue(given, format)
  const fields = (given: readonly LabelledValue[]): string => rows(given.map((field) => labelled(field, format)))
  switch (block.kind) {
    case 'text':
      return format.prose(plainSentence(block.text))
    case 'effects':
      return block.effects.map((effect) => `→ ${sentence(format, effect)}`).join('\n')
    case 'fields':
      return fields(block.fields)
    case 'diff':
      return diff(block, format)
    case 'lines': {
      const items = block.items.map(({ id, label, cells }) => [
        format.inline(id === undefined ? label : `${label} (${id})`),
        ...cells.map(value),
      ])
      return grid([block.itemLabel, ...block.columns.map(({ label }) => label)], items, block.totals, format)
    }
    case 'table': {
      const heads = block.columns.map(({ label }) => label)
      const all = block.rows.map((cells) => cells.map(value))
      return [format.line(block.label), grid(heads, all, block.totals, format)]
        .filter((part) => part !== '')
        .join('\n\n')
    }
    case 'pages': {
      const heads = block.columns.map(({ label }) => label)
      const first = block.rows.map(({ cells }) => cells.map(value))
      return [
        `${format.line(block.label)}: ${block.total}`,
        grid(heads, first, undefined, format),
        leftOf(block, format),
      ]
        .filter((part) => part !== '')
        .join('\n\n')
    }
    case 'alert':
      return `${format.strong(`${severities[block.severity]}: ${sentence(format, block.title)}`)}${block.text === undefined ? '' : ` ${sentence(format, block.text)}`}`
    case 'code':
      return `${block.label === undefined ? '' : `${format.line(block.label)}\n`}${format.verbatim(block.text, block.language ?? '')}`
    case 'people':
      return people(block, format)
    case 'steps':
      return rows(
        block.steps.map(
          ({ label, state, note }) =>
            `${format.sentenceLine(plainSentence(label))}: ${stepWords[state]}${note === undefined ? '' : ` (${sentence(format, note)})`}`,
        ),
      )
    case 'progress':
      return `${format.line(block.label)}: ${block.done} of ${block.total}`
    case 'metrics':
      return rows(
        block.metrics.map(
          ({ label, value: now, before }) =>
            `${format.line(label)}: ${before === undefined ? '' : `${value(before)} → `}${value(now)}`,
        ),
      )
    case 'picture':
      return `${format.line(block.label)}: ${format.inline(block.alt)} ${format.aside(`(a picture of ${block.width} × ${block.height} pixels, which only a card shows)`)}`
    case 'links':
      return rows(block.links.map((link) => `${format.line(link.label)}: ${format.link(link.url)}`))
    case 'details':
      // Between fences: somebody else's paragraphs must not pass for ours.
      return [
        format.line(block.summary),
        ...(block.fields.length === 0 ? [] : [fields(block.fields)]),
        ...(block.text === undefined ? [] : [format.verbatim(block.text, '')]),
        ...(block.blocks ?? []).map((inner) => `\n${renderBlock(inner, format)}`),
      ].join('\n')
    default:
      return format.line((block satisfies never as { readonly fallback?: string }).fallback ?? '')
  }
}

const rows = (given: readonly string[]): string => given.map((row) => `- ${row}`).join('\n')

const labelled = ({ label, value }: LabelledValue, format: TextFormat): string =>
  `${format.line(label)}: ${renderValue(value, format)}`

function changed(change: CardChange, format: TextFormat): string {
  const saw = change.saw === undefined ? '' : `you saw ${renderValue(change.saw, format)}, now `
  return `${format.line(change.label)}: ${saw}${renderValue(change.before, format)} → ${renderValue(change.after, format)}`
}

function record({ change, label, id, fields = [], changes = [] }: CardRecordChange, format: TextFormat): string {
  const name = format.inline(id === undefined ? label : `${label} (${id})`)
  const inner = [...fields.map((field) => labelled(field, format)), ...changes.map((one) => changed(one, format))]
  return `${change}: ${name}${inner.length === 0 ? '' : ` — ${inner.join('; ')}`}`
}

function diff(block: Extract<CardBlock, { kind: 'diff' }>, format: TextFormat): string {
  const { changes, unchanged = [], records = [], unchangedRecords = 0 } = block
  return rows([
    ...changes.map((change) => changed(change, format)),
    ...(unchanged.length > 0 ? [`${unchanged.length} fields stay as they are`] : []),
    ...records.map((one) => record(one, format)),
    ...(unchangedRecords > 0 ? [`${unchangedRecords} records stay as they are`] : []),
  ])
}

/** How many rows of a list are not on the card, and where they are. */
function leftOf({ rows: shown, total, rest }: Extract<CardBlock, { kind: 'pages' }>, format: TextFormat): string {
  const left = total - shown.length
  if (left === 0) return ''
  return `and ${left} more${rest === undefined ? '' : `. ${format.prose(plainSentence(rest))}`}`
}

function people(block: Extract<CardBlock, { kind: 'people' }>, format: TextFormat): string {
  const { sample, count, newCount, domains = [] } = block
  const more = count - sample.length
  const fresh = newCount === undefined ? '' : `, ${newCount} of them new`
  return [
    `${format.line(block.label)}: ${count}${fresh}`,
    rows([
      ...sample.map(
        ({ name, address, isNew }) =>
          `${format.line(name)}${address === undefined ? '' : ` ${format.code(inlineText(address))}`}${isNew === true ? ' (new)' : ''}`,
      ),
      ...(more > 0 && sample.length > 0 ? [`and ${more} more`] : []),
      ...domains.map((domain) => `${format.line(domain.name)}: ${domain.count}`),
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function grid(
  head: readonly string[],
  body: readonly (readonly string[])[],
  totals: readonly LabelledValue[] | undefined,
  format: TextFormat,
): string {
  const sums = (totals ?? []).map((total) => labelled(total, format)).join('\n')
  return [
    format.table(
      head.map((cell) => format.inline(cell)),
      body,
    ),
    sums,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
