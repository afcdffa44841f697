// Cards of tests that are about the blocks of a card; examples of whole ones are in `test/hosts/cards.ts`.
import type { Card, CardBlock } from '../../server/model/card.ts'

/** A preview of these blocks without buttons, but for what its test says of it. */
export const card = (blocks: readonly CardBlock[], more: Partial<Card> = {}): Card => ({
  version: 1,
  kind: 'preview',
  tool: 'orders_create',
  source: 'Order desk',
  title: 'Create order for ACME',
  blocks,
  actions: [],
  state: 'ready',
  ...more,
})
