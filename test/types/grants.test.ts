// The engine declares what it needs of standing permissions, the store implements it, and neither may import the other.
import { expectTypeOf, test } from 'vitest'
import type * as engine from '../../server/model/grants.ts'
import type * as store from '../../server/store/grants/grant.ts'

test("the store's standing permissions are the engine's", () => {
  expectTypeOf<store.Grants>().toExtend<engine.Grants>()
  expectTypeOf<store.Grant>().toEqualTypeOf<engine.Grant>()
  expectTypeOf<store.GrantDraft>().toEqualTypeOf<engine.GrantDraft>()
  expectTypeOf<store.GrantUse>().toEqualTypeOf<engine.GrantUse>()
  expectTypeOf<store.GrantClaim>().toEqualTypeOf<engine.GrantClaim>()
  expectTypeOf<store.GrantTaken>().toEqualTypeOf<engine.GrantTaken>()
  expectTypeOf<store.GrantFilter>().toEqualTypeOf<engine.GrantFilter>()
  expectTypeOf<store.GrantableTool>().toEqualTypeOf<engine.GrantableTool>()
})
