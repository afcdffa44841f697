import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { ToolPage } from './detail.tsx'
import { ToolList } from './list.tsx'

export const Tools = (props: RoomProps): VNode =>
  props.route.path.length === 0 ? <ToolList {...props} /> : <ToolPage {...props} />
