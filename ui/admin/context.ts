// What every page is handed, instead of finding it in a context: who works here, how to ask the server, where to go, and
// how the reader writes numbers and times. A page keeps its own state and nothing of it is shared.
import type { Reader } from '../parts/reader.ts'
import { troubleText, type Answer } from './answer.ts'
import type { Api, Client, Value } from './client.ts'
import type { Route } from './route.ts'

/** The person who is signed in; `tenant` is `null` where they see every tenant, `totp` whether they have an authenticator. */
export type OperatorView = Value<Api['session']['$get']>['operator']

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

export interface AdminContext extends Client {
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

/** What a part of a page gets: its own, and the pages' common. */
export type AppProps<Own = unknown> = Readonly<Own> & { readonly app: AdminContext }

/** What the component of a page gets. `route.path` starts after the page's own name. */
export interface PageProps {
  readonly app: AdminContext
  readonly route: Route
}

export const isAdmin = (operator: OperatorView): boolean => operator.roles.some((role) => role.kind === 'admin')

/** Says that something is done, or why it is not. */
export const sayDone = ({ say }: AdminContext, answer: Answer<unknown>, done: string): void =>
  answer.ok ? say(done, 'ok') : say(troubleText(answer.trouble), 'danger')
