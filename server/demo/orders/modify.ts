// A change is signed by what it changes: old beside new, everything else folded away but there. The lines are replaced
// as a whole, so that a call says what the order is to be, not how to get there; only lines that differ touch the stock.
import { z } from 'zod'
import type { CardBlock, CardChange, CardRecordChange, CardValue, LabelledValue } from '../../model/card.ts'
import type { ModifyForecast } from './modify-forecast.ts'
import { foreseeModify, modifyFailures } from './modify-forecast.ts'
import { spokenMoney } from './money.ts'
import { deskTool } from './desk-tool.ts'
import { fieldsBlock, textValue } from '../../toolsets/say.ts'
import {
  backOrdered,
  dayValue,
  moneyValue,
  numberValue,
  oddQuantities,
  orderLines,
  spokenPercent,
  stockGoes,
} from './say.ts'
import { lines, modifyInput, orderOut } from './shapes.ts'
import { orderView } from './views.ts'
import { changeable, wordsIn, type DeskWords } from './words.ts'
import { setLines, setStock, stockAfter } from './writes.ts'

const output = z.object({
  order: orderOut,
  /** What the changed fields were, in the words of the input: the arguments that take it back. */
  previous: z.object({
    delivery_date: z.string().nullable().optional(),
    discount_percent: z.int().optional(),
    contact: z.string().nullable().optional(),
    note: z.string().nullable().optional(),
    lines: lines.optional(),
  }),
})

type Field = ModifyForecast['fields'][number]

/** The simple fields in their order on the card. */
const fieldLabels = ({ labels }: DeskWords): Readonly<Record<Field, string>> => ({
  delivery_date: labels.delivery,
  discount_percent: labels.discount,
  contact: labels.contact,
  note: labels.note,
})

function valueOf(order: Pick<ModifyForecast['target'], Field>, field: Field): CardValue {
  switch (field) {
    case 'delivery_date':
      return dayValue(order.delivery_date)
    case 'discount_percent':
      return numberValue(order.discount_percent, '%')
    default:
      return textValue(order[field])
  }
}

const named = ({ name, sku }: { readonly name: string; readonly sku: string }): string => `${name} ${sku}`

function changesOf(words: DeskWords, forecast: ModifyForecast): CardChange[] {
  return [
    ...forecast.fields.map((field) => ({
      pointer: `/${field}`,
      label: fieldLabels(words)[field],
      before: valueOf(forecast.order, field),
      after: valueOf(forecast.target, field),
    })),
    ...forecast.lineChanges
      .filter(({ before, after }) => before > 0 && after > 0)
      .map(({ product, before, after }) => ({
        // By SKU, not by place: a place is another line's as soon as somebody else removes one.
        pointer: `/lines/${product.sku}/quantity`,
        label: named(product),
        before: numberValue(before),
        after: numberValue(after),
      })),
  ]
}

/** Lines that the order does not have yet, and lines that it will not have any more. */
const recordsOf = ({ labels }: DeskWords, { lineChanges }: ModifyForecast): CardRecordChange[] =>
  lineChanges
    .filter(({ before, after }) => before === 0 || after === 0)
    .map(({ product, before, after }) => ({
      change: before === 0 ? 'added' : 'removed',
      label: product.name,
      id: product.sku,
      fields: [{ label: labels.quantity, value: numberValue(Math.max(before, after)) }],
    }))

function unchangedOf(words: DeskWords, forecast: ModifyForecast): LabelledValue[] {
  const { labels, states } = words
  const names = fieldLabels(words)
  const fields = (Object.keys(names) as Field[]).filter((field) => !forecast.fields.includes(field))
  const lines = forecast.order.lines.filter(
    ({ sku }) => !forecast.lineChanges.some(({ product }) => product.sku === sku),
  )
  return [
    { label: labels.customer, value: textValue(forecast.order.customer) },
    { label: labels.state, value: textValue(states[forecast.order.state]) },
    { label: labels.created, value: { kind: 'date', iso: forecast.order.created_at, precision: 'minute' } },
    ...fields.map((field) => ({ label: names[field], value: valueOf(forecast.order, field) })),
    ...lines.map((line) => ({ label: named(line), value: numberValue(line.quantity) })),
  ]
}

function warningsOf(words: DeskWords, forecast: ModifyForecast): { title: string; text?: string }[] {
  const { agreedDiscount, target, order } = forecast
  const { aboveAgreed } = words.modify
  const above = forecast.fields.includes('discount_percent') && target.discount_percent > (agreedDiscount ?? 0)
  return [
    ...(above
      ? [
          {
            title: aboveAgreed.title(spokenPercent(target.discount_percent), spokenPercent(agreedDiscount ?? 0)),
            text: aboveAgreed.text(order.customer),
          },
        ]
      : []),
    ...oddQuantities(
      words,
      forecast.lineChanges
        .filter((line) => line.after > line.before)
        .map(({ product, after }) => ({ sku: product.sku, quantity: after, usual: product.usual_quantity })),
    ),
  ]
}

function previousOf(forecast: ModifyForecast): z.infer<typeof output>['previous'] {
  const was = (field: Field): boolean => forecast.fields.includes(field)
  return {
    ...(was('delivery_date') ? { delivery_date: forecast.order.delivery_date } : {}),
    ...(was('discount_percent') ? { discount_percent: forecast.order.discount_percent } : {}),
    ...(was('contact') ? { contact: forecast.order.contact } : {}),
    ...(was('note') ? { note: forecast.order.note } : {}),
    ...(forecast.lineChanges.length > 0
      ? { lines: forecast.order.lines.map(({ sku, quantity }) => ({ sku, quantity })) }
      : {}),
  }
}

/** A card draws no diff of fields where none changes: what stays is then said here. */
const linesBlocks = (records: readonly CardRecordChange[], unchanged: LabelledValue[] | undefined): CardBlock[] =>
  records.length === 0
    ? []
    : [{ kind: 'diff', changes: [], records, ...(unchanged === undefined ? {} : { unchanged }) }]

/** `orders.modify`. */
export const modifyOrder = deskTool({
  name: 'orders.modify',
  title: 'Change a sales order',
  noun: 'the change of the sales order',
  description:
    'Changes an open sales order. Give only what is to change; null clears delivery_date, contact or note. `lines` replaces all lines: list every line that the order is to have.',
  operation: 'destructive',
  risk: 'high',
  permissions: ['orders:write'],
  input: modifyInput,
  output,
  failures: modifyFailures,
  sideEffects: [
    {
      what: 'Fields and lines of the order are overwritten',
      onRepeat: 'Nothing more: the order already is as asked',
    },
    { what: 'Stock is reserved or released for lines that change', onRepeat: 'Nothing more' },
  ],
  revise: [
    changeable('/delivery_date', 'delivery'),
    changeable('/discount_percent', 'discount'),
    changeable('/contact', 'contact'),
    changeable('/note', 'note'),
    changeable('/lines/*', 'item'),
    changeable('/lines/*/quantity', 'quantity'),
  ],
  foresee: foreseeModify,
  describe(forecast, _input, { language }) {
    const words = wordsIn(language)
    const { modify } = words
    const { order } = forecast
    const changes = changesOf(words, forecast)
    const records = recordsOf(words, forecast)
    const unchanged = unchangedOf(words, forecast)
    const before = orderView(order, order.lines)
    const after = orderView(forecast.target, forecast.targetLines)
    const moved = before.total.amount !== after.total.amount
    const count = changes.length + records.length
    const skusOf = (change: CardRecordChange['change']) =>
      records.flatMap((record) => (record.change === change && record.id !== undefined ? [record.id] : []))
    return {
      title: modify.title(order.id),
      subtitle: `${order.customer} · ${modify.fieldsChange(count, unchanged.length)}`,
      summary: modify.summary({
        fields: words.list([
          ...changes.map(({ label }) => label),
          ...records.map(({ label, id = '' }) => named({ name: label, sku: id })),
        ]),
        id: order.id,
        customer: order.customer,
        ...(moved ? { total: spokenMoney(after.total) } : {}),
      }),
      changes,
      unchanged,
      blocks: linesBlocks(records, changes.length === 0 ? unchanged : undefined),
      effects: [
        ...(moved ? [words.totalGoes(spokenMoney(before.total), spokenMoney(after.total))] : []),
        ...forecast.lineChanges
          .filter((line) => line.reservedAfter !== line.reservedBefore)
          .map(({ product, reservedBefore, reservedAfter }) =>
            stockGoes(words, product, reservedBefore - reservedAfter),
          ),
        ...forecast.lineChanges
          .filter((line) => line.reservedAfter < line.after)
          .map(({ product: { sku }, after: quantity, reservedAfter }) =>
            backOrdered(words, { sku, quantity, part: quantity - reservedAfter }, forecast.arrivals),
          ),
        words.notTold(order.customer),
      ],
      warnings: warningsOf(words, forecast),
      confirmLabel: modify.confirm(count),
      details: {
        total_before: before.total,
        total_after: after.total,
        lines_added: skusOf('added'),
        lines_removed: skusOf('removed'),
      },
    }
  },
  async carryOut(transaction, forecast) {
    const { delivery_date, discount_percent, contact, note } = forecast.target
    await transaction
      .updateTable('desk_orders')
      .set({ delivery_date, discount_percent, contact, note })
      .where('id', '=', forecast.order.id)
      .execute()
    if (forecast.lineChanges.length > 0) await setLines(transaction, forecast.order.id, forecast.targetLines)
    await setStock(
      transaction,
      forecast.lineChanges
        .filter((line) => line.reservedAfter !== line.reservedBefore)
        .map(({ product, reservedBefore, reservedAfter }) =>
          stockAfter(product, { reserved: reservedAfter - reservedBefore }),
        ),
    )
    return { order: orderView(forecast.target, forecast.targetLines), previous: previousOf(forecast) }
  },
  undo: (_input, { order, previous }, { language }) => ({
    tool: 'orders_modify',
    arguments: { id: order.id, ...previous },
    label: wordsIn(language).modify.back(order.id),
  }),
  cards: {
    success(_input, { order, previous }, { language }) {
      const words = wordsIn(language)
      const names = fieldLabels(words)
      return {
        title: words.modify.done(order.id),
        subtitle: `${order.customer} · ${spokenMoney(order.total)}`,
        blocks: [
          fieldsBlock({
            ...Object.fromEntries(
              (Object.keys(names) as Field[])
                .filter((field) => field in previous)
                .map((field) => [names[field], valueOf(order, field)]),
            ),
            [words.labels.total]: moneyValue(order.total),
          }),
          ...('lines' in previous ? [orderLines(words, order)] : []),
        ],
      }
    },
  },
})
