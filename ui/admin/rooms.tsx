// The rooms of these pages: each has an address, a name, a key, and one component that draws everything below its
// address. `route.path` comes without the room's own name.
import type { ComponentType } from 'preact'
import { Activity } from './activity/room.tsx'
import { Approvals } from './approvals/room.tsx'
import type { RoomProps } from './desk.ts'
import { Feedback } from './feedback/room.tsx'
import { Insights } from './insights/room.tsx'
import { Settings } from './settings/room.tsx'
import { Tools } from './tools/room.tsx'

export interface RoomEntry {
  /** First part of the address below /admin. */
  readonly name: string
  readonly label: string
  /** After `g`. */
  readonly key: string
  readonly Room: ComponentType<RoomProps>
}

export const rooms: readonly RoomEntry[] = [
  { name: 'approvals', label: 'Approvals', key: 'a', Room: Approvals },
  { name: 'activity', label: 'Activity', key: 'v', Room: Activity },
  { name: 'feedback', label: 'Feedback', key: 'f', Room: Feedback },
  { name: 'insights', label: 'Insights', key: 'i', Room: Insights },
  { name: 'tools', label: 'Tools', key: 't', Room: Tools },
  { name: 'settings', label: 'Settings', key: 's', Room: Settings },
]
