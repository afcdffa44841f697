// Cards that need room: every kind of block with seven-digit money, long addresses and identifiers without a place to
// break, in Latin, German and Arabic.
import type { Card, CardBlock, CardValue } from '../../server/model/card.ts'
import { changeOrder, createOrder, decision } from './cards.ts'

const text = (value: string): CardValue => ({ kind: 'text', text: value })
const code = (value: string): CardValue => ({ kind: 'code', text: value })
const money = (amount: string): CardValue => ({ kind: 'money', amount, currency: 'EUR' })
const day = (iso: string): CardValue => ({ kind: 'date', iso, precision: 'day' })

/** A bar of 1280 by 40 pixels. */
const wideWebp =
  'data:image/webp;base64,UklGRrQAAABXRUJQVlA4IKgAAAAQEACdASoABSgAP3G42WW0ryunICgCkC4JaW7hdrEbQAnsA99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkN4AD+/tDn/9St+uirP/6S6XF3i701AgAYcCACagQAAAA='

interface Words {
  readonly field: string
  readonly sentence: string
  readonly name: string
  readonly address: string
}

const languages: Readonly<Record<'en' | 'de' | 'ar', Words>> = {
  en: {
    field: 'Delivery address',
    sentence: 'The order is above the limit of `customer-credit-limit-2026`; **nobody** is told.',
    name: 'Bartholomew Featherstonehaugh-Cholmondeley',
    address: 'bartholomew.featherstonehaugh-cholmondeley@procurement.northwind-industries.example',
  },
  de: {
    field: 'Donaudampfschifffahrtsgesellschaftskapitänspatent',
    sentence:
      'Die Rechtsschutzversicherungsgesellschaften und `KREDITLIMIT-2026-000-111` werden **nicht** benachrichtigt.',
    name: 'Freifrau von und zu Unterhaching-Oberammergau',
    address: 'rechnungspruefung.warenwirtschaft@donaudampfschifffahrtsgesellschaft.example',
  },
  ar: {
    field: 'عنوان التسليم',
    sentence: 'يتجاوز الطلب `SO-1042` الحد المتفق عليه مع ACME Industries (10 %)؛ **لن يُبلَّغ أحد**.',
    name: 'عبد الرحمن بن محمد بن عبد العزيز',
    address: 'abdulrahman.bin-muhammad@procurement.northwind-industries.example',
  },
}

const blocksOf = ({ field, sentence, name, address }: Words): Readonly<Record<CardBlock['kind'], CardBlock>> => {
  const column = (label: string): { readonly label: string; readonly align: 'end' } => ({ label, align: 'end' })
  const totals = [{ label: field, value: money('1234567.89') }]
  const fields = [
    { label: field, value: text(address) },
    { label: 'Total', value: money('-1234567.8912') },
    { label: 'IBAN', value: code('DE89370400440532013000-0000000000-9876') },
    { label: name, value: { kind: 'list', items: [text(address), money('9999999.99')] } as const },
    { label: 'Items', value: { kind: 'number', value: '123456789012345678901234567890.5', unit: name } as const },
  ]
  return {
    text: { kind: 'text', text: `${sentence}\n- ${address}\n- ${sentence}` },
    effects: { kind: 'effects', effects: [sentence, address] },
    fields: { kind: 'fields', fields },
    diff: {
      kind: 'diff',
      changes: [
        { pointer: '/a', label: field, before: text(name), after: text(address), saw: text(`old.${address}`) },
        { pointer: '/b', label: 'Total', before: money('1234567.89'), after: money('7654321.98') },
      ],
      records: [
        { change: 'changed', label: name, id: `${address}/lines/0`, fields },
        {
          change: 'added',
          label: address,
          changes: [{ pointer: '/c', label: field, before: text(''), after: code(address) }],
        },
      ],
    },
    lines: {
      kind: 'lines',
      itemLabel: field,
      columns: [column('Quantity'), column('Price'), column('Total')],
      items: [
        {
          id: 'DESK-OAK-160-80-72-NATURAL',
          label: name,
          cells: [money('1234567'), money('1234567.89'), money('9876543.21')],
        },
        { label: address, cells: [text(address), code(address), day('2026-11-28')] },
      ],
      totals,
    },
    table: {
      kind: 'table',
      label: field,
      columns: [{ label: field }, column('Price'), { label: 'To' }, { label: 'On' }, { label: 'Note' }],
      rows: [
        [text(name), money('1234567.89'), text(address), day('2026-11-28'), text(sentence)],
        [code(address), money('7654321.98'), text('ACME'), day('2026-11-29'), { kind: 'unset' }],
      ],
      totals,
    },
    pages: {
      kind: 'pages',
      list: 'people',
      label: field,
      total: 1234567,
      columns: [{ label: field }, { label: 'To' }, column('Price')],
      rows: [
        { key: 'a', cells: [text(name), text(address), money('1234567.89')] },
        { key: 'b', cells: [code(address), text(sentence), money('7654321.98')] },
      ],
      next: 'b',
      opens: true,
      rest: `${sentence} \`recipients_of_northwind_industries_list_by_procurement\``,
    },
    picture: {
      kind: 'picture',
      label: `${name} ${address}`,
      alt: sentence,
      data: wideWebp,
      width: 1280,
      height: 40,
    },
    people: {
      kind: 'people',
      label: field,
      count: 1234567,
      newCount: 1234,
      sample: [{ name, address, isNew: true }],
      domains: [{ name: address, count: 1234567 }],
    },
    steps: { kind: 'steps', steps: [{ label: address, state: 'planned', note: sentence }] },
    progress: { kind: 'progress', label: field, done: 1234567890123, total: 9007199254740991 },
    metrics: {
      kind: 'metrics',
      metrics: [
        { label: field, value: money('1234567.89'), before: money('7654321.98') },
        { label: 'Address', value: text(address) },
      ],
    },
    alert: { kind: 'alert', severity: 'warning', title: sentence, text: address },
    code: {
      kind: 'code',
      language: 'diff',
      label: address,
      text: `+ to: ${address} ${address}${' '.repeat(300)}and a copy to eve@evil.example\n- none`,
    },
    links: { kind: 'links', links: [{ label: address, url: `https://${address.replace('@', '.')}/` }] },
    details: { kind: 'details', summary: address, fields, applied: true },
  }
}

/** Each kind of block in each language, as a card that can be confirmed. */
export const wideCards: readonly (readonly [string, Card])[] = (['en', 'de', 'ar'] as const).flatMap((language) => {
  const words = languages[language]
  return Object.entries(blocksOf(words)).map(([kind, block]): readonly [string, Card] => [
    `${kind}, ${language}`,
    {
      ...createOrder,
      title: `${words.name} ${words.address}`,
      subtitle: `${words.address} · ${words.sentence}`,
      claim: words.sentence,
      ...decision('Create order', 'critical'),
      blocks: [block],
      confirm_phrase: words.address.slice(0, 80),
    },
  ])
})

/** What changed meanwhile, with a mail address as the new value. */
export const staleAddress: Card = {
  ...changeOrder,
  state: 'stale',
  blocks: [
    {
      kind: 'diff',
      changes: [
        {
          pointer: '/mail',
          label: 'Contact for the delivery',
          saw: text('j.doe@acme.example'),
          before: text('jane.doe@purchasing.acme-industries.example'),
          after: text('jane.doe-cholmondeley@purchasing.acme-industries.example'),
        },
      ],
    },
  ],
}
