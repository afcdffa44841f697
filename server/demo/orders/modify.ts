// A change is signed by what it changes: old beside new, everything else folded away but there. The lines are replaced
// as a whole, so that a call says what the order is to be, not how to get there; only lines that differ touch the stock.
import { z } from 'zod'
import type { CardChange, CardValue } from '../../model/card.ts'
import type { ModifyForecast } from './modify-forecast.ts'
import { foreseeModify, modifyFailures } from './modify-forecast.ts'
import { spokenMoney } from './money.ts'
import { deskTool } from './desk-tool.ts'
import { count, fieldsBlock, textValue } from '../../toolsets/say.ts'
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

const fieldLabels = {
  delivery_date: 'Delivery',
  discount_percent: 'Discount',
  contact: 'Contact',
  note: 'Note',
} as const
type Field = keyof typeof fieldLabels

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

const quantityValue = (quantity: number): CardValue => (quantity === 0 ? { kind: 'unset' } : numberValue(quantity))

function changesOf(forecast: ModifyForecast): CardChange[] {
  return [
    ...forecast.fields.map((field) => ({
      pointer: `/${field}`,
      label: fieldLabels[field],
      before: valueOf(forecast.order, field),
      after: valueOf(forecast.target, field),
    })),
    ...forecast.lineChanges.map(({ product, before, after }) => ({
      // By SKU, not by place: a place is another line's as soon as somebody else removes one.
      pointer: `/lines/${product.sku}/quantity`,
      label: `${product.name} ${product.sku}`,
      before: quantityValue(before),
      after: quantityValue(after),
    })),
  ]
}

function unchangedOf(forecast: ModifyForecast): { label: string; value: CardValue }[] {
  const fields = (Object.keys(fieldLabels) as Field[]).filter((field) => !forecast.fields.includes(field))
  const lines = forecast.order.lines.filter(
    ({ sku }) => !forecast.lineChanges.some(({ product }) => product.sku === sku),
  )
  return [
    { label: 'Customer', value: textValue(forecast.order.customer) },
    { label: 'State', value: textValue(forecast.order.state) },
    { label: 'Created', value: { kind: 'date', iso: forecast.order.created_at, precision: 'minute' } },
    ...fields.map((field) => ({ label: fieldLabels[field], value: valueOf(forecast.order, field) })),
    ...lines.map(({ name, sku, quantity }) => ({ label: `${name} ${sku}`, value: numberValue(quantity) })),
  ]
}

function warningsOf(forecast: ModifyForecast): { title: string; text?: string }[] {
  const { agreedDiscount, target, order } = forecast
  const above = forecast.fields.includes('discount_percent') && target.discount_percent > (agreedDiscount ?? 0)
  return [
    ...(above
      ? [
          {
            title: `${spokenPercent(target.discount_percent)} is above the customer's agreed ${spokenPercent(agreedDiscount ?? 0)}.`,
            text: `Nothing else checks it: with your confirmation ${order.customer} gets it.`,
          },
        ]
      : []),
    ...oddQuantities(
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
  revise: ['/delivery_date', '/discount_percent', '/contact', '/note', '/lines/*', '/lines/*/quantity'],
  foresee: foreseeModify,
  describe(forecast) {
    const changes = changesOf(forecast)
    const unchanged = unchangedOf(forecast)
    const before = orderView(forecast.order, forecast.order.lines)
    const after = orderView(forecast.target, forecast.targetLines)
    const moved = before.total.amount !== after.total.amount
    return {
      title: `Change order ${forecast.order.id}`,
      subtitle: `${forecast.order.customer} · ${count(changes.length, 'field')} ${changes.length === 1 ? 'changes' : 'change'}, ${unchanged.length} stay`,
      summary: `Changes ${changes.map(({ label }) => label).join(', ')} of order ${forecast.order.id} for ${forecast.order.customer}${moved ? `; the total becomes ${spokenMoney(after.total)}` : ''}.`,
      changes,
      unchanged,
      effects: [
        ...(moved ? [`The total goes from ${spokenMoney(before.total)} to ${spokenMoney(after.total)}`] : []),
        ...forecast.lineChanges
          .filter((line) => line.reservedAfter !== line.reservedBefore)
          .map(({ product, reservedBefore, reservedAfter }) => stockGoes(product, reservedBefore - reservedAfter)),
        ...forecast.lineChanges
          .filter((line) => line.reservedAfter < line.after)
          .map((line) => backOrdered(line.product.sku, line.after - line.reservedAfter, line.after, forecast.arrivals)),
        `${forecast.order.customer} is not told`,
      ],
      warnings: warningsOf(forecast),
      confirmLabel: `Change ${count(changes.length, 'field')}`,
      details: { total_before: before.total, total_after: after.total },
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
  undo: (_input, { order, previous }) => ({
    tool: 'orders_modify',
    arguments: { id: order.id, ...previous },
    label: `Change ${order.id} back`,
  }),
  cards: {
    success: (_input, { order, previous }) => ({
      title: `Order ${order.id} changed`,
      subtitle: `${order.customer} · ${spokenMoney(order.total)}`,
      blocks: [
        fieldsBlock({
          ...Object.fromEntries(
            (Object.keys(fieldLabels) as Field[])
              .filter((field) => field in previous)
              .map((field) => [fieldLabels[field], valueOf(order, field)]),
          ),
          Total: moneyValue(order.total),
        }),
        ...('lines' in previous ? [orderLines(order)] : []),
      ],
    }),
  },
})
