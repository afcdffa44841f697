import type { VNode } from 'preact'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import type { Reader } from '../../parts/reader.ts'
import { wordsOf } from '../../parts/words.ts'
import type { FrameHost } from '../connection/card-frame.tsx'
import { Chat } from './chat.tsx'
import { connect } from '../connection/connection.ts'
import { startDemoOver } from '../connection/start-over.ts'
import { callAsSomebodyElse } from '../connection/somebody-else.ts'
import { fromAddress } from '../tools/deep-link.ts'
import { Header, type LinkedPage, type OtherSessions, type SwitchedDesk } from './header.tsx'
import { profileOf, type Session } from '../sessions/session.ts'
import type { Settings } from '../sessions/settings.ts'
import { SettingsPanel } from '../sessions/settings-panel.tsx'
import { reduce, type State } from './state.ts'
import { loadSteps, saveSteps, stepsOver, stepTaken, type Taken } from './progress.ts'
import { firstSteps, nextSteps, startingArgs, suggestionsFor, type Elsewhere, type Suggestion } from './suggestions.ts'
import { firstTheme, hostContext, localeOf, showTheme, type Theme } from './theme.ts'
import { promiseOf, type ToolFacts } from '../tools/tool-facts.ts'
import { ToolForm } from '../tools/tool-form.tsx'
import { ToolList } from '../tools/tool-list.tsx'
import { loadTranscript, saveTranscript, type TranscriptEvent } from './transcript.ts'
import { TroubleNote } from './trouble-note.tsx'
import { troubleOf } from './trouble.ts'
import { uploadFile } from '../connection/upload.ts'
import { useGeneration } from '../connection/use-generation.ts'
import { useConversation } from './use-conversation.ts'
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
  /** Address that says how often the server was started anew; empty where it stays. */
  readonly generation: string
  readonly settingsOpen: boolean
  readonly onSettingsOpen: (open: boolean) => void
}

const none: readonly ToolFacts[] = []

const startedOver = 'The desk is as it came. The activity log keeps what was done, and the numbers of new orders go on.'

/** Milliseconds between two looks whether the server is still there. */
const askAliveEvery = 5_000

const firstState = (session: string): State => {
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
  const context = useMemo(
    () => hostContext(state.theme, phone ? Math.min(width, phoneWidth) : width, { language, timeZone }),
    [state.theme, width, language, timeZone, phone],
  )
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
  const place = session.server === '' ? endpoint : new URL(session.server)
  const [attempt, setAttempt] = useState(0)
  const composed = useRef(state.composed)
  composed.current = state.composed

  useEffect(() => {
    const connecting = connect({ endpoint: place, pageSecret, wire, apps: profile.apps, locale: () => locale.current })
    let isLatest = true
    connecting.then(
      (made) => isLatest && dispatch({ kind: 'put', change: { link: { kind: 'ready', connection: made } } }),
      (error: unknown) =>
        isLatest &&
        dispatch({ kind: 'put', change: { link: { kind: 'failed', trouble: troubleOf(error) }, notice: undefined } }),
    )
    return () => {
      // An older attempt must not speak of a newer one.
      isLatest = false
      void connecting.then((made) => made.close()).catch(() => undefined)
    }
  }, [attempt])
  const reconnect = useCallback((notice?: string) => {
    dispatch({ kind: 'put', change: { link: { kind: 'connecting' }, notice } })
    setAttempt((known) => known + 1)
  }, [])
  useGeneration(session.server === '' ? generation : '', () => reconnect('The server was started anew.'))
  const failures = state.entries.filter((entry) => entry.kind === 'call' && entry.end.kind === 'failed').length
  useEffect(() => {
    if (connection === undefined) return undefined
    const look = async (): Promise<void> => {
      if (!document.hidden) dispatch({ kind: 'heard', away: await connection.away() })
    }
    if (failures > 0) void look()
    const timer = setInterval(() => void look(), askAliveEvery)
    return () => clearInterval(timer)
  }, [connection, failures])
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
  const { entries } = state
  const suggestions = useMemo(
    () => (entries.length === 0 ? suggestionsFor(tools) : nextSteps(tools, entries)),
    [tools, entries],
  )
  const steps = useMemo(() => firstSteps(tools), [tools])
  const [over, setOver] = useState(() => loadSteps(sessionStorage))
  useEffect(() => {
    const now = stepsOver(steps, entries)
    setOver((known) => (now.every((one) => known.includes(one)) ? known : [...new Set([...known, ...now])]))
  }, [steps, entries])
  useEffect(() => saveSteps(sessionStorage, over), [over])
  const running = entries.some((entry) => entry.kind === 'call' && entry.end.kind === 'running')
  const take = ({ tool, args, guide }: Suggestion): void =>
    void (guide?.goesAhead === true ? conversation.goAhead(tool, args) : conversation.ask(tool, args))
  const [elsewhereBusy, setElsewhereBusy] = useState(false)
  const letElsewhere = async ({ tool, args, says }: Elsewhere): Promise<void> => {
    setElsewhereBusy(true)
    const options = { endpoint: place, pageSecret, locale: () => locale.current }
    await callAsSomebodyElse(options, tool, args()).then(
      () => conversation.meanwhile(says),
      (error: unknown) => dispatch({ kind: 'put', change: { trouble: troubleOf(error) } }),
    )
    setElsewhereBusy(false)
  }
  const askAgain = ({ step, approval }: Taken): void =>
    void (approval && conversation.repeat(step.tool, step.args, approval.id))
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
    setOver([])
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
            busy={running}
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
          steps={steps}
          over={over}
          taken={stepTaken(steps, entries)}
          desks={desks}
          busy={running || elsewhereBusy}
          // Elsewhere than in the demo nobody knows what a call does: there the form is what a press opens.
          onTake={steps.length > 0 && promiseOf(tools) === 'asks' ? take : undefined}
          onChange={(draft) => dispatch({ kind: 'drafted', draft })}
          onElsewhere={(elsewhere) => void letElsewhere(elsewhere)}
          onAskAgain={askAgain}
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

const phoneWidth = 340
const columnMax = 640
const columnPadding = 48

/** How wide a card may be, in steps, so that dragging a window does not send a message for every pixel. */
function useWidth(): [number, (element: HTMLElement | null) => void] {
  const [width, setWidth] = useState(columnMax)
  const observer = useRef<ResizeObserver | undefined>(undefined)
  const attach = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (element === null) return
    observer.current = new ResizeObserver(() => {
      // A pane that is not shown has no width, and its cards need not hear of that.
      if (element.clientWidth === 0) return
      const free = Math.min(columnMax, element.clientWidth - columnPadding)
      setWidth(Math.max(240, Math.round(free / 20) * 20))
    })
    observer.current.observe(element)
  }, [])
  return [width, attach]
}
