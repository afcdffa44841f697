// Markdown of somebody else, laid out as lines of text with spans: no element of a page is made of it, so nothing in it can
// load, run or pass for a part of the card. What Markdown hides from a reader is shown: addresses behind their words,
// pictures, HTML and its comments as they are written. Where a character would be left out, the source itself is shown.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { hasAddress } from '../../cards/markdown-sentences.ts'
import type { CardSpan } from '../../model/card.ts'
import { runsWithin } from '../contract/deadline.ts'

/** Characters, and milliseconds: what is longer or takes longer is shown as it is written. */
const longest = 20_000
const slowest = 100
/** Characters laid out: indents of lists in lists can make more of a short source than a card holds. */
const longestShown = 2 * longest

/** A text and its looks. */
export interface SpannedText {
  readonly text: string
  readonly spans: readonly CardSpan[]
}

type Look = CardSpan['as'] | undefined
type Run = readonly [text: string, as: Look]

/** Lays a source out; nothing where that cannot be done without leaving something out. */
export function markdownSpans(source: string): SpannedText | undefined {
  if (source.length > longest) return undefined
  let laidOut: SpannedText | undefined
  const ended = runsWithin(slowest, () => {
    laidOut = joined(blocks(new Lexer({ gfm: true }).lex(source), '\n\n'))
  })
  if (!ended || laidOut === undefined || laidOut.text.length > longestShown) return undefined
  return essence(laidOut.text) === essence(source) ? laidOut : undefined
}

/** All but blanks and the marks of Markdown itself: none of it may be missing, doubled or moved. */
const essence = (text: string): string => text.replace(/[ \t\r\n#*_`~>+=|\\[\]()<"':•-]/g, '')

function joined(runs: readonly Run[]): SpannedText {
  const spans: CardSpan[] = []
  let text = ''
  for (const [piece, as] of runs) {
    if (as !== undefined && piece !== '') spans.push({ from: text.length, to: text.length + piece.length, as })
    text += piece
  }
  return { text, spans }
}

const blocks = (tokens: readonly Token[], between: string): readonly Run[] =>
  tokens
    .filter(({ type }) => type !== 'space')
    .flatMap((token, at, all): readonly Run[] => [
      // A box stands before the words of its item.
      ...(at === 0 || all[at - 1]?.type === 'checkbox' ? [] : [[between, undefined] as const]),
      ...blockOf(token),
    ])

function blockOf(given: Token): readonly Run[] {
  const token = given as MarkedToken
  switch (token.type) {
    case 'heading':
      return inline(token.tokens, 'heading')
    case 'paragraph':
      return inline(token.tokens)
    case 'text':
      return token.tokens === undefined ? [[token.raw, undefined]] : inline(token.tokens)
    case 'list':
      return token.items.flatMap((item, at): readonly Run[] => [
        ...(at === 0 ? [] : [['\n', undefined] as const]),
        ...itemOf(item, token.ordered),
      ])
    case 'blockquote':
      return [['> ', undefined], ...indented(blocks(token.tokens, '\n\n'), '> ')]
    case 'code':
      return [
        ...(token.lang === undefined || token.lang === '' ? [] : [[`${token.lang}:\n`, 'emphasis'] as const]),
        [token.text, 'code'],
      ]
    case 'checkbox':
      return [[token.raw, undefined]]
    case 'hr':
      return [[token.raw.trim(), undefined]]
    default:
      // Tables, HTML, addresses of references.
      return [[token.raw.trimEnd(), 'code']]
  }
}

/** With the number that its author gave it. */
function itemOf(item: Tokens.ListItem, isOrdered: boolean): readonly Run[] {
  const sign = isOrdered ? (/^\s*(\d+[.)])/.exec(item.raw)?.[1] ?? '') : '•'
  return [[`${sign} `, undefined], ...indented(blocks(item.tokens, '\n'), '   ')]
}

const indented = (runs: readonly Run[], by: string): readonly Run[] =>
  runs.map(([text, as]) => [text.replaceAll('\n', `\n${by}`), as] as const)

const inline = (tokens: readonly Token[], as?: Look): readonly Run[] => tokens.flatMap((token) => inlineOf(token, as))

function inlineOf(given: Token, as: Look): readonly Run[] {
  const token = given as MarkedToken
  switch (token.type) {
    case 'text':
      // As it is written: `&#104;` may stand for what nobody should read.
      return token.tokens === undefined ? [[token.raw, as]] : inline(token.tokens, as)
    case 'escape':
      return [[token.text, as]]
    case 'strong':
      return inline(token.tokens, as ?? 'strong')
    case 'em':
      return inline(token.tokens, as ?? 'emphasis')
    case 'codespan':
      return [[token.text, 'code']]
    case 'br':
      return [['\n', as]]
    case 'link': {
      const { raw, href, title, tokens } = token
      if (raw.startsWith('<') || raw === token.text) return [[token.text, as]]
      if (!hasAddress(raw, href)) return [[raw, as]]
      return [...inline(tokens, as), [` (${href}${title ? ` "${title}"` : ''})`, 'code']]
    }
    default:
      // Pictures and HTML, as they are written; what is struck out, with its marks.
      return [[token.raw, token.type === 'del' ? as : 'code']]
  }
}
