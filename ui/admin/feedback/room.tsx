import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { ItemPageView } from './item.tsx'
import { FeedbackList } from './list.tsx'

export const Feedback = (props: RoomProps): VNode =>
  props.route.path[0] === undefined ? (
    <FeedbackList {...props} />
  ) : (
    <ItemPageView id={props.route.path[0]} key={props.route.path[0]} {...props} />
  )
