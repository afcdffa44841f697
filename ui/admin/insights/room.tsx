import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { Empty, Page } from '../page.tsx'

export const Insights = ({ desk, route }: RoomProps): VNode => (
  <Page title="Insights" desk={desk} route={route}>
    <Empty title="This room is being furnished." />
  </Page>
)
