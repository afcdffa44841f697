// The order desk shares a database with plans and results, so every table carries the desk's prefix. Amounts are whole
// cents in `integer` columns and moments are ISO text: both mean the same in SQLite and in PostgreSQL, and neither is
// ever a float.
import type { Kysely } from 'kysely'
import type { RunRow } from '../../toolsets/rehearsal.ts'

export type OrderState = 'open' | 'fulfilled' | 'cancelled'

/** Rows with a `version` are those that a preview may rely on: every write to one raises it by one. */
export interface DeskTables {
  desk_customers: { name: string; agreed_discount: number; version: number }
  desk_suppliers: { name: string; lead_days: number; version: number }
  desk_products: {
    sku: string
    name: string
    price_cents: number
    cost_cents: number
    supplier: string
    /** What one order usually takes; a quantity far above it is worth a warning. */
    usual_quantity: number
    version: number
  }
  /** Stored figures; `desk_movements` and the open lines are the truth behind them (`cache.rebuild`). */
  desk_stock: { sku: string; on_hand: number; reserved: number; version: number }
  /** Everything that ever entered or left the warehouse; `run` is the idempotency key of the call that wrote it. */
  desk_movements: { run: string; sku: string; quantity: number; kind: string; reference: string; at: string }
  desk_orders: {
    id: string
    customer: string
    state: OrderState
    created_at: string
    delivery_date: string | null
    discount_percent: number
    contact: string | null
    note: string | null
    version: number
  }
  /** Name and price are those of the day of the order. `reserved` never exceeds `quantity`; the rest is back-ordered. */
  desk_order_lines: {
    order_id: string
    sku: string
    position: number
    name: string
    quantity: number
    reserved: number
    unit_price_cents: number
  }
  desk_purchases: {
    id: string
    supplier: string
    state: 'open' | 'received'
    created_at: string
    expected_date: string | null
    version: number
  }
  desk_purchase_lines: {
    purchase_id: string
    sku: string
    position: number
    name: string
    quantity: number
    unit_cost_cents: number
  }
  /** Numbers of the next orders. A number is never used twice, even when its order was deleted. */
  desk_counters: { name: string; next: number }
  desk_runs: RunRow
}

/** The database as the desk sees it; inside a transaction it is that transaction. */
export type OrderDatabase = Kysely<DeskTables>
