// What the view cannot show is refused where the card is built, with its place; and what it cannot know is shown by its
// own words.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseCard, previewCard, successCard, approvalCard, waitingCard } from '../../../server/cards/builders.ts'
import { cardPlain } from '../../../server/cards/card-plain.ts'
import { cardText } from '../../../server/cards/card-text.ts'
import { acceptedLanguages, languagesOf } from '../../../server/cards/reader-languages.ts'
import { de } from '../../../server/cards/words/de.ts'
import { en } from '../../../server/cards/words/en.ts'
import type { Card, CardBlock, CardValue } from '../../../server/model/card.ts'
import { cardLimits } from '../../../server/cards/limits.ts'
import { createOrder } from '../../hosts/cards.ts'
import { onePixel } from '../../ui/arbitrary-card.ts'

const one: CardValue = { kind: 'number', value: '1' }
const many = <T>(item: T, count: number): T[] => Array.from({ length: count }, () => item)
const nested = (depth: number): CardValue => (depth === 0 ? one : { kind: 'list', items: [nested(depth - 1)] })
const build = (block: CardBlock): Card => parseCard({ ...createOrder, blocks: [block] })
const column = { label: 'A' }
const pageRow = (key: string) => ({ key, cells: [one] })
const pages = {
  kind: 'pages',
  list: 'x',
  label: 'x',
  total: 2,
  columns: [column],
  rows: [pageRow('a'), pageRow('b')],
} satisfies CardBlock

const picture = {
  kind: 'picture',
  label: 'x',
  alt: 'x',
  data: onePixel,
  width: 1,
  height: 1,
} satisfies CardBlock

describe('a card that the view cannot show', () => {
  test.each<[string, CardBlock]>([
    ['blocks.0.rows', { kind: 'table', label: 'x', columns: [column], rows: many([one], cardLimits.rows + 1) }],
    ['blocks.0.rows.1', { kind: 'table', label: 'x', columns: [column], rows: [[one], [one, one]] }],
    ['blocks.0.columns', { kind: 'table', label: 'x', columns: [], rows: [] }],
    ['blocks.0.columns', { kind: 'table', label: 'x', columns: many(column, 13), rows: [] }],
    ['blocks.0.items.0.cells', { kind: 'lines', itemLabel: 'x', columns: [], items: [{ label: 'a', cells: [one] }] }],
    ['blocks.0.total', { ...pages, total: 1 }],
    ['blocks.0.rows.1.key', { ...pages, rows: [pageRow('a'), pageRow('a')] }],
    ['blocks.0.rows.0.key', { ...pages, rows: [pageRow('')] }],
    ['blocks.0.rows.0.cells', { ...pages, rows: [{ key: 'a', cells: [one, one] }] }],
    ['blocks.0.rows', { ...pages, total: 101, rows: Array.from({ length: 101 }, (_, at) => pageRow(String(at))) }],
    ['blocks.0.count', { kind: 'people', label: 'x', count: 0, sample: [{ name: 'Jane' }] }],
    ['blocks.0.count', { kind: 'people', label: 'x', count: 1, sample: [], newCount: 2 }],
    ['blocks.0.done', { kind: 'progress', label: 'x', done: 2, total: 1 }],
    ['blocks.0.total', { kind: 'progress', label: 'x', done: 0, total: 0.5 }],
    ['blocks.0.steps', { kind: 'steps', steps: many({ label: 'x', state: 'planned' }, 201) }],
    ['blocks.0.data', { ...picture, data: `data:image/png;base64,${'A'.repeat(cardLimits.picture)}` }],
    ['blocks.0.data', { ...picture, data: 'https://a.example/x.png' }],
    ['blocks.0.data', { ...picture, data: picture.data.replace('png', 'svg+xml') }],
    ['blocks.0.data', { ...picture, data: picture.data.replace('png', 'jpeg') }],
    ['blocks.0.width', { ...picture, width: 2 }],
    ['blocks.0.alt', { ...picture, alt: '' }],
    ['blocks.0.metrics', { kind: 'metrics', metrics: many({ label: 'x', value: one }, 13) }],
    ['blocks.0.fields.0.value', { kind: 'fields', fields: [{ label: 'x', value: nested(cardLimits.depth + 1) }] }],
    ['blocks.0.text', { kind: 'text', text: 'x'.repeat(cardLimits.text + 1) }],
    ['blocks.0.changes', { kind: 'diff', changes: many({ pointer: '', label: 'x', before: one, after: one }, 501) }],
  ])('is refused at %s', (path, block) => {
    expect(() => build(block)).toThrow(`${path}:`)
  })

  test('at its limits it is not', () => {
    expect(
      build({ kind: 'table', label: 'x', columns: [column], rows: many([one], cardLimits.rows) }).blocks,
    ).toHaveLength(1)
    expect(build({ kind: 'fields', fields: [{ label: 'x', value: nested(cardLimits.depth) }] }).blocks).toHaveLength(1)
  })

  test.each(['', ' x', 'x ', 'a\nb', 'AC\u200BME', '\u202Ex', 'a  b', 'x'.repeat(81)])(
    'nobody can type %j',
    (confirm_phrase) => {
      expect(() => parseCard({ ...createOrder, confirm_phrase })).toThrow('confirm_phrase')
    },
  )
})

describe('what builders make of it', () => {
  const facts = {
    tool: 'x',
    source: 's',
    title: 't',
    risk: 'critical',
    confirmLabel: 'Delete',
  } as const
  const plan = { id: 'pl_1', ticket: 'cs1_x', expires_in_ms: 1 }

  test('a phrase belongs to a card that can be confirmed', () => {
    expect(previewCard({ ...facts, plan, confirmPhrase: 'SO-1' }).confirm_phrase).toBe('SO-1')
    expect(previewCard({ ...facts, confirmPhrase: 'SO-1' }).confirm_phrase).toBeUndefined()
  })

  test('an approver types the same phrase; who waits in the chat has nothing to type', () => {
    const approval = approvalCard({ ...facts, plan, confirmPhrase: 'SO-1' })
    expect(approval.confirm_phrase).toBe('SO-1')
    expect(waitingCard(approval, 'mia asks. Nothing has happened yet.').confirm_phrase).toBeUndefined()
    expect(JSON.stringify(approval)).not.toContain('Nothing has happened yet')
  })

  test('a success with a step that failed or was not run is partly applied', () => {
    const steps = (state: 'verified' | 'failed' | 'not-run'): CardBlock => ({
      kind: 'steps',
      steps: [{ label: 'x', state }],
    })
    const stateOf = (block: CardBlock): string =>
      successCard({ ...facts, at: '2026-11-21T12:00:00Z', blocks: [block] }).state
    expect([steps('verified'), steps('failed'), steps('not-run')].map(stateOf)).toEqual([
      'applied',
      'partial',
      'partial',
    ])
  })
})

test('a block of a newer server is told in its own words', () => {
  const newer = {
    ...createOrder,
    blocks: [{ kind: 'of-a-newer-server', fallback: '# Two places' } as unknown as CardBlock],
  }
  expect(cardText(newer)).toContain('\\# Two places')
  expect(cardPlain(newer)).toContain('# Two places')
})

test('the view is within its 32 KB, and has English in it and no other language', () => {
  const html = readFileSync(new URL('../../../dist/ui/card/index.html', import.meta.url), 'utf8')
  expect(gzipSync(html, { level: 9 }).byteLength).toBeLessThanOrEqual(32 * 1024)
  expect(html).toContain(en.$nStale)
  expect(html).not.toContain(de.$nStale)
})

describe('the languages of a reader', () => {
  test('are taken from the desktop where nobody said more', () => {
    expect(languagesOf({ LANG: 'de_DE.UTF-8' })).toEqual(['de_DE.UTF-8'])
    expect(languagesOf({})).toEqual([])
  })

  test('are taken from what a browser accepts, by its weights', () => {
    expect(acceptedLanguages('fr-CH, fr;q=0.9, en;q=0.8, de;q=0.95, *;q=0.5')).toEqual(['fr-CH', 'de', 'fr', 'en'])
    expect(acceptedLanguages('ja;q=0, ar ; q=1')).toEqual(['ar'])
    for (const header of [null, '', ',;q=,', 'q=1', 'de;q=much', '\u0000'])
      expect(acceptedLanguages(header)).toEqual([])
  })
})
