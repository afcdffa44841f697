// Approvals as `/api/v1/approvals` sends them; what lists say is the server's own type.
import type { approvalView, callView } from '../../../server/http/operators/approval-view.ts'

export type ApprovalView = ReturnType<typeof approvalView>
export type Risk = ApprovalView['risk']
export type CallView = NonNullable<ReturnType<typeof callView>>

/** Whether somebody may, and in whose right or why not. */
export interface RightView {
  readonly may: boolean
  readonly on_behalf_of?: string
  readonly why?: string
}

export interface ApprovalDetail extends ApprovalView {
  readonly second_factor_needed: boolean
  /** What this operator may do, and whether they have agreed already. */
  readonly you: { readonly approve: RightView; readonly reject: RightView; readonly voted: boolean }
  /** The card document; read with `readCard` before it is drawn. */
  readonly card: unknown
  readonly call: CallView | null
}

/** `POST …/approve` and `POST …/reject`: the approval as it is now. */
export interface Decided {
  readonly approval: ApprovalDetail
}
