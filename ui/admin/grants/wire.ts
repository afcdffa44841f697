// Standing permissions as `/api/v1` sends them.
import type {
  GrantableView,
  GrantUseView,
  GrantView,
  ProposalView,
} from '../../../server/http/operators/grants-view.ts'

export type { GrantableView, GrantUseView, GrantView, ProposalView }

export interface GrantDetail extends GrantView {
  readonly uses: readonly GrantUseView[]
}

/** `POST /grants` with `check_only`. */
export interface GrantCheck {
  /** `null` where there is no approved call to compare with. */
  readonly covers_approved_call: boolean | null
}

const periods = { hour: 'in any hour', day: 'in any 24 hours', total: 'in all' } as const

/** "20 times in any hour". */
export const timesText = (times: number, per: GrantView['per']): string =>
  `${times} ${times === 1 ? 'time' : 'times'} ${periods[per]}`
