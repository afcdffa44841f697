// One document for each block that the everyday ones do not have.
import type { Card, CardBlock, CardRisk } from '../../../server/model/card.ts'
import { createOrder, decision } from './documents.ts'

const showing = (title: string, tool: string, label: string, block: CardBlock, risk: CardRisk = 'medium'): Card => ({
  ...createOrder,
  title,
  tool,
  claim: 'The person asked for it in this chat.',
  blocks: [block],
  ...decision(tool, label, risk),
})

export const tableOf120: Card = showing('Move 120 products', 'stock_move', 'Move 120 products', {
  kind: 'table',
  label: 'Products',
  columns: [{ label: 'SKU' }, { label: 'Name' }, { label: 'Pieces', align: 'end' }],
  rows: Array.from({ length: 120 }, (_, index) => [
    { kind: 'code', text: `P-${String(index + 1).padStart(3, '0')}` },
    { kind: 'text', text: `Part number ${index + 1}` },
    { kind: 'number', value: String((index * 37) % 500) },
  ]),
  totals: [{ label: 'Pieces', value: { kind: 'number', value: '29340' } }],
})

export const recipients: Card = {
  ...showing(
    'Send "Closed on Friday" to 214 people',
    'mail_send',
    'Send to 214 people',
    {
      kind: 'people',
      label: 'Recipients',
      count: 214,
      sample: [
        { name: 'Mia Olsen', address: 'm.olsen@acme.example' },
        { name: 'J. Doe', address: 'j.doe@northwind.example', isNew: true },
      ],
      domains: [
        { name: 'acme.example', count: 180 },
        { name: 'northwind.example', count: 34 },
      ],
      newCount: 12,
    },
    'critical',
  ),
  confirm_phrase: '214',
}

export const partly: Card = {
  version: 1,
  kind: 'error',
  title: 'Release was partly made',
  tool: 'release_make',
  source: 'Releases',
  state: 'partial',
  plan_id: 'pl_gallery',
  at: '2026-11-21T12:03:00Z',
  actions: [],
  blocks: [
    {
      kind: 'steps',
      steps: [
        { label: 'Build', state: 'verified' },
        { label: 'Upload', state: 'applied' },
        { label: 'Switch traffic', state: 'failed', note: 'Two of three regions did not answer.' },
        { label: 'Tell the team', state: 'not-run' },
      ],
    },
    { kind: 'progress', label: 'Regions', done: 1, total: 3 },
  ],
}

export const figures: Card = showing('Change the discount of 3 orders', 'orders_modify', 'Change 3 orders', {
  kind: 'metrics',
  metrics: [
    {
      label: 'Revenue',
      value: { kind: 'money', amount: '4120.50', currency: 'EUR' },
      before: { kind: 'money', amount: '4487.20', currency: 'EUR' },
    },
    { label: 'Orders', value: { kind: 'number', value: '3' } },
  ],
})

export const records: Card = showing('Change the lines of SO-1042', 'orders_modify', 'Change 3 lines', {
  kind: 'diff',
  changes: [],
  records: [
    {
      change: 'added',
      label: 'Desk lamp',
      id: 'LAMP-07',
      fields: [{ label: 'Qty', value: { kind: 'number', value: '4' } }],
    },
    {
      change: 'changed',
      label: 'Oak desk 160',
      id: 'DESK-01',
      changes: [
        {
          pointer: '/lines/0/quantity',
          label: 'Qty',
          before: { kind: 'number', value: '2' },
          after: { kind: 'number', value: '3' },
        },
      ],
    },
    { change: 'removed', label: 'Cable tray', id: 'TRAY-02' },
  ],
  unchangedRecords: 5,
})
