// What the pages of the record read, in the server's own words.
import type { ActivityLine, ActivityRecord } from '../../../server/http/activity/activity-wire.ts'
import type { Story } from '../../../server/http/activity/story-api.ts'

export type Line = ActivityLine
/** A row with everything. */
export type Call = ActivityRecord
export type WholeStory = Story

export interface LinePage {
  readonly activity: readonly Line[]
  readonly next_cursor: string | null
}

export interface Chains {
  readonly checked_at: string
  readonly chains: readonly {
    readonly tenant: string
    readonly state: 'whole' | 'not_anchored' | 'broken'
    readonly anchored: number | null
    readonly entries: number
    readonly cut: number
    readonly problem: { readonly message: string; readonly id: string | null } | null
  }[]
}
