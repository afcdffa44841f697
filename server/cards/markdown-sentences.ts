// A sentence of Markdown in the two marks that sentences of a card have: `identifiers` and **weight**. Emphasis of several words
// is left out, because it says nothing that the words do not. Around one word its marks stay, because they may be a part of a
// name (`*tmp*`, `_drafts_`), and so do asterisks that may mean something else (`src/*.ts`, `2*3*4`): in identifiers, because a
// chat that renders Markdown would take them off. What is struck out keeps its marks, because it says the contrary of the words.
import type { MarkedToken, Token } from 'marked'
import { comesAlive, emphatic, identifier, together, trimmed, type Look, type Run } from './alive.ts'
import { isChoice, isEmphasis, isName, near, nothingAround, type Around } from './markdown-emphasis.ts'
import { unmarked } from './unmarked.ts'

/** A sentence of Markdown with the marks of a card, on one line but for breaks that were meant. */
export const sentenceOf = (tokens: readonly Token[]): string => sentence(allRuns(tokens, undefined, nothingAround))

/** The same with weight, but for what is an identifier. */
export const headingOf = (tokens: readonly Token[]): string => sentence(allRuns(tokens, 'strong', nothingAround))

/** Stretches of text with the marks of a card. */
export function sentence(runs: readonly Run[]): string {
  const said = withoutOpeners(
    trimmed(
      together(held(together(runs)))
        .map(marked)
        .join(''),
    ),
  )
  if (!comesAlive(said.replace(/`[^`\n]+`/g, '``'))) return said
  // Only beside each other do its stretches make something.
  const whole = runs.map(([text]) => text).join('')
  return trimmed(whole).split('\n').map(identifier).join('\n')
}

/**
 * What opens a block of Markdown where it begins a line, or makes a heading or a table of the line before. A fence would take
 * all that follows. The blocks of a text are read by then, so that it was escaped, or stands for something else.
 */
const opener = /(?<![^\n])([ \t]*)([-=|:*_][-=|:*_ \t]*(?![^\n])|(?:\d{1,9}[.)]|[-+*]|#{1,6})(?![^ \t\n])|>+|~{3,})/g

/** The address of a reference, which no chat shows, may end within an identifier. A box to tick is none. */
const definition = /(?<![^\n])([ \t]*)(\[)(?![ xX]\] )/g

function withoutOpeners(said: string): string {
  const inert = (_found: string, blanks: string, mark: string): string => `${blanks}${identifier(mark)}`
  const text = said.replace(opener, inert)
  return text.includes(']:') ? text.replace(definition, inert) : text
}

/** Whether a text without marks of its own would be another one where it stands in a chat. */
export const isAltered = (text: string): boolean => comesAlive(text) || emphatic.test(text)

/** Words that would come alive, or lose characters, as identifiers; all that makes them do so stands within a word. */
const held = (runs: readonly Run[]): readonly Run[] =>
  runs.flatMap(([text, as]): readonly Run[] =>
    as === 'code' || !isAltered(text)
      ? [[text, as]]
      : together(text.split(/([ \t\n]+)/).flatMap((word): readonly Run[] => heldWord(word, as))),
  )

/** Without what stands around a word in a sentence: quotation marks, brackets, its end, and what strikes it out. */
function heldWord(word: string, as: Look): readonly Run[] {
  if (comesAlive(word)) return [[word, 'code']]
  if (!emphatic.test(word)) return [[word, as]]
  const open = /^[~"'“„«]*/.exec(word)?.[0].length ?? 0
  let close = word.length
  while (close > open && ends.includes(word[close - 1] ?? '')) close--
  const pair = /^\([^()]*\)$/.test(word.slice(open, close)) ? 1 : 0
  return [
    [word.slice(0, open + pair), as],
    [word.slice(open + pair, close - pair), 'code'],
    [word.slice(close - pair), as],
  ]
}
const ends = '.,:;!?~"\'”»'

function marked([text, as]: Run, at: number, all: readonly Run[]): string {
  const words = trimmed(text)
  if (as === 'code' && words !== '') return text.split('\n').map(identifier).join('\n')
  if (as === 'strong' && words !== '') {
    const [before = '', after = ''] = text.split(words)
    const inside = oneLine(words).replaceAll('*', '∗').replaceAll('`', 'ˋ').replace(/\\$/, '∖')
    return `${before}**${inside}**${after}`
  }
  // A backslash right before a mark would free what is in it, and an asterisk be read as one more of it.
  const plain = unmarked(text)
  const begun = all[at - 1]?.[1] === 'strong' ? plain.replace(/^\*/, '∗') : plain
  const next = all[at + 1]?.[1]
  const ended = next === undefined ? begun : begun.replace(/\\$/, '∖')
  return next === 'strong' ? ended.replace(/\*$/, '∗') : ended
}

/** The same without any marks, for cells and labels. */
export const plainText = (tokens: readonly Token[]): string =>
  trimmed(
    oneLine(
      allRuns(tokens, undefined, nothingAround)
        .map(([text]) => text)
        .join(''),
    ),
  )

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

function allRuns(tokens: readonly Token[], as: Look, around: Around): readonly Run[] {
  const before = (at: number): string =>
    at === 0 ? around.before : (tokens[at - 1]?.raw ?? '').slice(-near).padStart(near, around.before.slice(-near))
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]
    if (token.type === 'strong' && isChoice(tokens, at, around))
      return allRuns(token.tokens ?? [], 'strong', nothingAround)
    return runsOf(token, as, { before: before(at), after: next === undefined ? around.after : next.raw.slice(0, near) })
  })
}

function runsOf(given: Token, as: Look, around: Around): readonly Run[] {
  const token = given as MarkedToken
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? allRuns(token.tokens, as, around)
        : [[words(token.raw), as]]
    case 'escape':
      return [[token.text, as]]
    case 'strong':
    case 'em': {
      const { raw, type, tokens } = token
      if (isName(raw)) return [[raw, as]]
      if (isEmphasis(token, around)) return allRuns(tokens, type === 'strong' ? 'strong' : as, around)
      const mark = raw.slice(0, type === 'strong' ? 2 : 1)
      return [[mark, as], ...allRuns(tokens, as, { before: mark, after: mark }), [mark, as]]
    }
    case 'del': {
      const mark = /^~+/.exec(token.raw)?.[0] ?? ''
      return [[mark, as], ...allRuns(token.tokens, as, nothingAround), [mark, as]]
    }
    case 'codespan':
      return [[token.text, 'code']]
    case 'br':
      return [['\n', as]]
    case 'link': {
      const { raw, href, title, tokens } = token
      if (raw.startsWith('<') || raw === token.text) return [[token.text, 'code']]
      if (!hasAddress(raw, href)) return [[raw, 'code']]
      return [...allRuns(tokens, as, nothingAround), ...addressOf(href, title)]
    }
    case 'image': {
      const { raw, href, title, text } = token
      if (!hasAddress(raw, href)) return [[raw, 'code']]
      return [[oneLine(text), as], ...addressOf(href, title)]
    }
    case 'html':
    case 'def':
      return asWritten(token.raw)
    default:
      // Boxes to tick.
      return [[words(token.raw), as]]
  }
}

/** Each of its lines as an identifier, so that nobody takes it for words. */
const asWritten = (raw: string): readonly Run[] =>
  trimmed(raw)
    .split('\n')
    .flatMap((line, at): readonly Run[] => [
      [at === 0 ? '' : '\n', undefined],
      [line, 'code'],
    ])

/** Whether a link has its address with it. One that stands somewhere else is written as it is: both its places are seen. */
export const hasAddress = (raw: string, href: string): boolean =>
  href !== '' && raw.endsWith(')') && raw.includes(`(${href}`)

/** Where something leads, in full. */
const addressOf = (href: string, title: string | null | undefined): readonly Run[] => [
  [' (', undefined],
  [href.replaceAll('`', '%60'), 'code'],
  [title ? ` "${oneLine(title)}")` : ')', undefined],
]

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five names that every writer of HTML uses; what other references stand for might not be what somebody should read. */
const words = (raw: string): string =>
  raw.replace(/\n/g, ' ').replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => named[name] ?? '')
