import type { VNode } from 'preact'
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import type { Reader } from '../../parts/reader.ts'
import { wordsOf } from '../../parts/words.ts'
import type { FrameHost } from '../connection/card-frame.tsx'
import { Chat } from './chat.tsx'
import { openAsOperator } from '../connection/open-as-operator.ts'
import { startDemoOver } from '../connection/start-over.ts'
import { callAsSomebodyElse } from '../connection/somebody-else.ts'
import { fromAddress } from '../tools/deep-link.ts'
import { Header, type LinkedPage, type OtherSessions, type SwitchedDesk } from './header.tsx'
import { profileOf, type Session } from '../sessions/session.ts'
import type { Settings } from '../sessions/settings.ts'
import { SettingsPanel } from '../sessions/settings-panel.tsx'
import { firstState, reduce } from './state.ts'
import { nextSteps, startingArgs, suggestionsFor } from './suggestions.ts'
import { hostContext, localeOf, showTheme, type HostContext, type Theme } from './theme.ts'
import type { ToolFacts } from '../tools/tool-facts.ts'
import { ToolForm } from '../tools/tool-form.tsx'
import { ToolList } from '../tools/tool-list.tsx'
import { saveTranscript, type TranscriptEvent } from './transcript.ts'
import { TroubleNote } from './trouble-note.tsx'
import { uploadFile } from '../connection/upload.ts'
import { useLink } from '../connection/use-link.ts'
import { useConversation } from './use-conversation.ts'
import { useSteps } from './use-steps.ts'
import { phoneWidth, useWidth } from './use-width.ts'
import type { MountedView } from '../connection/view-bridge.ts'
import { WirePanel } from '../connection/wire-panel.tsx'
import type { WireLog } from '../connection/wire.ts'

interface AppProps {
  readonly endpoint: URL
  readonly pageSecret: string
  /** Origin of the frames around cards. */
  readonly sandbox: string
  readonly wire: WireLog
  readonly session: Session
  readonly settings: Settings
  readonly onSession: (change: Partial<Session>) => void
  readonly onSettings: (change: Partial<Settings>) => void
  readonly others: OtherSessions
  readonly pages: readonly LinkedPage[]
  readonly desks: readonly SwitchedDesk[]
  /** Address that takes a file; empty where this server takes none. */
  readonly uploads: string
  /** Address that starts the demo over; empty where this server is none. */
  readonly startOver: string
  /** Address that signs in at the operators' pages; empty where this server is no demo. */
  readonly signIn: string
  /** Address that says how often the server was started anew; empty where it stays. */
  readonly generation: string
  readonly settingsOpen: boolean
  readonly onSettingsOpen: (open: boolean) => void
}

const none: readonly ToolFacts[] = []

const startedOver = 'The desk is as it came. The activity log keeps what was done, and the numbers of new orders go on.'

/** An address at which nobody answers, in the place of one that is none. */
const nowhere = 'http://no-address.invalid/'

/** The playground: tools, chat, wire, and the one state behind them. */
export function App(props: AppProps): VNode {
  const {
    endpoint,
    pageSecret,
    sandbox,
    wire,
    session,
    settings,
    onSession,
    onSettings,
    others,
    pages,
    desks,
    uploads,
    startOver,
    signIn,
    generation,
    settingsOpen,
    onSettingsOpen,
  } = props
  const [state, dispatch] = useReducer(reduce, session.id, firstState)
  const profile = profileOf(session.profile)
  const tell = useCallback((event: TranscriptEvent) => dispatch({ kind: 'transcript', event }), [])
  const connection = state.link.kind === 'ready' ? state.link.connection : undefined
  const conversation = useConversation(connection, tell)
  const mounted = useRef(new Set<MountedView>()).current
  const [width, chat] = useWidth()
  const { language, timeZone, phone } = settings
  const context = useMemo(() => {
    let made: HostContext | undefined
    return () =>
      (made ??= hostContext(state.theme, phone ? Math.min(width, phoneWidth) : width, { language, timeZone }))
  }, [state.theme, width, language, timeZone, phone])
  const old = useRef(new Set(state.entries.map(({ id }) => id))).current
  const locale = useRef('')
  locale.current = localeOf({ language })
  const reader: Reader = {
    words: wordsOf('en'),
    language: 'en',
    locale: locale.current,
    ...(timeZone === '' ? {} : { timeZone }),
    openLink: (url) => void open(url, '_blank', 'noopener,noreferrer'),
  }
  const place = session.server === '' ? endpoint : new URL(URL.canParse(session.server) ? session.server : nowhere)
  const options = { endpoint: place, pageSecret, locale: () => locale.current }
  const { entries } = state
  const composed = useRef(state.composed)
  composed.current = state.composed

  const failures = entries.filter((entry) => entry.kind === 'call' && entry.end.kind === 'failed').length
  const { attempt, reconnect } = useLink({
    options: { ...options, wire, apps: profile.apps },
    connection,
    failures,
    generation: session.server === '' ? generation : '',
    dispatch,
  })
  useEffect(() => saveTranscript(sessionStorage, state.entries, session.id), [state.entries])

  // A link opens a form and never calls anything: whoever wrote it is not the person who clicks.
  useEffect(() => {
    if (connection === undefined) return undefined
    const follow = () => {
      const draft = fromAddress(location.hash)
      if (draft !== undefined) dispatch({ kind: 'drafted', draft })
    }
    // Where the connection is another one, the person may be in the middle of a form.
    if (attempt === 0) follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [connection])

  const answered = state.entries.findLast((entry) => entry.kind === 'call' && entry.end.kind === 'answered')
  useEffect(() => {
    if (!profile.foreign || answered?.kind !== 'call' || answered.end.kind !== 'answered') return
    for (const view of mounted) view.sendForeign(answered.end.result)
  }, [answered?.id])

  const tools = connection?.tools ?? none
  const suggestions = useMemo(
    () => (entries.length === 0 ? suggestionsFor(tools) : nextSteps(tools, entries)),
    [tools, entries],
  )
  const { startAgain, ...steps } = useSteps({
    tools,
    entries,
    conversation,
    elsewhere: (call) => callAsSomebodyElse(options, call.tool, call.args()),
    failed: (trouble) => dispatch({ kind: 'put', change: { trouble } }),
  })
  const upload = async (file: File): Promise<void> => {
    const sent = await uploadFile(uploads, pageSecret, file)
    if (sent.kind === 'kept') conversation.attach(sent.file)
    else dispatch({ kind: 'put', change: { trouble: sent.trouble } })
  }
  const host = useMemo<FrameHost | undefined>(
    () =>
      connection && {
        connection,
        sandbox,
        wire,
        context,
        mounted,
        profile,
        old,
        prefill: (text) => {
          if (composed.current !== '') return false
          dispatch({ kind: 'put', change: { composed: text } })
          return true
        },
        isEmpty: () => composed.current === '',
        onMessage: (text) => void conversation.say(text, 'card'),
      },
    [connection, context, conversation],
  )
  const closeSettings = useCallback(() => onSettingsOpen(false), [])
  const chooseTheme = (theme: Theme) => {
    showTheme(theme, true)
    dispatch({ kind: 'put', change: { theme } })
  }
  const clear = async () => {
    await Promise.all([...mounted].map((view) => view.unmount()))
    mounted.clear()
    tell({ kind: 'cleared' })
  }
  const begin = async () => {
    const trouble = await startDemoOver(startOver, pageSecret)
    if (trouble !== undefined) return dispatch({ kind: 'put', change: { trouble } })
    await clear()
    startAgain()
    dispatch({ kind: 'put', change: { trouble: undefined, notice: startedOver } })
  }
  const { link } = state
  const lost = link.kind === 'failed' ? link.trouble : link.kind === 'ready' ? link.away : undefined
  const lastTool = useRef<string | undefined>(undefined)
  lastTool.current = state.draft?.tool ?? lastTool.current
  const drafted = tools.find((tool) => tool.name === state.draft?.tool)
  return (
    <div class="layout" data-pane={state.pane} data-wire={state.wireOpen} data-phone={phone}>
      <Header
        state={state}
        wire={wire}
        dispatch={dispatch}
        onTheme={chooseTheme}
        onClear={() => void clear()}
        onStartOver={startOver === '' || session.server !== '' ? undefined : () => void begin()}
        profile={profile}
        settingsOpen={settingsOpen}
        onSettingsOpen={onSettingsOpen}
        others={others}
        pages={pages}
        desks={desks}
      />
      {settingsOpen && (
        <SettingsPanel
          session={session}
          settings={settings}
          onSession={onSession}
          onSettings={onSettings}
          pages={pages}
          onNewSession={() => {
            closeSettings()
            others.onAdd()
          }}
          onClose={closeSettings}
        />
      )}
      <aside class="tools" aria-label="Tools">
        {drafted !== undefined && state.draft !== undefined ? (
          <ToolForm
            key={state.draft.n}
            tool={drafted}
            initial={startingArgs(drafted, state.draft.args)}
            busy={steps.busy}
            onCall={(args) => void conversation.ask(drafted.name, args)}
            onBack={() => dispatch({ kind: 'drafted', draft: undefined })}
          />
        ) : (
          connection !== undefined && (
            <ToolList
              tools={tools}
              returnTo={lastTool.current}
              onPick={({ name }) => dispatch({ kind: 'drafted', draft: { tool: name, args: {} } })}
            />
          )
        )}
      </aside>
      <main class="chat" ref={chat}>
        {lost !== undefined && <TroubleNote trouble={lost} onConnect={() => reconnect()} />}
        {state.trouble !== undefined && <TroubleNote trouble={state.trouble} />}
        {state.notice !== undefined && (
          <Note tone="ok" sign="✓">
            <span role="status">{state.notice}</span>
          </Note>
        )}
        <Chat
          entries={state.entries}
          host={host}
          tools={tools}
          suggestions={suggestions}
          {...steps}
          onDecide={
            signIn === ''
              ? undefined
              : (id) =>
                  void openAsOperator(signIn, pageSecret, id).then((trouble) =>
                    dispatch({ kind: 'put', change: { trouble } }),
                  )
          }
          desks={desks}
          onChange={(draft) => dispatch({ kind: 'drafted', draft })}
          onSay={(text) => void conversation.say(text, 'composer')}
          onUpload={uploads === '' || session.server !== '' ? undefined : (file) => void upload(file)}
          composed={state.composed}
          reader={reader}
          onCompose={(composed) => dispatch({ kind: 'put', change: { composed } })}
        />
      </main>
      {state.wireOpen && (
        <aside class="wire-side" aria-label="Wire">
          <WirePanel wire={wire} />
        </aside>
      )}
    </div>
  )
}
