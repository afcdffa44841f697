// A sheet that one signs, always in the same order: what, on what, how risky; what changes and what follows from it; who
// says why; the decision. It gets a state and hands up what the person did, and keeps nothing itself but where the
// focus was.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import { Pill } from '../parts/buttons.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { formatSentence } from '../parts/format.ts'
import { Prose, Quote } from '../parts/marked.tsx'
import type { Reader } from '../parts/reader.ts'
import { Progress } from '../parts/steps.tsx'
import type { Words } from '../parts/words.ts'
import type { Card, CardAction } from '../../server/model/card.ts'
import { Blocks, Subline } from './blocks.tsx'
import type { Draft } from './effects.ts'
import { Foot, type FootProps } from './foot.tsx'
import { type PlanPhase, messageOf } from './plan-phase.ts'
import type { Revised } from './read-card.ts'
import { Revision, useRevision } from './revision.tsx'
import { Plain, Bare } from './plain.tsx'
import { InlineMarkup, withoutMarkup } from './inline-markup.tsx'
import { statusTextOf, type StatusText } from './status-text.ts'
import type { Answered, Aside, State } from './state.ts'
import { useUnread } from './unread.ts'

/** What a person can do with a card. */
interface Acts {
  confirm(): void
  cancel(): void
  again(): void
  /** Asks the running call to end. */
  stop(): void
  copy(text: string): void
  perform(action: CardAction): void
  aside(aside: Aside): void
  revise(to: State['revising']): void
  check(draft: Draft): Promise<Revised | undefined>
  send(draft: Draft): Promise<Revised | undefined>
}

export interface SheetProps {
  readonly state: State
  readonly reader: Reader
  readonly now: () => number
  readonly act: Acts
}

const Head = ({ card, status, reader }: { card: Card; status: StatusText; reader: Reader }): VNode => (
  <header>
    <h1 id="title" tabIndex={-1}>
      <Prose text={card.title} reader={reader} />
    </h1>
    <Pill tone={status.tone}>{status.pill}</Pill>
    <Subline card={card} reader={reader} />
  </header>
)

/** The message to take to the chat by hand, where the host would not. */
const byHand = (card: Card, phase: PlanPhase): string | undefined => {
  if (phase.at === 'refused') return messageOf(card, 'confirm')
  if (phase.at === 'cancelled' && phase.messageAnswer === 'refused' && !phase.revoked) return messageOf(card, 'cancel')
  return undefined
}

const CardSheet = ({ view, state, status, ...rest }: Omit<FootProps, 'unread' | 'revision'>): VNode => {
  const { reader } = rest
  const { words } = reader
  const inside = useRef<HTMLDivElement>(null)
  const unread = useUnread(inside)
  const { card, phase } = view
  const message = byHand(card, phase)
  // The clock ticks each second; what the card says does not change with it.
  const body = useMemo(() => <Blocks card={card} reader={reader} />, [card, reader])
  const revision = useRevision(state, view, rest.act, reader)
  const reason = phase.at === 'refused' || phase.at === 'cancelled' ? phase.reason : undefined
  return (
    <>
      <Head card={card} status={status} reader={reader} />
      <div class={revision ? 'body revising' : 'body'} ref={inside}>
        {status.note && (
          <Note tone={status.note.tone} sign={status.note.sign} alert={status.note.alert ?? false}>
            <InlineMarkup note={words[status.note.name]} />
            {reason && <Quote class="reason" text={reason} reader={reader} />}
          </Note>
        )}
        {phase.at === 'applying' && phase.progress && <Progress block={phase.progress} reader={reader} quoted />}
        {message !== undefined && <Copyable text={message} label={words.$message} selected={false} reader={reader} />}
        {revision && <Revision {...revision} reader={reader} />}
        {status.fold ? (
          <details class="fold">
            <summary>{words[status.fold]}</summary>
            <div class="body">{body}</div>
          </details>
        ) : (
          body
        )}
        {state.answered && <AnsweredRow {...state.answered} reader={reader} />}
        <AsideRow aside={state.aside} reader={reader} />
      </div>
      <Foot {...rest} state={state} view={view} status={status} unread={unread} revision={revision} />
    </>
  )
}

const AnsweredRow = ({ text, answer, reader }: Answered & { reader: Reader }): VNode => {
  const { words } = reader
  return answer.kind === 'refused' ? (
    <>
      <Note tone="warning" sign="!" alert>
        <InlineMarkup note={words.$nRefused} />
      </Note>
      <Copyable text={text} label={words.$message} selected={false} reader={reader} />
    </>
  ) : (
    <Note tone="plain" sign="↵">
      <InlineMarkup note={`${words.$sent}. ${words.$nSent}`} />
    </Note>
  )
}

const AsideRow = ({ aside, reader }: { aside: Aside; reader: Reader }): VNode | null => {
  const { words } = reader
  switch (aside.kind) {
    case 'uncopied':
      return <Copyable text={aside.text} label={words.$message} selected reader={reader} />
    case 'unopened':
      return (
        <>
          <Note tone="warning" sign="!" alert>
            <InlineMarkup note={words.$nUnopened} />
          </Note>
          <Copyable text={aside.url} label={words.$address} selected={false} reader={reader} />
        </>
      )
    default:
      return null
  }
}

/** When what had the focus is gone, the title gets it: a keyboard must not start again from the top of the chat. */
const useKeptFocus = (moment: string): ((event: FocusEvent) => void) => {
  const last = useRef<EventTarget | null>(null)
  useLayoutEffect(() => {
    const held = last.current
    // Never from elsewhere: who has left the card for the chat is not called back.
    const lost = held instanceof HTMLElement && !held.isConnected && document.hasFocus()
    if (lost && (document.activeElement === null || document.activeElement === document.body)) {
      document.getElementById('title')?.focus({ preventScroll: true })
    }
  }, [moment])
  return (event) => {
    last.current = event.target
  }
}

const asideSpoken = ({ aside, answered }: State, words: Words): string => {
  switch (aside.kind) {
    case 'copied':
      return words.$copied
    case 'enter':
      return words.$enterNot
    case 'toast':
      return aside.text
    case 'answered':
      return answered?.answer.kind === 'refused' ? '' : words.$sent
    default:
      return ''
  }
}

export const Sheet = (props: SheetProps): VNode => {
  const { state, reader } = props
  const { words } = reader
  const { view } = state
  const status = view.kind === 'card' ? statusTextOf(view.card, view.phase, reader) : undefined
  const note = status?.note && !status.note.alert ? words[status.note.name] : ''
  const moment =
    view.kind === 'card' && status
      ? `${formatSentence(view.card.title, reader)}. ${status.pill}. ${withoutMarkup(note)}`.trim()
      : ''
  const aside = asideSpoken(state, words)

  // A live region speaks only of what changes while it is on the page.
  const [spoken, speak] = useState('')
  useEffect(() => speak(moment), [moment])
  useEffect(() => {
    if (aside) speak(aside)
  }, [aside, state.aside])

  const onFocus = useKeptFocus(moment + state.revising)
  let content: ComponentChildren
  if (view.kind === 'card' && status) content = <CardSheet {...props} view={view} status={status} speak={speak} />
  else if (view.kind === 'plain') content = <Plain result={view.result} {...props} />
  else content = <Bare view={view} reader={reader} />

  return (
    <main class="card" aria-labelledby="title" onFocusCapture={onFocus}>
      {content}
      <p class="sr" role="status" aria-live="polite">
        {spoken}
      </p>
    </main>
  )
}
