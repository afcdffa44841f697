import type { VNode } from 'preact'
import type { RoomProps } from '../desk.ts'
import { ActivityList } from './list.tsx'
import { StoryPage } from './story.tsx'

export const Activity = (props: RoomProps): VNode =>
  props.route.path[0] === undefined ? (
    <ActivityList {...props} />
  ) : (
    <StoryPage id={props.route.path[0]} key={props.route.path[0]} {...props} />
  )
