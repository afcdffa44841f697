// Two whole contracts, for tests that take something away from them or add to it.
import { z } from 'zod'

export const write = {
  name: 'orders.create',
  title: 'Create order',
  description: 'Creates an order.',
  operation: 'write',
  noun: 'the sales order',
  risk: 'medium',
  idempotency: 'plan',
  sideEffects: [{ what: 'One more order.', onRepeat: 'Another order.' }],
  failures: { unknown_customer: { effect: 'none', guidance: 'Search the customer first.' } },
  input: z.strictObject({ customer: z.string() }),
  output: z.strictObject({ id: z.string() }),
  preview: () => ({ title: 'Create order', summary: 'One order.', confirmLabel: 'Create order' }),
  run: () => ({ id: 'SO-1' }),
} as const

export const read = {
  name: 'orders.get',
  title: 'Get order',
  description: 'Gets an order.',
  operation: 'read',
  risk: 'low',
  failures: {},
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ id: z.string() }),
  run: () => ({ id: 'SO-1' }),
} as const
