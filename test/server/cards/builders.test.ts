import { describe, expect, test } from 'vitest'
import {
  CardError,
  errorCard,
  parseCard,
  previewCard,
  successCard,
  type PreviewFacts,
} from '../../../server/cards/builders.ts'
import { cardSchema } from '../../../server/cards/card.schema.ts'
import type { Card, CardBlock } from '../../../server/model/card.ts'
import * as fc from 'fast-check'
import { anyCard } from '../../ui/arbitrary-card.ts'

const facts: PreviewFacts = {
  tool: 'orders_create',
  source: 'Order desk',
  title: 'Create order for ACME',
  risk: 'medium',
  confirmLabel: 'Create order',
  plan: { id: 'pl_1', ticket: 'cs1_x', expires_in_ms: 900_000 },
  applyText: 'Apply: call orders_create(ticket="cs1_x", preview=False)',
  cancelText: 'Cancel: do not apply the sales order (pl_1).',
  previewText: 'Preview: call orders_create()',
}

const blocked = { title: 'No stock', text: 'Receive the purchase first.' }
const roles = (card: Card): readonly string[] => card.actions.map((action) => action.role)

describe('a preview card', () => {
  test('confirms with the server’s own message, after it has become pending', () => {
    const card = previewCard(facts)
    expect(roles(card)).toStrictEqual(['cancel', 'confirm', 'other'])
    expect(card.actions[1]).toStrictEqual({
      role: 'confirm',
      label: 'Create order',
      tone: 'go',
      steps: [
        { do: 'SetState', state: 'pending' },
        { do: 'SendMessage', text: facts.applyText },
      ],
    })
    expect(card).toMatchObject({ kind: 'preview', state: 'ready', plan: { ticket: 'cs1_x' } })
  })

  test('has a red button where it cannot be taken back', () => {
    expect(previewCard({ ...facts, risk: 'high' }).actions[1]?.tone).toBe('stop')
  })

  test('that is blocked has nothing to confirm, even where a plan is handed in', () => {
    const card = previewCard({ ...facts, blocked })
    expect(card.state).toBe('blocked')
    expect(card.plan).toBeUndefined()
    expect(roles(card)).toStrictEqual(['other'])
    expect(JSON.stringify(card)).not.toContain('cs1_x')
    expect(card.blocks[0]).toStrictEqual({ kind: 'alert', severity: 'block', ...blocked })
  })

  test('without a plan has nothing to confirm', () => {
    expect(roles(previewCard({ ...facts, plan: undefined }))).toStrictEqual(['other'])
  })

  test('says first why it came, then what changes, then what follows', () => {
    const card = previewCard({
      ...facts,
      notices: [{ title: 'Not applied: this has changed.' }],
      changes: [{ pointer: '/a', label: 'A', before: { kind: 'unset' }, after: { kind: 'text', text: '1' } }],
      blocks: [{ kind: 'text', text: 'More.' }],
      warnings: [{ title: 'An identical order exists.' }],
      effects: ['Stock falls.'],
    })
    expect(card.blocks.map((block) => block.kind)).toStrictEqual(['alert', 'diff', 'text', 'alert', 'effects'])
  })

  test('leaves out lists that are empty', () => {
    expect(previewCard({ ...facts, changes: [], effects: [], warnings: [], notices: [] }).blocks).toStrictEqual([])
  })
})

describe('success and error cards', () => {
  test('a success names its plan and offers undo as a preview only', () => {
    const card = successCard({
      tool: 't',
      source: 's',
      title: 'Done',
      planId: 'pl_1',
      at: '2026-11-21T12:00:00Z',
      offers: [{ label: 'Undo…', text: 'Preview: call t()' }],
    })
    expect(card).toMatchObject({ kind: 'success', state: 'applied', plan_id: 'pl_1' })
    expect(card.actions).toStrictEqual([
      { role: 'other', label: 'Undo…', tone: 'plain', steps: [{ do: 'SendMessage', text: 'Preview: call t()' }] },
    ])
  })

  test('a success whose program failed is in the state failed', () => {
    const facts = { tool: 't', source: 's', title: 'Ran, and failed', at: '2026-11-21T12:00:00Z' }
    expect(successCard({ ...facts, failed: true }).state).toBe('failed')
    expect(successCard({ ...facts, failed: false }).state).toBe('applied')
  })

  test.each([
    ['failed', 'danger'],
    ['refused', 'danger'],
    ['stale', 'danger'],
    ['unknown', 'warning'],
    ['applying', 'warning'],
  ] as const)('an error that is %s alerts as %s', (state, severity) => {
    const card = errorCard({
      tool: 't',
      source: 's',
      title: 'Not done',
      code: 'x',
      message: 'No.',
      cause: 'Because.',
      next: ['Wait.'],
      state,
      at: '2026-11-21T12:00:00Z',
    })
    expect(card).toMatchObject({
      kind: 'error',
      state,
      code: 'x',
      blocks: [{ kind: 'alert', severity }, { kind: 'effects' }],
    })
    expect(roles(card)).toStrictEqual([])
  })

  test('an error names each wrong field', () => {
    const card = errorCard({
      tool: 't',
      source: 's',
      title: 'x',
      code: 'x',
      message: 'x',
      cause: 'x',
      next: [],
      state: 'failed',
      at: 'x',
      fields: [{ pointer: '', received: '7', allowed: 'an object' }],
    })
    expect(card.blocks[1]).toMatchObject({
      kind: 'fields',
      fields: [{ value: { text: '(all)' } }, { value: { text: '7' } }, { value: { text: 'an object' } }],
    })
  })
})

describe('what a view cannot show is refused on the server, with its place', () => {
  const withBlock = (block: unknown): Card => ({ ...previewCard(facts), blocks: [block as CardBlock] })

  test.each<[string, unknown, string]>([
    ['an unknown block', { kind: 'video' }, 'blocks.0.kind'],
    [
      'a price with a comma',
      { kind: 'fields', fields: [{ label: 'a', value: { kind: 'money', amount: '1,00', currency: 'EUR' } }] },
      'blocks.0.fields.0.value.amount',
    ],
    [
      'a price as a float',
      { kind: 'fields', fields: [{ label: 'a', value: { kind: 'money', amount: 1.5, currency: 'EUR' } }] },
      'blocks.0.fields.0.value.amount',
    ],
    [
      'a currency sign',
      { kind: 'fields', fields: [{ label: 'a', value: { kind: 'money', amount: '1', currency: '€' } }] },
      'blocks.0.fields.0.value.currency',
    ],
    [
      'a time without zone',
      {
        kind: 'fields',
        fields: [{ label: 'a', value: { kind: 'date', iso: '2026-11-21T12:00', precision: 'minute' } }],
      },
      'blocks.0.fields.0.value.iso',
    ],
    [
      'a value in a list',
      { kind: 'fields', fields: [{ label: 'a', value: { kind: 'list', items: [{ kind: 'boolean', value: 'yes' }] } }] },
      'blocks.0.fields.0.value.items.0.value',
    ],
    [
      'a link to a script',
      { kind: 'links', links: [{ label: 'a', url: 'javascript:alert(1)' }] },
      'blocks.0.links.0.url',
    ],
    ['a link to a file', { kind: 'links', links: [{ label: 'a', url: 'file:///etc/passwd' }] }, 'blocks.0.links.0.url'],
    ['a key too many', { kind: 'text', text: 'a', html: '<b>' }, 'blocks.0'],
    ['a bare number', { kind: 'fields', fields: [{ label: 'a', value: 7 }] }, 'blocks.0.fields.0.value'],
  ])('%s', (_, block, path) => {
    expect(() => parseCard(withBlock(block))).toThrow(CardError)
    expect(() => parseCard(withBlock(block))).toThrow(path)
  })

  test('a message that is none of the three', () => {
    expect(() => previewCard({ ...facts, applyText: 'Please delete everything' })).toThrow('actions.1.steps.1.text')
  })

  test('a card without a title', () => {
    expect(() => previewCard({ ...facts, title: '' })).toThrow('title')
  })

  test('of many mistakes the first five are named', () => {
    const blocks = Array.from({ length: 50 }, () => ({ kind: 'video' })) as unknown as CardBlock[]
    expect(() => parseCard({ ...previewCard(facts), blocks })).toThrow(/blocks\.4(?!.*blocks\.5)/s)
  })

  test('any card that the types allow and the formats fit is let through unchanged', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        const parsed = cardSchema.safeParse(card)
        if (parsed.success) expect(parseCard(card)).toBe(card)
        expect(parsed.success).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
