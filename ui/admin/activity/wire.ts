// What the pages of the record read, in the server's own words.
import type { ActivityLine, ActivityRecord } from '../../../server/http/activity-wire.ts'
import type { Story } from '../../../server/http/story-api.ts'

export type Line = ActivityLine
/** A row with everything; a server that knows standing permissions names the one that was used. */
export type Call = ActivityRecord & { readonly grant_id?: string | null }
export type WholeStory = Omit<Story, 'story'> & { readonly story: readonly Call[] }

export interface LinePage {
  readonly activity: readonly Line[]
  readonly next_cursor: string | null
}

export interface Chains {
  readonly checked_at: string
  readonly chains: readonly {
    readonly tenant: string
    readonly whole: boolean
    readonly entries: number
    readonly cut: number
    readonly problem: { readonly message: string; readonly id: string | null } | null
  }[]
}
