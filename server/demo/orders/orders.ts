// The demo must be real: a small order desk with stock, back-orders and purchase orders on the same database as the
// plans, so that what a person confirms on a card can be looked up afterwards.
import type { Kysely } from 'kysely'
import type { Contract } from '../../tools/contract.ts'
import { rebuildCache } from './cache.ts'
import { correctOrder } from './correct.ts'
import { createOrder } from './create.ts'
import { deleteOrder } from './delete.ts'
import { fulfillOrder } from './fulfill.ts'
import { migrate } from './migrations.ts'
import { modifyOrder } from './modify.ts'
import { paymentTools } from './payments.ts'
import { createPurchase } from './purchases-create.ts'
import { receivePurchase } from './purchases-receive.ts'
import { readTools } from './reads.ts'
import type { StartedOver } from '../../toolsets/toolset.ts'
import type { OrderDatabase } from './schema.ts'
import { startOver } from './start-over.ts'
import { adjustStock } from './stock.ts'

export interface Orders {
  readonly tools: readonly Contract[]
  /** Name of the cheatsheet that the tools point to: `cheatsheets/orders.md`. */
  readonly cheatsheet: 'orders'
  /** Puts the desk back to what a new one holds. */
  startOver(): Promise<StartedOver>
}

/**
 * Opens the order desk on a database: creates its tables where they are missing, fills a new desk once, and answers its
 * tools. Safe for several processes that start at once on one file.
 * @throws the database's error when the tables cannot be created.
 */
export async function createOrders<Tables>(
  db: Kysely<Tables>,
  { now = Date.now }: { readonly now?: () => number } = {},
): Promise<Orders> {
  // Every table of the desk is one that the desk created itself, whatever else the database holds.
  const desk = db as unknown as OrderDatabase
  await migrate(desk, now)
  return {
    tools: [
      ...readTools(desk),
      createOrder(desk),
      modifyOrder(desk),
      fulfillOrder(desk),
      createPurchase(desk),
      receivePurchase(desk),
      adjustStock(desk),
      correctOrder(desk),
      deleteOrder(desk),
      rebuildCache(desk),
      ...paymentTools(),
    ],
    cheatsheet: 'orders',
    startOver: () => startOver(desk, now()),
  }
}
