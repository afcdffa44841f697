// A development host is open for days, with several conversations, each with a server and a kind of host of its own.
// What a conversation is stands here; the entries of each are kept under its own key.
import { hostProfiles, type HostProfile } from '../../../server/testing/host/profiles.ts'

export interface Session {
  readonly id: string
  /** Address of an MCP server; our own when empty. */
  readonly server: string
  /** Name of a host profile. */
  readonly profile: string
}

export interface SavedSessions {
  readonly sessions: readonly [Session, ...Session[]]
  /** Id of the one that is open. */
  readonly open: string
}

export type SavedSessionsEvent =
  | { readonly kind: 'opened' | 'added' | 'closed'; readonly id: string }
  | { readonly kind: 'changed'; readonly id: string; readonly change: Partial<Omit<Session, 'id'>> }

const first: Session = { id: '1', server: '', profile: hostProfiles[0].name }

/** The sessions after an event. There is always one. */
export function reduceSessions(saved: SavedSessions, event: SavedSessionsEvent): SavedSessions {
  switch (event.kind) {
    case 'opened':
      return saved.sessions.some(({ id }) => id === event.id) ? { ...saved, open: event.id } : saved
    case 'added': {
      const model = saved.sessions.find(({ id }) => id === saved.open) ?? first
      return { sessions: [...saved.sessions, { ...model, id: event.id }], open: event.id }
    }
    case 'closed': {
      const [next = { ...first, id: `${event.id}+` }, ...rest] = saved.sessions.filter(({ id }) => id !== event.id)
      return { sessions: [next, ...rest], open: saved.open === event.id ? next.id : saved.open }
    }
    case 'changed': {
      const [head, ...rest] = saved.sessions
      const change = (one: Session): Session => (one.id === event.id ? { ...one, ...event.change } : one)
      return { ...saved, sessions: [change(head), ...rest.map(change)] }
    }
    default:
      return event satisfies never
  }
}

const key = 'countersign.playground.sessions.1'

/** Reads this tab's sessions; what is damaged is forgotten. */
export function loadSessions(storage: Storage): SavedSessions {
  const fresh: SavedSessions = { sessions: [first], open: first.id }
  try {
    const given = JSON.parse(storage.getItem(key) ?? 'null') as Partial<SavedSessions> | null
    const sound = (given?.sessions ?? []).filter(isSession)
    const [head, ...rest] = sound
    if (head === undefined) return fresh
    return { sessions: [head, ...rest], open: sound.find(({ id }) => id === given?.open)?.id ?? head.id }
  } catch {
    return fresh
  }
}

export const saveSessions = (storage: Storage, saved: SavedSessions): void =>
  storage.setItem(key, JSON.stringify(saved))

const isSession = (given: unknown): given is Session => {
  const one = given as Partial<Record<keyof Session, unknown>> | null
  return typeof one?.id === 'string' && typeof one.server === 'string' && typeof one.profile === 'string'
}

/** The profile of this name, or the one that does all as the specification says. */
export const profileOf = (name: string): HostProfile => hostProfiles.find((one) => one.name === name) ?? hostProfiles[0]
