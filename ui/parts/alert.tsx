// What is wrong comes first and in bold, then what it means. The sign and a hidden word carry the severity as well, so
// that it does not hang on a colour.
import type { ComponentChildren, VNode } from 'preact'
import { directionOf } from './direction.ts'
import { Prose } from './marked.tsx'
import type { Reader } from './reader.ts'

export type Severity = 'info' | 'warning' | 'danger' | 'block'

const looks = {
  info: ['i', '$note'],
  warning: ['!', '$warning'],
  danger: ['×', '$danger'],
  block: ['×', '$blocked'],
} as const

/** A row with a sign: alerts of the card, and what the card itself has to say about its state. */
export const Note = ({
  tone,
  sign,
  spoken,
  alert,
  children,
}: {
  readonly tone: Severity | 'plain' | 'ok'
  readonly sign: string
  readonly spoken?: string
  /** Interrupts a screen reader; only for what happened just now. */
  readonly alert?: boolean
  readonly children: ComponentChildren
}): VNode => (
  <div class={`note ${tone}`} role={alert ? 'alert' : undefined}>
    <span class="sign" aria-hidden="true">
      {sign}
    </span>
    <div>
      {spoken && <span class="sr">{spoken}: </span>}
      {children}
    </div>
  </div>
)

interface AlertProps {
  readonly block: { readonly severity: Severity; readonly title: string; readonly text?: string }
  readonly reader: Reader
}

export const Alert = ({ block, reader }: AlertProps): VNode => (
  <Note tone={block.severity} sign={looks[block.severity][0]} spoken={reader.words[looks[block.severity][1]]}>
    {/* Title and text are one paragraph: each in its own place, they would change places in a card of the other direction. */}
    <bdi dir={directionOf(`${block.title} ${block.text ?? ''}`)}>
      <b>
        <Prose text={block.title} reader={reader} />
      </b>{' '}
      {block.text && <Prose text={block.text} reader={reader} lines />}
    </bdi>
  </Note>
)
