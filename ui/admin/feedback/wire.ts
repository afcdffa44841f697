// What the pages of feedback read, in the server's own words.
import type { feedbackView } from '../../../server/http/operators/feedback-api.ts'

export type Item = ReturnType<typeof feedbackView>

export interface ItemPage {
  readonly feedback: readonly Item[]
  readonly next: string | null
}

export interface ItemGroup {
  readonly count: number
  readonly share_percent: number
  readonly sentence: string
  readonly id: string
  readonly tools: readonly string[]
  readonly members: readonly { readonly id: string; readonly sentence: string }[]
}

export interface ItemGroups {
  readonly tenants: readonly {
    readonly tenant: string
    readonly texts: number
    readonly compared: number
    readonly groups: readonly ItemGroup[]
  }[]
}
