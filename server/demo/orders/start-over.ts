// Whoever tries the desk out may want it as it came, without another database.
import { ok } from '../../errors/result.ts'
import type { StartedOver } from '../../toolsets/toolset.ts'
import { notTheDemos } from '../not-the-demos.ts'
import { versionOf } from '../version-of.ts'
import type { OrderDatabase } from './schema.ts'
import { fill, isSeeded } from './seed.ts'

/** What the seed fills, those first that refer to others. Counters stay: no number is used twice, and no run is forgotten. */
const filled = [
  'desk_order_lines',
  'desk_orders',
  'desk_purchase_lines',
  'desk_purchases',
  'desk_movements',
  'desk_stock',
  'desk_products',
  'desk_suppliers',
  'desk_customers',
] as const

/** Puts the desk back to what a new one holds, at once or not at all. Previews that were made before are stale. */
export const startOver = (db: OrderDatabase, now: number): Promise<StartedOver> =>
  db.transaction().execute(async (transaction) => {
    if (!(await isSeeded(transaction))) return notTheDemos()
    for (const table of filled) await transaction.deleteFrom(table).execute()
    await fill(transaction, now, versionOf(now))
    return ok(undefined)
  })
