// The one owner of state, and what it listens to: the host, the clock, the theme, its own size. Each effect starts from
// a state and ends with it; what is drawn is in `sheet.tsx` and knows nothing of any of this.
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { Host, HostContext, Welcome } from '../bridge/host.ts'
import { readerLocale } from '../bridge/locale.ts'
import type { Reader } from '../parts/reader.ts'
import { isRightToLeft, wordsOf } from '../parts/words.ts'
import {
  cancel,
  check,
  confirm,
  copy,
  follow,
  followOn,
  openLink,
  perform,
  revise,
  sendRevision,
  stop,
  type EffectTarget,
} from './effects.ts'
import { openPhases } from './plan-phase.ts'
import { readResult } from './read-result.ts'
import { listReader } from './reads.ts'
import { Sheet } from './sheet.tsx'
import { type Aside, canConfirm, initial, reduce, type Event, type State } from './state.ts'
import { applyTheme } from './theme.ts'

/** How long a mounted card may stay without any answer before it says so. */
const CHECK_PATIENCE = 3_500
const FOLLOW_RUNNING = 15 * 60_000
const ASIDE_FOR = 4_000

const passingAsides: ReadonlySet<Aside['kind']> = new Set(['copied', 'enter', 'toast'])

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Before anything is laid out: a button that has a colour by then would fade into that of the theme. */
const useTheme = (context: HostContext): void => {
  const apply = (): void => applyTheme(context, dark.matches)
  useMemo(apply, [context])
  useLayoutEffect(() => {
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [context])
}

/** Of all that is drawn, in pixels. */
export const drawnHeight = (): number => Math.ceil(document.body.getBoundingClientRect().height)

/** Tells the host the height of the sheet whenever it changes, once the host can hear it. */
const useSize = (host: Host, greeted: boolean): void =>
  useEffect(() => {
    if (!greeted) return undefined
    let last = 0
    const measure = (): void => {
      const height = drawnHeight()
      if (height > 0 && height !== last) host.sizeChanged((last = height))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [host, greeted])

/** A minute after the plan's time nothing new can be heard of it. */
const pastEnd = (stage: EffectTarget): boolean => {
  const { view } = stage.current()
  return view.kind !== 'card' || view.until === undefined || stage.now() > view.until + 60_000
}

/** What each phase of the plan asks to be done. Keyed by the phase, so that it is done once. */
const useEffectsOf = (stage: EffectTarget, state: State): void => {
  const { view, tools, revising } = state
  const card = view.kind === 'card' ? view.card : undefined
  const phase = view.kind === 'card' ? view.phase : undefined
  const plan = card?.plan
  const at = phase?.at

  useEffect(() => {
    if (at !== 'checking' || !plan) return undefined
    if (tools) void check(stage, plan)
    const timer = setTimeout(() => stage.dispatch({ type: 'unanswered' }), CHECK_PATIENCE)
    return () => clearTimeout(timer)
  }, [at === 'checking', tools, plan])

  const attempt = phase?.at === 'pending' ? phase.attempt : 0
  useEffect(() => {
    if (attempt > 0 && card && plan) void confirm(stage, card, plan, attempt)
  }, [attempt, plan])

  const cancelling = phase?.at === 'cancelled' && phase.revoked === undefined
  useEffect(() => {
    if (cancelling && card && plan) void cancel(stage, card, plan)
  }, [cancelling, plan])

  const until = view.kind === 'card' ? view.until : undefined
  useEffect(() => {
    if (!tools || !plan) return undefined
    if (at === 'sent' || (revising === 'sent' && canConfirm(view)))
      return follow(stage, plan, 3_000, () => pastEnd(stage))
    if (at !== 'applying' && at !== 'unknown') return undefined
    const end = stage.now() + FOLLOW_RUNNING
    // How far it has got changes by the second.
    return follow(stage, plan, at === 'applying' ? 1_000 : 5_000, () => stage.now() > end)
  }, [at, tools, plan, revising])

  const followed = tools && card?.follow ? card.plan_id : undefined
  useEffect(() => (followed ? followOn(stage, followed) : undefined), [followed])

  // Somebody comes back to an open card: it may have been used elsewhere meanwhile.
  useEffect(() => {
    if (!tools || !plan || (at !== 'ready' && at !== 'refused')) return undefined
    const look = (): void => {
      if (!document.hidden) void check(stage, plan)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [at, tools, plan])

  // What was said in passing makes room again for the countdown.
  const passing = passingAsides.has(state.aside.kind)
  useEffect(() => {
    if (!passing) return undefined
    const timer = setTimeout(() => stage.dispatch({ type: 'aside', aside: { kind: 'none' } }), ASIDE_FOR)
    return () => clearTimeout(timer)
  }, [state.aside])

  const counting = until !== undefined && at !== undefined && openPhases.has(at)
  useEffect(() => {
    if (!counting) return undefined
    const timer = setInterval(() => stage.dispatch({ type: 'tick', now: stage.now() }), 1_000)
    return () => clearInterval(timer)
  }, [counting])
}

interface AppProps {
  readonly host: Host
  /** Epoch milliseconds; only differences are used. */
  readonly now: () => number
  /** What the host answered to the greeting, where it has by now. */
  readonly welcome?: Welcome | undefined
}

export const App = ({ host, now, welcome }: AppProps): VNode => {
  const [state, dispatch] = useReducer<State, Event>(
    reduce,
    welcome ? reduce(initial, { type: 'welcome', tools: welcome.serverTools }) : initial,
  )
  const [context, setContext] = useState<HostContext>(welcome?.context ?? { variables: {} })
  const [greeted, setGreeted] = useState(welcome !== undefined)
  const latest = useRef(state)
  latest.current = state

  const stage = useMemo<EffectTarget>(() => ({ host, dispatch, now, current: () => latest.current }), [host, now])

  // Not in an effect: what has arrived by now belongs to what is drawn first.
  const [unlisten] = useState(() =>
    host.listen({
      onToolResult: (result) => dispatch({ type: 'result', reading: readResult(result), now: now() }),
      onToolCancelled: (reason) => dispatch({ type: 'interrupted', reason }),
      onContextChanged: setContext,
    }),
  )
  useLayoutEffect(() => {
    const greet = async (): Promise<void> => {
      const answer = await host.initialize()
      setContext(answer.context)
      setGreeted(true)
      dispatch({ type: 'welcome', tools: answer.serverTools })
    }
    if (!greeted) void greet()
    return unlisten
  }, [])

  useTheme(context)
  useSize(host, greeted)
  useEffectsOf(stage, state)

  const locale = readerLocale(context.locale, navigator.language)
  const { view, tools } = state
  // A card is in one language: that of its tool's words.
  const language = (view.kind === 'card' && view.card.language) || 'en'
  useLayoutEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
  }, [language])

  const ticket = tools && view.kind === 'card' && openPhases.has(view.phase.at) ? view.card.plan?.ticket : undefined
  const plan = view.kind === 'card' ? view.card.plan : undefined
  const reader = useMemo<Reader>(
    () => ({
      words: wordsOf(language),
      language,
      locale,
      timeZone: context.timeZone,
      openLink: (url) => void openLink(stage, url),
      readList: ticket ? listReader(host, ticket) : undefined,
    }),
    [context, stage, ticket, language],
  )

  return (
    <Sheet
      state={state}
      reader={reader}
      now={now}
      act={{
        confirm: () => dispatch({ type: 'confirm', now: now() }),
        cancel: () => dispatch({ type: 'cancel' }),
        stop: () => void (plan && stop(stage, plan)),
        again: () => dispatch({ type: 'again', now: now() }),
        copy: (text) => void copy(stage, text),
        perform: (action) => void perform(stage, action.steps),
        aside: (aside) => dispatch({ type: 'aside', aside }),
        revise: (to) => dispatch({ type: 'revise', to }),
        check: async (draft) => plan && revise(stage, plan, draft, false),
        send: async (draft) => plan && sendRevision(stage, plan, draft),
      }}
    />
  )
}
