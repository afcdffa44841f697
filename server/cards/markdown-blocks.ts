// Markdown for a card. It is read here, and becomes blocks that every view has: the view stays small, and no element of a page
// is made of what somebody wrote. What Markdown hides from a reader is shown: where a link leads, HTML as it is written, a
// picture by its words and its address. What would take long, or lose a part, is shown as it was written (ADR 98).
import { createRequire } from 'node:module'
import type * as Marked from 'marked'
import type { Token, Tokens } from 'marked'
import type { InnerBlock } from '../model/card.ts'
import { trimmed } from './alive.ts'
import { markdownSchema } from './block-parts.schema.ts'
import { CardError } from './builders.ts'
import { headingOf, isAltered, plainText, sentence, sentenceOf } from './markdown-sentences.ts'
import { isTooWide, tableOf, unread } from './markdown-tables.ts'

/** Characters, blocks, and cells of a table: more than these nobody reads on a card. */
const longest = 20_000
const mostBlocks = 24
const mostCells = 4_000
/** Characters of what it becomes: the marks of quotations in quotations can make much of a short source. */
const longestShown = 2 * longest

/** The lexer takes the square of these for a single sentence, so a longer one keeps its marks. */
const longestSentence = 4_000
const mostMarks = 200

/**
 * Nine quotations or lists one in another, begun on one line: the lexer calls itself for each. A line that divides is none.
 * Lines are those of the lexer: `^` and `$` would see an end at U+2028, too.
 */
const tooDeep = /(?<![^\n])(?!([-*_])(?:[ \t]|\1)*(?![^\n]))(?:[ \t]{0,80}(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){9}/

/** What `marked` is asked for; it is loaded by the first text, because not every program has one. */
type Library = typeof Marked
let library: Library | undefined
const marked = (): Library => (library ??= createRequire(import.meta.url)('marked') as Library)

/**
 * A text in Markdown as blocks for a card: paragraphs, headings, lists and quotations as `text`, code as `code`, tables as
 * `table`. Nothing of it reaches a network, and what is longer than 20,000 characters is one `code` block, as it is written.
 * @throws {CardError} where it is no text.
 */
export function markdownBlocks(text: string): InnerBlock[] {
  const [problem] = markdownSchema.safeParse(text).error?.issues ?? []
  if (problem !== undefined)
    throw new CardError(
      `This Markdown cannot be shown: it ${problem.message}. Call markdownBlocks(text), and leave its blocks out where there is no text.`,
    )
  const source = text.replace(/\r\n?/g, '\n')
  const asWritten: InnerBlock[] = [{ kind: 'code', text, language: 'markdown' }]
  if (source.length > longest || tooDeep.test(source) || isTooWide(source)) return asWritten
  const tokens = tokensOf(source)
  if (tokens === undefined) return asWritten
  const blocks = joined([...partsOf(tokens, { quote: '', allQuotes: '', depth: 0 })])
  const shown = blocks.reduce((length, block) => length + (block.kind === 'text' ? block.text.length : 0), 0)
  const cells = blocks.reduce((all, block) => all + (block.kind === 'table' ? cellsOf(block) : 0), 0)
  if (blocks.length > mostBlocks || shown > longestShown || cells > mostCells) return asWritten
  // The lexer takes some off at the end of a list in a quotation.
  return unusual(JSON.stringify(blocks)).length === unusual(JSON.stringify(source)).length ? blocks : asWritten
}

const cellsOf = ({ columns, rows }: Extract<InnerBlock, { kind: 'table' }>): number =>
  columns.length * (1 + rows.length)

/** Nothing where the lexer has no room left to call itself: a card must not fail for what `tooDeep` does not know. */
function tokensOf(source: string): readonly Token[] | undefined {
  try {
    return lexed(source)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function lexed(source: string): readonly Token[] {
  const { Lexer } = marked()
  const lexer = new Lexer({ gfm: true })
  lexer.blockTokens(source, lexer.tokens)
  for (const { src, tokens } of lexer.inlineQueue) {
    const isQuick = src.length <= longestSentence && (src.match(/[*_~]/g) ?? []).length <= mostMarks
    if (isQuick) lexer.inlineTokens(src, tokens)
    else tokens.push({ type: unread, raw: src, text: src })
  }
  return lexer.tokens
}

/** A line of a text. `close`: right below the line before, as one item of a list below another. */
interface Line {
  readonly kind: 'line'
  readonly text: string
  readonly close: boolean
}
/** Where a text ends and another begins. */
interface Rule {
  readonly kind: 'rule'
}
/** A heading may be the label of what follows. */
interface Heading {
  readonly kind: 'heading'
  readonly text: string
}
type Part = Line | Rule | Heading | InnerBlock

/** Where something stands: the marks of the quotations around it, and how many lists. */
interface Place {
  /** Of those within the list that it stands in: the list's lines get the others. */
  readonly quote: string
  readonly allQuotes: string
  readonly depth: number
}

/** With the marks of quotations before each of its lines. */
const quoted = (text: string, marks: string): string => (marks === '' ? text : text.replaceAll(/(?<![^\n])/g, marks))

/** Its parts in their order. */
function* partsOf(tokens: readonly Token[], place: Place): Generator<Part> {
  const line = (text: string): Line => ({
    kind: 'line',
    text: quoted(text, place.quote),
    close: false,
  })
  for (const given of tokens) {
    const token = given as Tokens.Generic
    if (token.tokens?.[0]?.type === unread) {
      yield written(token.raw, place)
      continue
    }
    switch (token.type) {
      case 'space':
        break
      case 'hr':
        yield { kind: 'rule' }
        break
      case 'heading': {
        // The lexer takes blanks off that somebody has meant, and what cannot be seen.
        if (unusual(token.raw) !== unusual(token.text ?? '')) {
          yield written(token.raw, place)
          break
        }
        const heading = plainText(token.tokens ?? [])
        if (heading === '') break
        if (place.allQuotes === '' && place.depth === 0 && !isAltered(heading)) yield { kind: 'heading', text: heading }
        else yield line(headingOf(token.tokens ?? []))
        break
      }
      case 'paragraph':
      case 'text':
        yield line(token.tokens === undefined ? sentence([[token.raw, undefined]]) : sentenceOf(token.tokens))
        break
      case 'blockquote':
        yield* partsOf(token.tokens ?? [], {
          ...place,
          quote: `${place.quote}> `,
          allQuotes: `${place.allQuotes}> `,
        })
        break
      case 'list':
        for (const item of (token as Tokens.List).items) yield* itemOf(item, token as Tokens.List, place)
        break
      case 'code':
        yield* codeOf(token as Tokens.Code, place, line)
        break
      case 'table':
        yield (place.allQuotes === '' ? tableOf(token as Tokens.Table) : undefined) ?? written(token.raw, place)
        break
      default:
        // HTML, boxes to tick, addresses that references lead to.
        yield line(sentenceOf([token]))
    }
  }
}

/**
 * An item begins a line; its other paragraphs follow on that line, because an item of a card has one. Quotations do not: behind
 * words their mark would compare.
 */
function* itemOf(item: Tokens.ListItem, list: Tokens.List, place: Place): Generator<Part> {
  // With the number that its author gave it.
  const number = list.ordered ? `${/^\s*(\d{1,9}[.)])/.exec(item.raw)?.[1] ?? ''} ` : ''
  const begin = place.depth === 0 ? number || '- ' : `- ${'– '.repeat(place.depth)}${number}`
  let words: string[] = []
  let isFirst = true
  const said = (): Line => {
    const text = `${place.quote}${isFirst ? begin : ''}${words.join(' ')}`
    const close = isFirst && (place.depth > 0 || item !== list.items[0])
    isFirst = false
    words = []
    return { kind: 'line', text, close }
  }
  for (const part of partsOf(item.tokens, { ...place, quote: '', depth: place.depth + 1 })) {
    const isQuoted = part.kind === 'line' && part.text.startsWith('> ') && !(isFirst && words.length === 0)
    if (part.kind === 'line' && !part.close && !isQuoted) words.push(part.text.replaceAll('\n', ' '))
    else {
      if (isFirst || words.length > 0) yield said()
      yield part.kind === 'line' ? { ...part, text: quoted(part.text, place.quote) } : part
    }
  }
  if (isFirst || words.length > 0) yield said()
}

/** Something as it is written, where the lexer or a block would leave out a part of it, as that it is quoted. */
const written = (raw: string, { allQuotes }: Place): InnerBlock => ({
  kind: 'code',
  text: quoted(trimmed(raw), allQuotes),
  language: 'markdown',
})

function* codeOf(token: Tokens.Code, place: Place, line: (text: string) => Line): Generator<Part> {
  const { raw, text, lang = '' } = token
  if (place.allQuotes !== '' || unusual(raw) !== unusual(lang + text)) {
    yield written(raw, place)
    return
  }
  const isLanguage = /^[\w+#.-]{1,30}$/.test(lang)
  // A label has no marks that would hold what a chat makes something of.
  const isLine = !isLanguage && isAltered(lang)
  if (isLine) yield line(sentence([[lang, 'code']]))
  yield { kind: 'code', text, ...(lang === '' || isLine ? {} : isLanguage ? { language: lang } : { label: lang }) }
}

/** The blanks that are none of Markdown's. */
const unusual = (text: string): string => text.replace(/[^\s\uFEFF]|[ \t\n]/g, '')

/** Lines that follow each other are one text; a heading right before a table is its label. */
function joined(parts: readonly Part[]): InnerBlock[] {
  const blocks: InnerBlock[] = []
  let text = ''
  const flush = (): void => {
    const shown = trimmed(text)
    if (shown !== '') blocks.push({ kind: 'text', text: shown })
    text = ''
  }
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1]
    switch (part.kind) {
      case 'line':
        text += `${text === '' ? '' : part.close ? '\n' : '\n\n'}${part.text}`
        break
      case 'heading':
        if (next?.kind !== 'table') text += `${text === '' ? '' : '\n\n'}${sentence([[part.text, 'strong']])}`
        break
      case 'rule':
        flush()
        break
      default: {
        flush()
        const before = parts[at - 1]
        blocks.push(part.kind === 'table' && before?.kind === 'heading' ? { ...part, label: before.text } : part)
      }
    }
  }
  flush()
  return blocks
}
