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

/** The first page of an offer, small. */
const firstPage = [
  'UklGRlQGAABXRUJQVlA4IEgGAABQNACdASobAZABPwGAulcrJ6WjolIYmWAgCWlu7mClOxaNT4bSj8/0ogS4w3xnTklul+DqRyYP9P4KdADiAa',
  'hgXp9tzeOn6fpbJ/TBZbVbuFOAOKJEhyPn1d6TGe3TuptyLorTD8y9ezloISAqoD9XIKgW8E4iW69L5fWsABPNO8GwkkpSM/h+mPV0Fm95SwYT',
  'zKF72W0uMEdBZFLGCQgX1LoZtdA5ERMdT1r8fAguNzRnApdGnWBxmNtiyjWaLQa+W1qKz92VocEZIuXTYYkgYOCa0U9C7COO68Y+jas7tY/CGp',
  '55WDrk/CyhsL50AAo95tk1MkIXxtYETEGt6q+soGN5DMf/sAIDsyOapUFp919ydinDaoAFwB/sl10iNRpeQ92ZCKwWv9JrMhFYFr8gKqA/vDms',
  'C1+QFVAf3hzWBa/ICqgP7w5rAtfkBVQH94c1gWvyAqoD+8OawLX5AVUB/eHNYFr8gKqA/vDmsC1+QFVAf3hzWBa/ICqgP7w5rAtfkBVQH94c1g',
  'WvyAqoD+8OawLX5AVUB/eHNYFr8gKqA/vDmsC1+QFVAdAAAP7/LWSSVmEXxS8WO/rxYzHDpcPw3YMLmzHj0AlgJFJOrgDdrt7oHrZ6nNjPFqwY',
  'AIYRlHGPpzI4x9OZHG3++o4A041XDueCMP1ruwcT7ZQ8OQxavkDIwKvy/ezAA+gAe6g6kSnymglBOsMkEMJi+1Ag/OKETVAUm3Sw0aoOpZdcSi',
  'uocpq2miUxBDpPPT7WzrMkAGfuZ6nuf8Nenr8GukAnEsrdC++bt1+YYAf/vgQ0Z6LiNDhUoW3niLs5ybSppVcM22exR/huQLSJvNlez6j4Druk',
  'jm7eh/TwyJ7k4QnPA3/kDUyQ9SbmoF7AK3HrejeRryrJ0/F5gEPW22VbUnendimCdGkvprIc2UuiQ34vkmybGk4PeZQqf/eTiJGMepN1p264Lu',
  'EGGw/VI7H8e0OS/TOUo1muD+FdL54TYwyxQBa/Bo1J0NZq1sR9e/h3VVXrL2XDjkXqn9++S22Wuq49hHyEX32gEXWKFHE9PfQBkG+E2adxYy6O',
  'qU9NB+R7T+uGa1DCGFktFbE1V0CoR9VfND2bKVdMi01UE+vXzS3KzqKzUYnjJBScVEmVDGbOGd84962C69MUargcQcGyLtEsuoJFOizlTLdu3H',
  'ZbVQSn/buVqnBVU6vqt+AloC6R4qL3r9y2NmgFC4xZkoUAE5HfN1cEKxhZ+XpPOVgvPiHJQswfL9ED1XtoGFGsVHXSWFDdHNYy/giEOK3Z+cYO',
  '4GCmE3v80dQ+BWa04ok6yHE7OppjPVYaeDjARBCxeR2Z1hX4SlzfgX+e08Jx1OEwi9fBmJRfFQNTqBKldHGl/PtIpLIPgLZQyfNeelPvzuorqA',
  'YCY3JHntEnkhPNvOIqxlsEILuMGQC/UdaTkZUQHzUJixURXqEnYWX1k8jp+tXaqYhRNxQsCjJT7xVx4GcMiFmBxovZ6+uDNF0JFQMbN1sZIFMs',
  'Hffm86OyvVjnn7nz2YK5S6Cze0Rb6HMNrZdXcar0v2p7baW3p6FayAcDjRXg1WrJKVc9mk/crMu4UXsaDWdM/MCv8SF+NM6AI75JJDWkr/1nUv',
  'sBSSk1DYRyT/XX8BvCZB8G1ERYg8WULEoZSm60/S6SxVH4bGNLqYKOkK/gkd0Okpe1C17KdyVruuz9boVu/dzGI70n47z+oyVMSskaXOCDIadV',
  'yNGNWwEWyWIYLXYoBZIQ6FQ9F3wnhzyAGl6Yx+S4MGP96u6ZROM7J78LX8tdBfqaYDl5ga+HwvipmwQNkCDfmm3hKyYmVCcmM2Ph4inNdtzgk4',
  '8VCjrp2IbvTnEWZwLh0FKd3Mh8c8C921qGkdrzwCPa7EZ38aX+ZNfYtpuR+ykyFgJC9hN++UrbfKFuNjn6If2WF/3TsomqRUyRs833EIDcbHMh',
  '69i+mqAfKGnoH+1UHD6Po+ymZ3K0Xzt1VV+L9GIkyW/H/nWU7e1btQv2L90i1LETLmoMntceLGSR3O14dONT6GBO9Mlnmpfj3X/tPn2JaOhJez',
  'ra47julivvzysEO9j7aENGWb7QJzFvai9cj8Rqg8OcB2tSA98oiUhrsPU4Q5cAAAAAAAAAAAAAAAAAAAA=',
].join('')

export const shared: Card = showing(
  'Create a download link for Offer 2026-118.pdf',
  'files_create_download_link',
  'Create link',
  {
    kind: 'picture',
    label: 'Offer 2026-118.pdf · page 1 of 3',
    alt: 'The first page of Offer 2026-118.pdf',
    data: `data:image/webp;base64,${firstPage}`,
    width: 283,
    height: 400,
  },
  'high',
)
