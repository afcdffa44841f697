// The floors forbid the store to import the engine's interface. Here the compiler says whether the two still fit.
import { expectTypeOf, test } from 'vitest'
import type * as Call from '../../server/model/plan-store.ts'
import type * as Store from '../../server/store/store.ts'

test('the store keeps plans as the engine needs them', () => {
  expectTypeOf<Store.Store['plans']>().toExtend<Call.PlanStore>()
  expectTypeOf<Call.PlanStore>().toExtend<Store.Store['plans']>()
})

test('both mean the same by a plan, its draft, its ending and a claim', () => {
  expectTypeOf<Store.Plan>().toEqualTypeOf<Call.Plan>()
  expectTypeOf<Store.PlanDraft>().toEqualTypeOf<Call.PlanDraft>()
  expectTypeOf<Store.PlanEnding>().toEqualTypeOf<Call.PlanEnding>()
  expectTypeOf<Store.PlanState>().toEqualTypeOf<Call.PlanState>()
  expectTypeOf<Store.OpenedPlan>().toEqualTypeOf<Call.OpenedPlan>()
  expectTypeOf<Store.Claim>().toEqualTypeOf<Call.Claim>()
  expectTypeOf<Store.PlanRef>().toEqualTypeOf<Call.PlanRef>()
})
