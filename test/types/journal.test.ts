// The floors forbid the store to import the engine's interface. Here the compiler says whether the two still fit.
import { expectTypeOf, test } from 'vitest'
import type * as Call from '../../server/model/journal.ts'
import type * as Kept from '../../server/store/activity/entry.ts'
import type { Outcome } from '../../server/model/outcome.ts'
import type { Store } from '../../server/store/store.ts'

test('the store keeps calls as the engine needs them', () => {
  expectTypeOf<Store['journal']>().toExtend<Call.Journal>()
  expectTypeOf<Call.Journal>().toExtend<Store['journal']>()
})

test('both mean the same by a call, its end and its events', () => {
  expectTypeOf<Kept.JournalEntry>().toEqualTypeOf<Call.JournalEntry>()
  expectTypeOf<Kept.JournalCompletion>().toEqualTypeOf<Call.JournalCompletion>()
  expectTypeOf<Kept.JournalEvent>().toEqualTypeOf<Call.JournalEvent>()
  expectTypeOf<Kept.Outcome>().toEqualTypeOf<Outcome>()
})
