// What `countersign demo` serves.
import { shippedCheatsheet } from '../toolsets/cheatsheets.ts'
import type { ComposeOptions } from './compose.ts'

/** Names of the desks that the demo has. */
export const desks = ['orders', 'mail', 'memory'] as const
export type Desk = (typeof desks)[number]

/** What people switch between. */
export const deskLabels: Readonly<Record<Desk, string>> = {
  orders: 'Orders',
  mail: 'Mail and files',
  memory: 'Third party',
}

type DeskOptions = Pick<ComposeOptions, 'toolsets' | 'cheatsheets'> & {
  readonly name: string
  /** What the terminal says above its addresses. */
  readonly title: string
}

/** A desk on the server's own database. What stands behind the third is in `thirdPartyDesk`. */
export const demoOptions = (desk: Desk): DeskOptions => {
  switch (desk) {
    case 'orders':
      return {
        name: 'Order desk',
        title: "Order desk, with a person's signature in front of it",
        toolsets: [async ({ db, now }) => (await import('../demo/orders/orders.ts')).createOrders(db, { now })],
        cheatsheets: { orders: shippedCheatsheet('orders') },
      }
    case 'mail':
      return {
        name: 'Agency desk',
        title: "Mail and files of a small agency, with a person's signature in front of them",
        toolsets: [async (parts) => (await import('../demo/agency/agency.ts')).agency(parts)],
      }
    case 'memory':
      return { name: 'Memory server', title: "Somebody else's server, with a person's signature in front of it" }
    default:
      return desk satisfies never
  }
}
