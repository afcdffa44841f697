import type { Connection } from '../connection/connection.ts'
import type { Draft } from './suggestions.ts'
import { firstTheme, showTheme, type Theme } from './theme.ts'
import { loadTranscript, reduceTranscript, type Entry, type TranscriptEvent } from './transcript.ts'
import type { Trouble } from './trouble.ts'

export type Link =
  | { readonly kind: 'connecting' }
  /** `away`: it was there, and why it does not answer now. */
  | { readonly kind: 'ready'; readonly connection: Connection; readonly away?: Trouble }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

/** What a narrow screen shows; a wide one shows tools and chat side by side. */
export type Pane = 'tools' | 'chat' | 'wire'

export interface State {
  readonly link: Link
  readonly entries: readonly Entry[]
  /** The form that is open; `n` makes each opening a new form. */
  readonly draft: (Draft & { readonly n: number }) | undefined
  readonly pane: Pane
  readonly wireOpen: boolean
  readonly theme: Theme
  /** What stands in the message box: a host may put a card's message there. */
  readonly composed: string
  /** Why the last thing that the person asked for was not done. */
  readonly trouble: Trouble | undefined
  /** What was done at last, until the conversation goes on. */
  readonly notice: string | undefined
}

export type Action =
  | {
      readonly kind: 'put'
      readonly change: Partial<Pick<State, 'link' | 'composed' | 'theme' | 'trouble' | 'notice'>>
    }
  /** Why the server did not answer just now; it did where nothing is said. */
  | { readonly kind: 'heard'; readonly away: Trouble | undefined }
  | { readonly kind: 'transcript'; readonly event: TranscriptEvent }
  | { readonly kind: 'drafted'; readonly draft: Draft | undefined }
  | { readonly kind: 'pane'; readonly pane: Pane }
  | { readonly kind: 'wire' }

export function reduce(state: State, action: Action): State {
  switch (action.kind) {
    case 'put':
      return { ...state, ...action.change }
    case 'heard': {
      const { link } = state
      if (link.kind !== 'ready' || action.away?.message === link.away?.message) return state
      const { connection } = link
      return { ...state, link: { kind: 'ready', connection, ...(action.away && { away: action.away }) } }
    }
    case 'transcript': {
      const entries = reduceTranscript(state.entries, action.event)
      return {
        ...state,
        entries,
        trouble: undefined,
        notice: undefined,
        pane: action.event.kind === 'added' && state.pane === 'tools' ? 'chat' : state.pane,
      }
    }
    case 'drafted':
      return {
        ...state,
        pane: 'tools',
        draft: action.draft === undefined ? undefined : { ...action.draft, n: (state.draft?.n ?? 0) + 1 },
      }
    case 'pane':
      return { ...state, pane: action.pane, wireOpen: action.pane === 'wire' }
    case 'wire':
      return { ...state, wireOpen: !state.wireOpen, pane: state.wireOpen ? 'chat' : 'wire' }
    default:
      return action satisfies never
  }
}

/** What a session of this tab begins with. */
export const firstState = (session: string): State => {
  const theme = firstTheme()
  showTheme(theme, false)
  return {
    link: { kind: 'connecting' },
    entries: loadTranscript(sessionStorage, session),
    draft: undefined,
    pane: 'chat',
    wireOpen: false,
    theme,
    composed: '',
    trouble: undefined,
    notice: undefined,
  }
}
