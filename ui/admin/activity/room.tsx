import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { Empty, Page } from '../page.tsx'

export const Activity = ({ desk, route }: RoomProps): VNode => (
  <Page title="Activity" desk={desk} route={route}>
    <Empty title="This room is being furnished." />
  </Page>
)
