// The decision. Confirm is never the default of Enter, never focused by itself, takes only a person's own click, and
// only after the card has been in sight for a moment, so that nothing that jumps under a pointer can be signed by it.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/buttons.tsx'
import { clock, elapsed, useNow } from '../parts/countdown.ts'
import { formatAgo } from '../parts/format.ts'
import { Label, Marked } from '../parts/marked.tsx'
import { Phrase } from '../parts/phrase.tsx'
import { fill, type Words } from '../parts/words.ts'
import type { Card, CardAction } from '../../server/model/card.ts'
import { plainSentence } from '../../server/cards/figures.ts'
import { useArmed } from './armed.ts'
import { actionOf, type PlanPhase, messageOf, openPhases } from './plan-phase.ts'
import type { Changing } from './revision.tsx'
import type { SheetProps } from './sheet.tsx'
import type { StatusText } from './status-text.ts'
import { canCancel, canConfirm, type View } from './state.ts'

const AGAIN_AFTER = 15_000
const SILENT = 30_000

/** What others said can begin no line of its own in a report. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 500)

/** What an error card is worth in a report: its own words, codes and identifiers. */
const detailsOf = (card: Card): string => {
  const rows = card.blocks.flatMap((block) => {
    if (block.kind === 'alert') return [[block.title, block.text].filter(Boolean).join(' ')]
    if (block.kind === 'fields')
      return block.fields.flatMap(({ label, value }) => ('text' in value ? [`${label}: ${oneLine(value.text)}`] : []))
    return block.kind === 'text' ? [block.text] : []
  })
  const facts = { tool: card.tool, code: card.code, plan: card.plan_id, at: card.at }
  const known = Object.entries(facts).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return [card.title, card.subtitle, ...rows, ...known]
    .filter(Boolean)
    .map((row) => plainSentence(row ?? ''))
    .join('\n')
}

const sends = (action: CardAction): boolean => action.steps.some((step) => step.do === 'SendMessage')
const copies = (action: CardAction): boolean => action.steps.some((step) => step.do === 'CopyText')

/** A new preview helps where the old one came to nothing. Elsewhere a second message would only confuse the first. */
const mayStartOver = (phase: PlanPhase): boolean => startOver.has(phase.at) || (phase.at === 'sent' && phase.lapsed)

const startOver: ReadonlySet<PlanPhase['at']> = new Set([
  'shown',
  'blocked',
  'expired',
  'cancelled',
  'superseded',
  'stale',
  'failed',
])

/** What every server says alike is said in the reader's language. */
const labelOf = (label: string, words: Words): string =>
  label === 'Cancel' ? words.$cancel : label === 'Preview again' ? words.$previewAgain : label

export type FootProps = SheetProps & {
  readonly view: Extract<View, { kind: 'card' }>
  readonly status: StatusText
  readonly speak: (text: string) => void
  /** Something that will be applied has not been opened or scrolled through. */
  readonly unread: boolean
  /** What is being changed, if anything. */
  readonly revision: Changing | undefined
}

/** What stands at the left of the foot: something said in passing, a clock, or where things stand. */
const whenOf = ({ state, view, status, reader }: FootProps, time: number): string => {
  const { aside } = state
  const { words, language } = reader
  const { phase, until } = view
  if (aside.kind === 'enter') return words.$enterNot
  if (aside.kind === 'copied') return words.$copied
  if (aside.kind === 'toast') return aside.text
  if (status.foot === 'since') {
    return fill(
      words.$sentAgo,
      formatAgo(phase.at === 'sent' ? Math.max(0, Math.floor((time - phase.since) / 1_000)) : 0, language),
    )
  }
  if (status.foot === 'running')
    // What nobody has heard of for half a minute may have ended.
    return phase.at !== 'applying' || time - (phase.heard ?? 0) > SILENT
      ? words.$noAnswer
      : fill(words.$runningFor, elapsed(time - (phase.since ?? time)))
  if (status.foot === 'countdown') return until === undefined ? '' : fill(words.$validFor, clock(until - time))
  return status.foot.text
}

export const Foot = (props: FootProps): VNode => {
  const { state, view, status, reader, now, act, speak, unread, revision } = props
  const { words } = reader
  const { card, phase } = view
  const row = useRef<HTMLElement>(null)
  const armed = useArmed(row, !revision)
  const time = useNow(now)
  const when = whenOf(props, time)
  const more = typeof status.foot === 'object' && status.foot.text === when ? status.foot.more : undefined
  const soon = status.foot === 'countdown' && view.until !== undefined && view.until - time < 60_000

  useEffect(() => {
    if (soon) speak(words.$lastMinute)
  }, [soon])

  const confirm = actionOf(card, 'confirm')
  const deciding = openPhases.has(phase.at) && phase.at !== 'sent' && !revision
  const changeable = card.edits && canConfirm(view) && !revision
  const [typed, type] = useState('')
  const phrase = confirm && deciding && card.plan ? card.confirm_phrase : undefined
  const live = canConfirm(view) && !unread && (phrase === undefined || typed.trim() === phrase)
  const { aside } = state
  const { answered } = state
  const asked = answered && answered.answer.kind !== 'refused' ? answered.text : undefined
  const message = phase.at === 'sent' && !phase.lapsed ? messageOf(card, 'confirm') : asked
  const canSendAgain =
    phase.at === 'sent' && !phase.lapsed && (phase.heard !== 'accepted' || time - phase.since >= AGAIN_AFTER)
  const others = card.actions.filter((action) => action.role === 'other' && (mayStartOver(phase) || !sends(action)))
  const details = card.kind === 'error' && !others.some(copies) ? detailsOf(card) : undefined

  return (
    <footer ref={row}>
      {phrase !== undefined && (
        <Phrase
          sentence={words.$typeIt}
          phrase={phrase}
          typed={typed}
          disabled={phase.at === 'pending'}
          onType={type}
        />
      )}
      {unread && confirm && deciding && <p class="unread">{words.$openFirst}</p>}
      {changeable && state.tools === false && <p class="unread">{words.$noRevise}</p>}
      {more ? (
        <details class="when">
          <summary>
            <Label text={when} reader={reader} />
          </summary>
          <Marked text={more} reader={reader} />
        </details>
      ) : (
        <span class={`when${soon ? ' soon' : ''}${when === card.code ? ' code' : ''}`}>
          {when && <Marked text={when} reader={reader} />}
        </span>
      )}
      {details !== undefined && (
        <Button tone="quiet" onPress={() => act.copy(details)}>
          {words.$copyDetails}
        </Button>
      )}
      {message !== undefined && (
        <Button tone="quiet" onPress={() => act.copy(message)}>
          {words.$copyMessage}
        </Button>
      )}
      {others.map((action) => (
        <Button tone={action.tone} disabled={aside.kind === 'sending'} onPress={() => act.perform(action)}>
          <Label text={labelOf(action.label, words)} reader={reader} />
        </Button>
      ))}
      {changeable && state.tools && (
        <Button tone="plain" onPress={() => act.revise('open')}>
          {words.$revise}
        </Button>
      )}
      {revision && (
        <>
          <Button tone="plain" disabled={revision.sending} onPress={() => act.revise(undefined)}>
            {words.$back}
          </Button>
          <Button tone="go" disabled={!revision.ready} onPress={() => revision.send()}>
            {words.$previewChanges}
          </Button>
        </>
      )}
      {canCancel(view) && !revision && (
        <Button
          tone={phase.at === 'sent' ? 'quiet' : 'plain'}
          disabled={!armed && !!card.edits}
          onPress={() => act.cancel()}
        >
          {labelOf(actionOf(card, 'cancel')?.label ?? 'Cancel', words)}
        </Button>
      )}
      {phase.at === 'applying' && phase.cancel && (
        <Button tone="plain" disabled={phase.cancel === 'asked'} onPress={() => act.stop()}>
          {words.$cancel}
        </Button>
      )}
      {canSendAgain && (
        <Button tone="plain" onPress={(event) => event.isTrusted && act.again()}>
          {words.$sendAgain}
        </Button>
      )}
      {confirm && deciding && card.plan && (
        <Button
          tone={confirm.tone}
          disabled={!live || !armed}
          keepEnter={() => act.aside({ kind: 'enter' })}
          onPress={(event) => event.isTrusted && live && armed && act.confirm()}
        >
          <Label text={confirm.label} reader={reader} />
        </Button>
      )}
    </footer>
  )
}
