// The pages behind the navigation: each has an address, a name, a key, and what is drawn at its address and below it.
import type { ComponentType } from 'preact'
import { ActivityList } from './activity/list.tsx'
import { StoryPage } from './activity/story.tsx'
import { ApprovalPage } from './approvals/detail.tsx'
import { ApprovalList } from './approvals/list.tsx'
import type { PageProps } from './context.ts'
import { FeedbackDetail } from './feedback/detail.tsx'
import { FeedbackList } from './feedback/list.tsx'
import { InsightPage, Insights } from './insights/page.tsx'
import { Settings } from './settings/page.tsx'
import { ToolPage } from './tools/detail.tsx'
import { ToolList } from './tools/list.tsx'

interface PageEntry {
  /** First part of the address below /admin. */
  readonly name: string
  readonly label: string
  /** After `g`. */
  readonly key: string
  readonly List: ComponentType<PageProps>
  /** What the second part of the address names. */
  readonly Detail?: ComponentType<PageProps & { readonly id: string }>
}

export const pages: readonly PageEntry[] = [
  { name: 'approvals', label: 'Approvals', key: 'a', List: ApprovalList, Detail: ApprovalPage },
  { name: 'activity', label: 'Activity', key: 'v', List: ActivityList, Detail: StoryPage },
  { name: 'feedback', label: 'Feedback', key: 'f', List: FeedbackList, Detail: FeedbackDetail },
  { name: 'insights', label: 'Insights', key: 'i', List: Insights, Detail: InsightPage },
  { name: 'tools', label: 'Tools', key: 't', List: ToolList, Detail: ToolPage },
  { name: 'settings', label: 'Settings', key: 's', List: Settings },
]
