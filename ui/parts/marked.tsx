// A right-to-left override can make "exe.gpj" read as a picture, and a zero-width character can make two names look
// alike. Whatever cannot be seen is therefore shown as a small tag with its code point, and every run of data is a text
// node in an isolated direction, so that it can neither become markup nor turn the words around it.
import type { ComponentChildren, VNode } from 'preact'
import { figuresIn } from '../../server/cards/figures.ts'
import { directionOf } from './direction.ts'
import { formatFigure } from './format.ts'
import type { Reader } from './reader.ts'
import { fill } from './words.ts'

// Controls, formats (bidi, zero width, tags), lone surrogates, private use, line separators, and letters that draw
// nothing: fillers, blanks, variation selectors. The server has the same two sets (`server/cards/invisible-characters.ts`).
export const unseen = /[\p{DI}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]/u

// What joins or colours an emoji is part of its picture and stays: otherwise every family would be a row of tags.
export const pictures = '\\p{RGI_Emoji}'

// All in a picture that cannot be seen (UTS 51: joiner, variation selector, tags). A text without it loses nothing where
// pictures are not looked for, and to read the list of them takes a browser 0.1 s, on a phone 0.4 s.
const inPictures = /\u200D|\uFE0F|[\u{E0020}-\u{E007F}]/u

// Letters that look like Latin ones: Cyrillic, Armenian, Cherokee, some of Greek. In a word with Latin letters they are
// no language but a disguise. Letters that only mathematics uses, and full-width ones, are Latin in another dress.
const foreign =
  '[\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Cherokee}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳοανρυικηγ\u{1D400}-\u{1D7CB}Ａ-Ｚａ-ｚ]'
const word = '[\\p{L}\\p{M}\\p{N}_.\\-]*'
const disguised = `(?<=[A-Za-zÀ-ʯ]${word})${foreign}|${foreign}(?=${word}[A-Za-zÀ-ʯ])`

const lazily = (stays: string): (() => RegExp) => {
  let made: RegExp | undefined
  return () => (made ??= new RegExp(`\\r\\n|(${stays})|${unseen.source}|(${disguised})`, 'gv'))
}
const piecesAroundPictures = lazily(pictures)
const piecesWithoutPictures = lazily('[]')

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

interface MarkedProps {
  readonly text: string
  readonly reader: Reader
  /** Where line breaks and tabs are layout that its author meant; elsewhere they are marked like the rest. */
  readonly lines?: boolean
  /** A figure: its digits are equally wide. */
  readonly fig?: boolean
  /** Where it does not follow from the text: code is read from the left. */
  readonly dir?: 'ltr' | undefined
  /** How parts of it look, counted from `from` units before it on. */
  readonly spans?: readonly Span[]
  readonly from?: number
}

/** What a stretch of a text is. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly as: string
}

/** A run of text with its spans; all of it is shown once, whatever the spans say. */
const tinted = (text: string, start: number, spans: readonly Span[]): ComponentChildren => {
  const out: ComponentChildren[] = []
  let done = 0
  for (const { from, to, as } of spans) {
    const [begin, end] = [Math.max(from - start, done), Math.min(to - start, text.length)]
    if (begin >= end) continue
    out.push(text.slice(done, begin), <span class={`t-${as}`}>{text.slice(begin, end)}</span>)
    done = end
  }
  return [...out, text.slice(done)]
}

type Part = string | { readonly code: string; readonly letter?: string }

/** Splits a text into what is shown as it is, and what is shown by its code point: in its place, or beside the letter. */
export const splitUnseen = (text: string, lines: boolean): readonly Part[] => {
  // Most of what a card shows is this, and the rest of the alphabet is costly to look through.
  if (/^[ -~]+$/.test(text)) return [text]
  const out: Part[] = []
  let from = 0
  const pieces = inPictures.test(text) ? piecesAroundPictures() : piecesWithoutPictures()
  for (const match of text.matchAll(pieces)) {
    const [piece, picture, letter] = match
    if (picture) continue
    if (lines && (piece === '\n' || piece === '\t' || piece === '\r\n')) continue
    if (match.index > from) out.push(text.slice(from, match.index))
    if (letter) out.push({ code: codeOf(letter), letter })
    else for (const character of piece) out.push({ code: codeOf(character) })
    from = match.index + piece.length
  }
  if (from < text.length) out.push(text.slice(from))
  return out
}

/** What a thing is called by, such as DESK-01 or 2026-11-28, stays on one line; a longer one may break, because it could be wider than its column. */
const whole = (text: string): ComponentChildren =>
  text.includes('-')
    ? text
        .split(/(\s+)/)
        .map((word) =>
          /-/.test(word) && /\d/.test(word) && word.length < 20 ? <span class="whole">{word}</span> : word,
        )
    : text

// Of the whole text it is asked what cannot be seen in it: a span must not part a letter from the word that it disguises.
const parts = ({ text, reader, lines = false, spans = [], from = 0 }: MarkedProps): ComponentChildren => {
  let at = from
  return splitUnseen(text, lines).map((part): ComponentChildren => {
    const start = at
    if (typeof part === 'string') {
      at += part.length
      return spans.length > 0 ? tinted(part, start, spans) : lines ? part : whole(part)
    }
    at += part.code.length > 6 ? 2 : 1
    return (
      <span class="mark" title={fill(reader.words[part.letter ? '$lookAlike' : '$mark'], part.code)}>
        {part.letter}
        {part.code}
      </span>
    )
  })
}

/**
 * Data as text, with what cannot be seen made visible. A plain function too: a table of fifty lines asks two hundred
 * times for it, and a component of its own each time would be half of what the table costs.
 */
export const marked = (props: MarkedProps): VNode => (
  <bdi class={props.fig ? 'fig' : undefined} dir={props.dir ?? directionOf(props.text)}>
    {parts(props)}
  </bdi>
)

export const Marked = marked

/** What somebody else said, word for word. */
export const Quote = ({ class: look, ...text }: MarkedProps & { readonly class?: string }): VNode => (
  <q class={look}>{marked(text)}</q>
)

/** Words of the server's own, with their figures as the fields show theirs. */
const worded = ({ text, reader, lines = false }: MarkedProps): ComponentChildren =>
  figuresIn(text).map((piece) => {
    if (typeof piece === 'string') return parts({ text: piece, reader, lines })
    const shown = <bdi class="fig">{formatFigure(piece, reader)}</bdi>
    // Before its unit, as in a field.
    return piece.kind === 'number' && piece.unit !== undefined ? [shown, '\u00A0'] : shown
  })

/** A label of the server's own, like the text of a button: without any marks for weight. */
export const Label = (props: MarkedProps): VNode => <bdi dir={directionOf(props.text)}>{worded(props)}</bdi>

/** A sentence of the server's: `identifiers` between backticks, **weight** between asterisks, and nothing else. */
export const Prose = ({ text, reader, lines = false }: MarkedProps): VNode => (
  // One direction for the whole sentence, its own: in pieces it would be read from its end in a card from the right.
  <bdi dir={directionOf(text)}>
    {text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, index) => {
      if (index % 2 === 0) return part && worded({ text: part, reader, lines })
      const isCode = part.startsWith('`')
      const inside = { text: isCode ? part.slice(1, -1) : part.slice(2, -2), reader }
      return isCode ? (
        <code>
          <bdi dir="ltr">{parts(inside)}</bdi>
        </code>
      ) : (
        <b>{worded(inside)}</b>
      )
    })}
  </bdi>
)
