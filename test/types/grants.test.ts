// The road declares what it needs of standing permissions, the store implements it, and neither may import the other.
import { expectTypeOf, test } from 'vitest'
import type * as road from '../../server/model/grants.ts'
import type * as store from '../../server/store/grants/grant.ts'

test("the store's standing permissions are the road's", () => {
  expectTypeOf<store.Grants>().toExtend<road.Grants>()
  expectTypeOf<store.Grant>().toEqualTypeOf<road.Grant>()
  expectTypeOf<store.GrantDraft>().toEqualTypeOf<road.GrantDraft>()
  expectTypeOf<store.GrantUse>().toEqualTypeOf<road.GrantUse>()
  expectTypeOf<store.GrantClaim>().toEqualTypeOf<road.GrantClaim>()
  expectTypeOf<store.GrantTaken>().toEqualTypeOf<road.GrantTaken>()
  expectTypeOf<store.GrantFilter>().toEqualTypeOf<road.GrantFilter>()
  expectTypeOf<store.GrantableTool>().toEqualTypeOf<road.GrantableTool>()
})
