// As `ledger.test.ts`: the store and the engine declare the same shapes apart, and here the compiler says whether they fit.
import { expectTypeOf, test } from 'vitest'
import type * as Call from '../../server/model/approvals.ts'
import type { CodeCheck } from '../../server/operators/approval-factor.ts'
import type * as CallSwitches from '../../server/model/switches.ts'
import type * as Store from '../../server/store/store.ts'
import type { FeedbackBox, FeedbackDraft } from '../../server/toolsets/feedback.ts'

test('the store keeps approvals and switches as the engine needs them', () => {
  expectTypeOf<Store.Store['approvals']>().toExtend<Call.Approvals>()
  expectTypeOf<Call.Approvals>().toExtend<Store.Store['approvals']>()
  expectTypeOf<Store.Store['switches']>().toExtend<CallSwitches.Switches>()
  expectTypeOf<CallSwitches.Switches>().toExtend<Store.Store['switches']>()
})

test('both mean the same by an approval, its draft, its decision and a freeze', () => {
  expectTypeOf<Store.Approval>().toEqualTypeOf<Call.Approval>()
  expectTypeOf<Store.ApprovalDraft>().toEqualTypeOf<Call.ApprovalDraft>()
  expectTypeOf<Store.ApprovalDecision>().toEqualTypeOf<Call.ApprovalDecision>()
  expectTypeOf<Store.ApprovalState>().toEqualTypeOf<Call.ApprovalState>()
  expectTypeOf<Store.Decided>().toEqualTypeOf<Call.Decided>()
  expectTypeOf<Store.Freeze>().toEqualTypeOf<CallSwitches.Freeze>()
  expectTypeOf<Store.FactorCheck>().toEqualTypeOf<CodeCheck>()
})

test('the store keeps feedback as the tool hands it over', () => {
  expectTypeOf<Store.Store['feedback']>().toExtend<FeedbackBox>()
  expectTypeOf<Store.FeedbackDraft>().toEqualTypeOf<FeedbackDraft>()
})
