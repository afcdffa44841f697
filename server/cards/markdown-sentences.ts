// A sentence of Markdown in the two marks that sentences of a card have: `identifiers` and **weight**. Emphasis is left out,
// because it says nothing that the words do not; what is struck out keeps its marks, because it says the contrary of them.
import type { MarkedToken, Token } from 'marked'
import { unmarked } from './unmarked.ts'

type Look = 'strong' | 'code' | undefined
/** A stretch of a sentence. */
export type Run = readonly [text: string, as: Look]

/** A sentence of Markdown with the marks of a card, on one line but for breaks that were meant. */
export const sentenceOf = (tokens: readonly Token[]): string => sentence(allRuns(tokens, undefined))

/** Stretches of text with the marks of a card. */
export const sentence = (runs: readonly Run[]): string => together(runs).map(marked).join('').trim()

function marked([text, as]: Run): string {
  if (as === 'code' && !/[`\n]/.test(text) && text.trim() !== '') return `\`${text}\``
  if (as === 'strong' && text.trim() !== '') {
    const words = text.trim()
    const [before = '', after = ''] = text.split(words)
    return `${before}**${oneLine(words).replaceAll('*', '∗').replaceAll('`', 'ˋ')}**${after}`
  }
  // An asterisk of the text right beside a mark would be read as one more of it.
  return unmarked(text).replace(/^\*|\*$/g, '∗')
}

/** The same without any marks, for cells and labels. */
export const plainText = (tokens: readonly Token[]): string =>
  oneLine(
    allRuns(tokens, undefined)
      .map(([text]) => text)
      .join(''),
  ).trim()

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

/** Neighbours of one look are one run: two asterisks beside each other are a mark, wherever they come from. */
function together(runs: readonly Run[]): readonly Run[] {
  const out: [string, Look][] = []
  for (const [text, as] of runs) {
    const last = out.at(-1)
    if (text === '') continue
    if (last !== undefined && last[1] === as && as !== 'code') last[0] += text
    else out.push([text, as])
  }
  return out
}

const allRuns = (tokens: readonly Token[], as: Look): readonly Run[] => tokens.flatMap((token) => runsOf(token, as))

function runsOf(given: Token, as: Look): readonly Run[] {
  const token = given as MarkedToken
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? allRuns(token.tokens, as) : [[words(token.raw), as]]
    case 'escape':
      return [[token.text, as]]
    case 'strong':
      return allRuns(token.tokens, 'strong')
    case 'em':
      return allRuns(token.tokens, as)
    case 'codespan':
      return [[token.text, 'code']]
    case 'br':
      return [['\n', as]]
    case 'link': {
      const { raw, href, title, tokens } = token
      if (raw.startsWith('<') || raw === token.text) return [[token.text, 'code']]
      // An address that stands somewhere else is written as it is: both its places are seen.
      if (!raw.includes(`(${href}`)) return [[raw, 'code']]
      return [...allRuns(tokens, as), ...addressOf(href, title)]
    }
    case 'image': {
      const { raw, href, title, text } = token
      if (!raw.includes(`(${href}`)) return [[raw, 'code']]
      return [[text, as], ...addressOf(href, title)]
    }
    case 'html':
    case 'def':
      return asWritten(token.raw)
    default:
      // What is struck out, boxes to tick.
      return [[words(token.raw), as]]
  }
}

/** Each of its lines as an identifier, so that nobody takes it for words. */
const asWritten = (raw: string): readonly Run[] =>
  raw
    .trim()
    .split('\n')
    .flatMap((line, at): readonly Run[] => [
      [at === 0 ? '' : '\n', undefined],
      [line, 'code'],
    ])

/** Where something leads, in full. */
const addressOf = (href: string, title: string | null | undefined): readonly Run[] => [
  [' (', undefined],
  [href.replaceAll('`', '%60'), 'code'],
  [title ? ` "${title}")` : ')', undefined],
]

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five names that every writer of HTML uses; what other references stand for might not be what somebody should read. */
const words = (raw: string): string =>
  raw.replace(/\n/g, ' ').replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => named[name] ?? '')
