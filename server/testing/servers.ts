// Servers of a check. One that is named by its command can be started anew, so that what one journey has changed is not what the
// next one finds; but most journeys find what they need on one that was used before, and a start costs more than they do.
import type { HostProfile } from './host/profiles.ts'
import { openSession, type Session, type Target } from './session.ts'

/** A server in use by one host at a time. */
export interface ServerUse {
  session: Session
  /** Whether a journey may have changed its state. */
  isTouched: boolean
  readonly apps: boolean
}

export interface Servers {
  /** A server for a host that draws views, or draws none: a free one, or another one. */
  take(profile: Pick<HostProfile, 'apps'>): Promise<ServerUse>
  /** Starts this one anew if something may have changed on it. False where nothing has, or it cannot be started anew. */
  renew(use: ServerUse): Promise<boolean>
  /** It is free for the next host. */
  give(use: ServerUse): Promise<void>
  /** Adds one, for hosts that draw views. */
  add(session: Session, isTouched: boolean): void
  close(): Promise<void>
}

/** The servers of one check. */
export function openServers(target: Target): Servers {
  const free: ServerUse[] = []
  const open = ({ apps }: Pick<ServerUse, 'apps'>): Promise<Session> => openSession(target, { apps })
  return {
    take: async ({ apps }) => {
      const at = free.findLastIndex((use) => use.apps === apps)
      const [found] = at < 0 ? [] : free.splice(at, 1)
      return found ?? { session: await open({ apps }), isTouched: false, apps }
    },
    renew: async (use) => {
      if (target.kind === 'url' || !use.isTouched) return false
      await use.session.close()
      use.session = await open(use)
      use.isTouched = false
      return true
    },
    give: async (use) => void free.push(use),
    add: (session, isTouched) => void free.push({ session, isTouched, apps: true }),
    close: async () => void (await Promise.all(free.splice(0).map(({ session }) => session.close()))),
  }
}
