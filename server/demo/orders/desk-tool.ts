// The desk's tools are rehearsed (`server/toolsets/rehearsal.ts`); these are the rows that their forecasts rely on.
import { rehearsedTools, type SeenRow } from '../../toolsets/rehearsal.ts'
import type { DeskTables } from './schema.ts'
import { besideEnglish, languages, wordsIn, type DeskWords } from './words.ts'

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

const isKnown = (code: string): code is keyof DeskWords['failures'] => Object.hasOwn(wordsIn('en').failures, code)

/** What people read of a failure in each language. */
const failureSays = (code: string) => (isKnown(code) ? besideEnglish(({ failures }) => failures[code]) : undefined)

/** Declares a tool of the desk that writes. */
export const deskTool = rehearsedTools<DeskTables, keyof typeof keys>({
  prefix: 'desk_',
  keys,
  cheatsheet: 'orders',
  languages,
  says: failureSays,
  transactional: true,
})
