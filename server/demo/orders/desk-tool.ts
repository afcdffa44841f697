// The desk's tools are rehearsed (`server/toolsets/rehearsal.ts`); these are the rows that their forecasts rely on.
import { failuresIn } from '../../toolsets/languages.ts'
import { rehearsedTools, type SeenRow } from '../../toolsets/rehearsal.ts'
import type { DeskTables } from './schema.ts'
import { languages, wordsIn } from './words.ts'

const keys = {
  desk_customers: 'name',
  desk_suppliers: 'name',
  desk_products: 'sku',
  desk_stock: 'sku',
  desk_orders: 'id',
  desk_purchases: 'id',
} as const

/** A row version that a preview of the desk relies on. */
export type Seen = SeenRow<keyof typeof keys>

/** Declares a tool of the desk that writes. */
export const deskTool = rehearsedTools<DeskTables, keyof typeof keys>({
  prefix: 'desk_',
  keys,
  cheatsheet: 'orders',
  languages,
  says: failuresIn(wordsIn, languages),
  transactional: true,
})
