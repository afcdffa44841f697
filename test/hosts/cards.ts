// Card documents as a server would send them: one for each thing that a person may have to decide or read.
import { packedWords } from '../../server/cards/card-words.ts'
import { wordsMetaKey } from '../../server/tools/names.ts'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Card, CardRisk, CardValue } from '../../server/model/card.ts'
import { confirmTone } from '../../server/cards/confirm-tone.ts'
import { figureText } from '../../server/cards/figures.ts'

export const APPLY =
  'Apply: call orders_create(customer="ACME", lines=[{"sku":"DESK-01","quantity":2}], rationale="By phone.", ticket="cs1_7qk2secret", preview=False)'
export const CANCEL = 'Cancel: do not apply the sales order for ACME (pl_7qk2).'
export const PREVIEW_AGAIN = 'Preview: call orders_create(customer="ACME")'

const text = (value: string): CardValue => ({ kind: 'text', text: value })
const number = (value: string, unit?: string): CardValue => ({ kind: 'number', value, ...(unit ? { unit } : {}) })
const euro = (amount: string): CardValue => ({ kind: 'money', amount, currency: 'EUR' })
const day = (iso: string): CardValue => ({ kind: 'date', iso, precision: 'day' })

const again: Card['actions'][number] = {
  role: 'other',
  label: 'Preview again',
  tone: 'plain',
  steps: [{ do: 'SendMessage', text: PREVIEW_AGAIN }],
}

/** A risk, and the decision with a button of the colour that goes with it. */
export const decision = (label: string, risk: CardRisk): Required<Pick<Card, 'risk' | 'actions'>> => ({
  risk,
  actions: [
    {
      role: 'confirm',
      label,
      tone: confirmTone(risk),
      steps: [
        { do: 'SetState', state: 'pending' },
        { do: 'SendMessage', text: APPLY },
      ],
    },
    {
      role: 'cancel',
      label: 'Cancel',
      tone: 'plain',
      steps: [
        { do: 'SetState', state: 'cancelled' },
        { do: 'SendMessage', text: CANCEL },
      ],
    },
    again,
  ],
})

export const createOrder: Card = {
  version: 1,
  kind: 'preview',
  title: 'Create a sales order for ACME',
  subtitle: 'changes nothing until you confirm',
  tool: 'orders_create',
  source: 'Order desk',
  claim: 'Customer asked for two desks and four lamps by phone.',
  blocks: [
    {
      kind: 'lines',
      itemLabel: 'Item',
      columns: [
        { label: 'Qty', align: 'end' },
        { label: 'Price', align: 'end' },
        { label: 'Total', align: 'end' },
      ],
      items: [
        { id: 'DESK-01', label: 'Oak desk 160', cells: [number('2'), euro('420.00'), euro('840.00')] },
        { id: 'LAMP-07', label: 'Desk lamp', cells: [number('4'), euro('39.50'), euro('158.00')] },
      ],
      totals: [{ label: 'Total', value: euro('998.00') }],
    },
    {
      kind: 'effects',
      effects: ['Stock of `DESK-01` goes from 9 to 7', '2 of 4 `LAMP-07` are back-ordered until 28 Nov'],
    },
  ],
  ...decision('Create order', 'medium'),
  state: 'ready',
  plan: { id: 'pl_7qk2', ticket: 'cs1_7qk2secret', expires_in_ms: 872_000 },
}

export const changeOrder: Card = {
  ...createOrder,
  title: 'Change order SO-1042',
  subtitle: 'ACME · 3 fields change, 9 stay',
  tool: 'orders_modify',
  claim: 'ACME moved to a new building and asked for a later delivery.',
  blocks: [
    {
      kind: 'diff',
      changes: [
        { pointer: '/delivery', label: 'Delivery', before: day('2026-11-28'), after: day('2026-12-05') },
        { pointer: '/discount', label: 'Discount', before: number('5', '%'), after: number('12', '%') },
        { pointer: '/contact', label: 'Contact', before: { kind: 'unset' }, after: text('j.doe@acme.example') },
        { pointer: '/carrier', label: 'Carrier', before: { kind: 'unknown' }, after: text('Northline Freight') },
      ],
      unchanged: [
        { label: 'Customer', value: text('ACME') },
        { label: 'Currency', value: text('EUR') },
        { label: 'Reference', value: { kind: 'code', text: 'PO-88123' } },
      ],
    },
    {
      kind: 'alert',
      severity: 'warning',
      title: "12 % is above the customer's agreed 10 %.",
      text: "The order will need a manager's release.",
    },
  ],
  ...decision('Change 3 fields', 'high'),
}

export const deleteOrder: Card = {
  ...createOrder,
  title: 'Delete order SO-1042',
  subtitle: `ACME · ${figureText({ kind: 'money', amount: '998.00', currency: 'EUR' })} · created ${figureText({ kind: 'date', iso: '2026-11-21', precision: 'day' })}`,
  tool: 'orders_delete',
  claim: 'Duplicate of SO-1041.',
  blocks: [
    {
      kind: 'effects',
      effects: [
        'The order and its 2 lines are removed for good',
        '4 reserved items return to stock',
        'ACME is not told',
      ],
    },
  ],
  ...decision('Delete order', 'critical'),
}

export const blockedOrder: Card = {
  ...createOrder,
  title: 'Fulfil order SO-1040',
  subtitle: 'Northwind · 12 lines',
  tool: 'orders_fulfill',
  ...decision('Fulfil order', 'high'),
  claim: 'Northwind asked for everything in one parcel.',
  blocks: [
    {
      kind: 'alert',
      severity: 'block',
      title: '3 of 12 lines have no stock.',
      text: 'Receive `PO-311` first, or fulfil the other 9 lines.',
    },
  ],
  state: 'blocked',
}

export const staleOrder: Card = {
  ...createOrder,
  title: 'Order SO-1042 has changed meanwhile',
  subtitle: 'Someone edited it at 12:01. Here is the new preview.',
  tool: 'orders_modify',
  state: 'stale',
  blocks: [
    {
      kind: 'diff',
      changes: [
        {
          pointer: '/delivery',
          label: 'Delivery',
          saw: day('2026-11-28'),
          before: day('2026-11-30'),
          after: day('2026-12-05'),
        },
        {
          pointer: '/discount',
          label: 'Discount',
          saw: number('5', '%'),
          before: number('5', '%'),
          after: number('12', '%'),
        },
      ],
    },
  ],
  ...decision('Change 2 fields', 'high'),
}

export const orderChanged: Card = {
  version: 1,
  kind: 'success',
  title: 'Order SO-1042 changed',
  subtitle: 'ACME · 3 fields',
  tool: 'orders_modify',
  source: 'Order desk',
  blocks: [
    {
      kind: 'fields',
      fields: [
        { label: 'Delivery', value: day('2026-12-05') },
        { label: 'Discount', value: number('12', '%') },
        { label: 'Total', value: euro('878.24') },
        { label: 'Changed', value: { kind: 'date', iso: '2026-11-21T12:03:00Z', precision: 'minute' } },
        { label: 'Invoice sent', value: { kind: 'boolean', value: false } },
      ],
    },
    { kind: 'links', links: [{ label: 'Open SO-1042', url: 'https://orders.example/SO-1042' }] },
  ],
  actions: [
    {
      role: 'other',
      label: 'Undo…',
      tone: 'plain',
      steps: [{ do: 'SendMessage', text: 'Preview: call orders_modify(id="SO-1042", discount="5")' }],
    },
  ],
  state: 'applied',
  plan_id: 'pl_7qk2',
  at: '2026-11-21T12:03:00Z',
}

export const orderFailed: Card = {
  version: 1,
  kind: 'error',
  title: 'Order was not created',
  subtitle: 'Nothing was changed',
  tool: 'orders_create',
  source: 'Order desk',
  blocks: [
    {
      kind: 'alert',
      severity: 'danger',
      title: 'SKU `DESK-1` does not exist.',
      text: 'Did you mean `DESK-01` (Oak desk 160)?',
    },
    {
      kind: 'fields',
      fields: [
        { label: 'Field', value: { kind: 'code', text: 'lines[0].sku' } },
        { label: 'Try', value: text('Search products for “desk”, then preview again') },
      ],
    },
  ],
  actions: [again],
  state: 'failed',
  code: 'unknown_sku',
  plan_id: 'pl_7qk2',
  at: '2026-11-21T12:03:00Z',
}

export const editFile: Card = {
  ...createOrder,
  title: 'Edit notes/plan.md',
  subtitle: '`edit_file` · secure-filesystem-server 0.2.0',
  source: 'files',
  tool: 'edit_file',
  claim: 'You asked to move the launch by a week.',
  blocks: [
    {
      kind: 'code',
      language: 'diff',
      text: '@@ 3,4 @@\n ## Launch\n- Date: 28 November\n+ Date: 5 December\n Owner: Mia, together with the people from the third floor who know the printers',
    },
    {
      kind: 'details',
      summary: 'Where and how',
      fields: [
        { label: 'Path', value: { kind: 'code', text: '/srv/shared/team/documents/2026/launch/notes/plan.md' } },
        { label: 'Tags', value: { kind: 'list', items: [text('launch'), text('Q4')] } },
      ],
    },
  ],
  ...decision('Edit file', 'high'),
}

/** Cards of another server's tools: code in colours, Markdown laid out. */
export { deleteRows, openIssue } from '../../ui/playground/gallery/upstream-cards.ts'

/** The same, of which values may be changed. */
export const revisableOrder: Card = {
  ...createOrder,
  edits: {
    fields: [
      { at: '/delivery_date', label: 'Delivery date', as: 'date', optional: true },
      { at: '/express', label: 'Express', as: 'switch', value: 'false' },
      { at: '/kind', label: 'Kind', as: 'choice', value: 'sale', choices: ['sale', 'sample'] },
      { at: '/note', label: 'Note', as: 'long', value: 'Two lines\nof text', optional: true },
    ],
    lists: [
      {
        label: 'Lines',
        removable: true,
        members: [
          {
            at: '/lines/0',
            label: 'DESK-01',
            fields: [{ at: '/lines/0/quantity', label: 'Quantity', as: 'number', value: '2' }],
          },
          {
            at: '/lines/1',
            label: 'LAMP-01',
            fields: [{ at: '/lines/1/quantity', label: 'Quantity', as: 'number', value: '5' }],
          },
        ],
      },
    ],
  },
}

/** A preview's result as the server sends it: text, envelope, and the card with its ticket. */
export const resultOf = (card: Card): CallToolResult => ({
  content: [{ type: 'text', text: `**${card.title}**\n\nChanges nothing until confirmed.` }],
  structuredContent: {
    status: card.kind === 'preview' ? 'previewed' : card.state,
    tool: card.tool,
    summary: card.title,
    ...(card.plan || card.plan_id ? { plan_id: card.plan?.id ?? card.plan_id } : {}),
  },
  ...(card.kind === 'error' ? { isError: true } : {}),
  _meta: { 'countersign/card': card, ...wordsFor(card) },
})

/** The view's words for a card that is not in English, as its server sends them with it. */
const wordsFor = ({ language = 'en' }: Card): Readonly<Record<string, string>> => {
  const words = packedWords(language)
  return words === undefined ? {} : { [wordsMetaKey]: words }
}

/** The same after a host that drops `_meta`. */
export const withoutMeta = (result: CallToolResult): CallToolResult => {
  const { content, structuredContent, isError } = result
  return {
    content,
    ...(structuredContent ? { structuredContent } : {}),
    ...(isError === undefined ? {} : { isError }),
  }
}

const PARAGRAPH =
  'Dear Jane, your order leaves our house on Friday. Please make sure that somebody is there to take it in, because the desks are heavy and the stairs are narrow. '

export const sendMails: Card = {
  ...createOrder,
  title: 'Email 4,821 people',
  subtitle: '“Your Q3 update is here”',
  tool: 'mail_send',
  source: 'Mail',
  claim: 'You asked to send the Q3 update to all customers.',
  blocks: [
    {
      kind: 'metrics',
      metrics: [
        { label: 'External emails', value: number('4821'), before: number('4402') },
        { label: 'Cost', value: euro('48.21') },
      ],
    },
    {
      kind: 'people',
      label: 'Recipients',
      count: 4821,
      newCount: 43,
      sample: [
        { name: 'Jane Doe', address: 'j.doe@acme.example' },
        { name: 'Kim Lee', address: 'kim@northwind.example', isNew: true },
      ],
      domains: [
        { name: 'acme.example', count: 2100 },
        { name: 'northwind.example', count: 311 },
      ],
    },
    {
      kind: 'alert',
      severity: 'warning',
      title: '43 people have no first name:',
      text: '“Hello” is used. 12 addresses are skipped.',
    },
    { kind: 'fields', fields: [{ label: 'Text', value: text(PARAGRAPH.repeat(6)) }] },
  ],
  confirm_phrase: '4821',
  ...decision('Send 4,821 emails', 'critical'),
}

export const rewriteText: Card = {
  ...createOrder,
  title: 'Change contract C-7',
  tool: 'contracts_modify',
  blocks: [
    {
      kind: 'diff',
      changes: [
        {
          pointer: '/terms',
          label: 'Terms',
          before: text(`${PARAGRAPH}Payment is due within 30 days of delivery.`),
          after: text(`${PARAGRAPH}Payment is due within 14 days of delivery, without deduction.`),
        },
        {
          pointer: '/notes',
          label: 'Notes',
          before: text('One\nTwo\nThree\nFour\nFive'),
          after: text('One\nTwo and a half\nThree\nFour\nFive\nSix'),
        },
        {
          pointer: '/tags',
          label: 'Tags',
          before: { kind: 'list', items: [text('draft'), text('2026'), text('desks')] },
          after: { kind: 'list', items: [text('2026'), text('desks'), text('signed')] },
        },
      ],
      records: [
        {
          change: 'changed',
          label: 'Oak desk 160',
          id: 'DESK-01',
          changes: [{ pointer: '/lines/0/quantity', label: 'Quantity', before: number('2'), after: number('3') }],
        },
        {
          change: 'added',
          label: 'Desk lamp',
          id: 'LAMP-07',
          fields: [{ label: 'Quantity', value: number('4') }],
        },
        { change: 'removed', label: 'Footrest', id: 'FOOT-02' },
      ],
      unchangedRecords: 9,
    },
    { kind: 'text', text: 'Signed by **both sides**:\n- ACME, by `J. Doe`\n- us\n\nNothing is printed.' },
  ],
  ...decision('Change contract', 'high'),
}

/** So many line items, as a table that can be sorted and paged. */
export const manyLines = (count: number): Card => ({
  ...createOrder,
  title: `Create an order with ${count} lines`,
  blocks: [
    {
      kind: 'table',
      label: 'Lines',
      columns: [{ label: 'Item' }, { label: 'Qty' }, { label: 'Price' }, { label: 'From' }],
      rows: Array.from({ length: count }, (_, at) => [
        text(`Oak desk ${String(at + 1).padStart(4, '0')}`),
        number(String((at * 7) % 90)),
        euro(`${(at * 13) % 900}.50`),
        day('2026-11-28'),
      ]),
      totals: [{ label: 'Total', value: euro('998.00') }],
    },
  ],
})

export const table120: Card = manyLines(120)

export const partlyShipped: Card = {
  ...orderChanged,
  title: 'Order SO-1040 partly fulfilled',
  subtitle: 'Northwind · 3 of 4 steps',
  tool: 'orders_fulfill',
  blocks: [
    {
      kind: 'steps',
      steps: [
        { label: 'Stock taken', state: 'verified' },
        { label: 'Parcel booked', state: 'applied' },
        { label: 'Invoice sent', state: 'failed', note: 'The mail server refused the address.' },
        { label: 'Customer told', state: 'not-run' },
      ],
    },
    { kind: 'progress', label: 'Lines shipped', done: 9, total: 12 },
    ...orderChanged.blocks.slice(1),
  ],
  state: 'partial',
}

export const plannedSteps: Card = {
  ...createOrder,
  title: 'Fulfil order SO-1040',
  tool: 'orders_fulfill',
  blocks: [
    {
      kind: 'steps',
      steps: [
        { label: 'Take stock', state: 'planned' },
        { label: 'Book a parcel', state: 'planned' },
      ],
    },
    { kind: 'code', language: 'json', label: 'Parcel', text: '{\n  "carrier": "Northline"\n}' },
  ],
  ...decision('Fulfil order', 'high'),
}
