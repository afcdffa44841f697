// Cards that read on: a list of 4,821 recipients with the mail of each, and a campaign that goes on after its call. What a
// server would answer is made here.
import type { Card, CardBlock, CardPageRow } from '../../../server/model/card.ts'
import { createOrder, decision } from './documents.ts'

/** What the server's answer to a call of the card has in `_meta`. */
export type Reads = (name: string, args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

const total = 4_821
const page = 100
const firstNames = ['Mia', 'Jörg', 'Aylin', 'Søren', 'नीरज', 'Chiara', 'عمر', 'Kasia']
const lastNames = ['Olsen', 'Krüger', 'Yıldız', 'Bæk', 'Sharma', 'De Luca', 'Haddad', 'Nowak', 'Featherstonehaugh']

const nameOf = (at: number): string =>
  `${firstNames[at % firstNames.length] ?? ''} ${lastNames[at % lastNames.length] ?? ''}`

const rowOf = (at: number): CardPageRow => ({
  key: String(at),
  cells: [
    { kind: 'text', text: nameOf(at) },
    { kind: 'text', text: `person-${at + 1}@customer-${at % 97}.example` },
    at % 401 === 7 ? { kind: 'text', text: 'skipped: undeliverable' } : { kind: 'boolean', value: true },
  ],
})

const rowsFrom = (from: number): readonly CardPageRow[] =>
  Array.from({ length: Math.max(0, Math.min(page, total - from)) }, (_, index) => rowOf(from + index))

const mailTo = (at: number): readonly CardBlock[] => [
  {
    kind: 'fields',
    fields: [
      { label: 'Subject', value: { kind: 'text', text: `${nameOf(at)}, our autumn news` } },
      { label: 'To', value: { kind: 'text', text: `person-${at + 1}@customer-${at % 97}.example` } },
    ],
  },
  {
    kind: 'code',
    language: 'markdown',
    label: 'As it will be read',
    text: `Hello ${nameOf(at)},\n\nthe workshop on Friday has room for you.\n\nKind regards`,
    spans: [],
  },
]

export const longList: Card = {
  ...createOrder,
  title: 'Send "Autumn news" to 4,821 people',
  tool: 'emails_bulk_send',
  claim: 'The person asked for the newsletter to go out today.',
  blocks: [
    {
      kind: 'pages',
      list: 'recipients',
      label: 'Recipients',
      total,
      columns: [{ label: 'Name' }, { label: 'Address' }, { label: 'Gets it' }],
      rows: rowsFrom(0).slice(0, 20),
      next: '19',
      opens: true,
      rest: '`segments_preview` lists them all.',
    },
    { kind: 'effects', effects: ['4,809 mails go out', '12 addresses are skipped'] },
  ],
  ...decision('emails_bulk_send', 'Send 4,809 mails', 'critical'),
  confirm_phrase: '4809',
}

export const readList: Reads = (_name, { list, after, key }) => {
  if (key !== undefined) return { 'countersign/page': { list, key, blocks: mailTo(Number(key)) } }
  const from = Number(after) + 1
  const rows = rowsFrom(from)
  return { 'countersign/page': { list, rows, ...(from + page < total ? { next: String(from + page - 1) } : {}) } }
}

const again = (label: string, tool: string): Card['actions'][number] => ({
  role: 'other',
  label,
  tone: 'plain',
  steps: [{ do: 'SendMessage', text: `Preview: call ${tool}(campaignId="cp_0123456789abcdef0123")` }],
})

const campaign = (done: number): Card => ({
  version: 1,
  kind: 'success',
  title: done < 4_809 ? 'Sending "Autumn news"' : 'Sent "Autumn news"',
  subtitle: done < 4_809 ? 'About 40 mails a second' : '4,807 accepted, 2 refused',
  tool: 'emails_bulk_send',
  source: 'Agency',
  blocks: [{ kind: 'progress', label: 'Mails', done, total: 4_809 }],
  actions: done < 4_809 ? [again('Pause…', 'emails_pause_campaign'), again('Stop…', 'emails_stop_campaign')] : [],
  state: 'applied',
  plan_id: 'pl_gallery',
  at: '2026-11-21T12:03:00Z',
  ...(done < 4_809 ? { follow: true } : {}),
})

export const goingOn: Card = campaign(0)

/** A campaign that is through after six looks. */
export const campaignReads = (): Reads => {
  let asked = 0
  return () => ({ 'countersign/card': campaign(Math.min(4_809, ++asked * 802)) })
}

/** The everyday order, of which day, note and lines may be changed. */
export const changeable: Card = {
  ...createOrder,
  edits: {
    fields: [
      { at: '/delivery_date', label: 'Delivery date', as: 'date', optional: true },
      { at: '/express', label: 'Express', as: 'switch', value: 'false' },
      { at: '/terms', label: 'Terms', as: 'choice', value: '30 days', choices: ['at once', '30 days', '60 days'] },
      { at: '/budget', label: 'Budget', as: 'text', value: '1000.00', currency: 'EUR', optional: true },
      { at: '/note', label: 'Note', as: 'long', value: 'Ring at the back door.', optional: true },
    ],
    lists: [
      {
        label: 'Lines',
        removable: true,
        members: ['DESK-01', 'LAMP-07'].map((sku, at) => ({
          at: `/lines/${at}`,
          label: sku,
          fields: [{ at: `/lines/${at}/quantity`, label: 'Quantity', as: 'number', value: String(2 + 2 * at) }],
        })),
      },
    ],
  },
}

/** Takes any value but a quantity of 0. */
export const revisions: Reads = (name, { set }) => {
  if (name !== 'countersign_plan_revise') return {}
  const faults = Object.entries(Object(set) as Readonly<Record<string, unknown>>)
    .filter(([at, value]) => at.endsWith('/quantity') && Number(value) < 1)
    .map(([at]) => ({ at, text: 'Allowed: a number of at least 1' }))
  return { 'countersign/revision': faults.length > 0 ? { faults } : { message: changedCall } }
}

const changedCall =
  'Preview: call orders_create(customer="ACME", lines=[{"sku":"DESK-01","quantity":3}], rationale="By phone.")'
