// What `countersign demo` serves.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import type { ComposeOptions } from './compose.ts'

/** The order desk on the server's own database, and its cheatsheet. */
export const demoOptions = (): Pick<ComposeOptions, 'toolsets' | 'cheatsheets' | 'name'> => ({
  name: 'Order desk',
  toolsets: [async ({ db }) => (await import('../demo/orders/orders.ts')).createOrders(db)],
  cheatsheets: { orders: readFileSync(join(packageRoot(), 'cheatsheets', 'orders.md'), 'utf8') },
})
