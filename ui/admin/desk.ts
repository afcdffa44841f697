// What every page is handed, instead of finding it in a context: who works here, how to ask the server, where to go, and
// how the reader writes numbers and times. A page keeps its own state and nothing of it is shared.
import type { Reader } from '../parts/reader.ts'
import type { Client } from './client.ts'
import type { Route } from './route.ts'
import type { Role } from '../../server/model/operators.ts'

/** The person who is signed in. */
export interface OperatorView {
  readonly name: string
  readonly via: 'admin-token' | 'session' | 'oidc'
  /** `null`: every tenant. */
  readonly tenant: string | null
  readonly roles: readonly Role[]
  /** Whether they have an authenticator of their own. */
  readonly totp: boolean
}

/** The approvals that wait, as far as the pages know. */
export interface Waiting {
  /** `undefined` until it was heard. */
  readonly pending: number | undefined
  /** Id of the newest one. */
  readonly newest: string | undefined
  /** Goes up whenever something about the waiting ones has changed: reload what shows them. */
  readonly turn: number
}

export type ToastTone = 'plain' | 'ok' | 'danger'

export interface AdminContext {
  readonly client: Client
  readonly operator: OperatorView
  readonly reader: Reader
  readonly waiting: Waiting
  /** Opens a page: an address from `to(…)`, with a query where wanted. */
  readonly go: (address: string) => void
  /** Changes the query of this page without a step in the history: filters. Empty values are left out. */
  readonly filter: (query: Readonly<Record<string, string | undefined>>) => void
  /** Says something in passing. Failures stay until they are closed. */
  readonly say: (text: string, tone?: ToastTone) => void
}

/** What a room's component gets. `route.path` starts after the room's own name. */
export interface RoomProps {
  readonly desk: AdminContext
  readonly route: Route
}

export const isAdmin = (operator: OperatorView): boolean => operator.roles.some((role) => role.kind === 'admin')
