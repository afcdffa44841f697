// Rows as the outside sees them: decimal strings for money, what is back-ordered beside what is reserved, no column
// that only the database needs.
import { money, totalsOf } from './money.ts'
import type { Order, OrderLine, Purchase } from './queries.ts'
import { availableOf } from './queries.ts'
import type { OrderOut, OrderSummaryOut, PurchaseOut, StockOut } from './shapes.ts'
import type { StockFigures } from './writes.ts'

type OrderHead = Omit<Order, 'lines'>
type LineFacts = Omit<OrderLine, 'order_id' | 'position'>

/** An order as the list shows it. */
export function summaryOf(order: OrderHead, lines: readonly LineFacts[]): OrderSummaryOut {
  return {
    id: order.id,
    customer: order.customer,
    state: order.state,
    total: money(totalsOf(lines, order.discount_percent).total),
    discount_percent: order.discount_percent,
    line_count: lines.length,
    back_ordered: order.state === 'open' ? lines.reduce((sum, line) => sum + line.quantity - line.reserved, 0) : 0,
    created_at: order.created_at,
    delivery_date: order.delivery_date,
    contact: order.contact,
    note: order.note,
    version: order.version,
  }
}

/** An order with its lines. */
export function orderView(order: OrderHead, lines: readonly LineFacts[]): OrderOut {
  const { subtotal, discount } = totalsOf(lines, order.discount_percent)
  return {
    ...summaryOf(order, lines),
    subtotal: money(subtotal),
    discount: money(discount),
    lines: lines.map((line) => ({
      sku: line.sku,
      name: line.name,
      quantity: line.quantity,
      reserved: line.reserved,
      back_ordered: order.state === 'open' ? line.quantity - line.reserved : 0,
      unit_price: money(line.unit_price_cents),
      total: money(line.quantity * line.unit_price_cents),
    })),
  }
}

/** A purchase order with its lines. */
export function purchaseView(
  purchase: Omit<Purchase, 'lines'>,
  lines: readonly Omit<Purchase['lines'][number], 'purchase_id' | 'position'>[],
): PurchaseOut {
  return {
    id: purchase.id,
    supplier: purchase.supplier,
    state: purchase.state,
    created_at: purchase.created_at,
    expected_date: purchase.expected_date,
    total: money(lines.reduce((sum, line) => sum + line.quantity * line.unit_cost_cents, 0)),
    version: purchase.version,
    lines: lines.map(({ sku, name, quantity, unit_cost_cents }) => ({
      sku,
      name,
      quantity,
      unit_cost: money(unit_cost_cents),
      total: money(quantity * unit_cost_cents),
    })),
  }
}

/** Stock figures of one product. */
export const stockView = ({ sku, on_hand, reserved }: StockFigures): StockOut => ({
  sku,
  on_hand,
  reserved,
  available: availableOf({ on_hand, reserved }),
})
