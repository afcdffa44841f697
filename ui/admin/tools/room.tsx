import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { Empty, Page } from '../page.tsx'

export const Tools = ({ desk, route }: RoomProps): VNode => (
  <Page title="Tools" desk={desk} route={route}>
    <Empty title="This room is being furnished." />
  </Page>
)
