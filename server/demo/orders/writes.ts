// The few statements that change the desk. Each one runs inside a transaction that already holds the rows (see
// `rehearsal.ts`), which is why they set plain numbers and repeat no condition.
import type { OrderDatabase, DeskTables } from './schema.ts'

/** Takes the next number of a series: "SO-1009". */
export async function nextId(transaction: OrderDatabase, series: 'sales-order' | 'purchase-order'): Promise<string> {
  const { next } = await transaction
    .updateTable('desk_counters')
    .set((eb) => ({ next: eb('next', '+', 1) }))
    .where('name', '=', series)
    .returning('next')
    .executeTakeFirstOrThrow()
  return `${series === 'sales-order' ? 'SO' : 'PO'}-${next - 1}`
}

export interface StockFigures {
  readonly sku: string
  readonly on_hand: number
  readonly reserved: number
}

/** A product's figures when so many pieces more are on hand, or reserved. */
export const stockAfter = (
  { sku, on_hand, reserved }: StockFigures,
  more: { readonly on_hand?: number; readonly reserved?: number },
): StockFigures => ({ sku, on_hand: on_hand + (more.on_hand ?? 0), reserved: reserved + (more.reserved ?? 0) })

/** Stores the figures that were foreseen. */
export async function setStock(transaction: OrderDatabase, figures: readonly StockFigures[]): Promise<void> {
  for (const { sku, on_hand, reserved } of figures)
    await transaction.updateTable('desk_stock').set({ on_hand, reserved }).where('sku', '=', sku).execute()
}

/** Posts what enters (positive) or leaves (negative) the warehouse. */
export async function postMovements(
  transaction: OrderDatabase,
  kind: 'sale' | 'receipt' | 'correction' | 'adjustment',
  reference: string,
  moves: readonly { readonly sku: string; readonly quantity: number }[],
  ctx: { readonly idempotencyKey: string; now(): number },
): Promise<void> {
  const at = new Date(ctx.now()).toISOString()
  const rows = moves
    .filter(({ quantity }) => quantity !== 0)
    .map(({ sku, quantity }) => ({ run: ctx.idempotencyKey, sku, quantity, kind, reference, at }))
  if (rows.length > 0) await transaction.insertInto('desk_movements').values(rows).execute()
}

type NewLine = Omit<DeskTables['desk_order_lines'], 'order_id' | 'position'>

/** Writes an order's lines in the given order; whatever was there before is gone. */
export async function setLines(transaction: OrderDatabase, orderId: string, lines: readonly NewLine[]): Promise<void> {
  await transaction.deleteFrom('desk_order_lines').where('order_id', '=', orderId).execute()
  if (lines.length > 0)
    await transaction
      .insertInto('desk_order_lines')
      .values(lines.map((line, position) => ({ ...line, order_id: orderId, position })))
      .execute()
}
