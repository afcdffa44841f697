import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { ApprovalPage } from './detail.tsx'
import { ApprovalList } from './list.tsx'

export const Approvals = (props: RoomProps): VNode =>
  props.route.path.length === 0 ? <ApprovalList {...props} /> : <ApprovalPage {...props} />
