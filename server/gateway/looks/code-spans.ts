// Code of an argument in colours. A kept highlighter cuts it; it runs here and not in the view, which has no room for one,
// and so the card is the same in every host. Colours can mislead, though: what looks like a quotation is read as one. So a
// text is coloured within a length and a time only, SQL only where it is sure where its quotations end, and of other programs
// neither quotations nor comments.
import type { LanguageFn } from 'highlight.js'
import { packageOnFirstUse } from '../../errors/optional-package.ts'
import type { CardSpan } from '../../model/card.ts'
import { runsWithin } from '../contract/deadline.ts'
import { dialects, type SqlDialect } from '../programs/sql/sql.ts'
import { tokensOf, type Token } from '../programs/sql/tokens.ts'

/** Characters, and milliseconds: what takes longer stays plain. */
const longest = 20_000
const slowest = 100

const grammars: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
  bash: async () => import('highlight.js/lib/languages/bash'),
  css: async () => import('highlight.js/lib/languages/css'),
  graphql: async () => import('highlight.js/lib/languages/graphql'),
  ini: async () => import('highlight.js/lib/languages/ini'),
  javascript: async () => import('highlight.js/lib/languages/javascript'),
  json: async () => import('highlight.js/lib/languages/json'),
  python: async () => import('highlight.js/lib/languages/python'),
  sql: async () => import('highlight.js/lib/languages/sql'),
  typescript: async () => import('highlight.js/lib/languages/typescript'),
  xml: async () => import('highlight.js/lib/languages/xml'),
  yaml: async () => import('highlight.js/lib/languages/yaml'),
}

const otherNames: Readonly<Record<string, string>> = {
  html: 'xml',
  js: 'javascript',
  py: 'python',
  sh: 'bash',
  shell: 'bash',
  toml: 'ini',
  ts: 'typescript',
}

/**
 * Programs. The highlighter cuts them by rules of thumb: of a shell `echo a\ #b; rm x` is a comment to it from `#` on, of
 * JavaScript `/"/.test(a); b() //"` a text. What runs must look like neither.
 */
const run: ReadonlySet<string> = new Set(['bash', 'graphql', 'javascript', 'python', 'typescript'])

/** @throws {PackageMissing} where it is not installed. */
export const loadHighlighter = packageOnFirstUse('highlight.js', () => import('highlight.js/lib/core'))

/**
 * The looks of a code in its language; none where the language is not known, or the text too long or too slow to read.
 * @param dialect of SQL whose it is; all databases must agree where it is not known.
 */
export async function codeSpans(text: string, language: string, dialect?: SqlDialect): Promise<readonly CardSpan[]> {
  const name = otherNames[language] ?? language
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined
  if (grammar === undefined || text.length > longest) return []
  const { default: hljs } = await loadHighlighter()
  if (hljs.getLanguage(name) === undefined) {
    hljs.registerLanguage(name, (await grammar()).default)
    // It is made ready with its first text, and would stay half made where that one takes too long.
    hljs.highlight('', { language: name })
  }
  let spans: readonly CardSpan[] = []
  runsWithin(slowest, () => {
    const found = spansIn(hljs.highlight(text, { language: name, ignoreIllegals: true }).value, text)
    if (name === 'sql') spans = sqlSpans(text, found, dialect === undefined ? dialects : [dialect])
    else spans = run.has(name) ? found.filter(({ as }) => as !== 'string' && as !== 'comment') : found
  })
  return spans
}

const looks: Readonly<Record<string, CardSpan['as']>> = {
  keyword: 'keyword',
  built_in: 'keyword',
  literal: 'keyword',
  type: 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  number: 'number',
  comment: 'comment',
  doctag: 'comment',
  attr: 'name',
  attribute: 'name',
  name: 'name',
  property: 'name',
  section: 'name',
  title: 'name',
  variable: 'name',
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** The spans of what the highlighter answers: our text, escaped, between `<span class="hljs-…">` and `</span>`. */
function spansIn(html: string, text: string): readonly CardSpan[] {
  const spans: CardSpan[] = []
  const open: (CardSpan['as'] | undefined)[] = []
  let read = ''
  for (const [piece, entity] of html.matchAll(/<[^<>]*>|&([#\w]{1,6});|[^<&]+/g)) {
    if (piece === '</span>') open.pop()
    else if (piece.startsWith('<')) open.push(looks[/^<span class="hljs-(\w+)/.exec(piece)?.[1] ?? ''])
    else {
      const from = read.length
      read += entity === undefined ? piece : (entities[entity] ?? piece)
      const as = open.at(-1)
      const last = spans.at(-1)
      if (as === undefined) continue
      if (last?.as === as && last.to === from) spans[spans.length - 1] = { ...last, to: read.length }
      else spans.push({ from, to: read.length, as })
    }
  }
  // A highlighter that shows another text than it was given is not believed.
  return read === text ? spans : []
}

/** The words that the highlighter knows; quotations, numbers and comments as our own cuts of all these databases are. */
function sqlSpans(text: string, spans: readonly CardSpan[], asked: readonly SqlDialect[]): readonly CardSpan[] {
  const cuts = asked.map((dialect) => tokensOf(text, dialect))
  const places = cuts.map((cut) => ('why' in cut ? '' : cut.map(({ start, end }) => `${start} ${end}`).join()))
  const [first] = cuts
  if (first === undefined || 'why' in first || places.some((each) => each !== places[0])) return []
  const words = new Set(first.flatMap(({ kind, start, end }) => (kind === 'word' ? [`${start} ${end}`] : [])))
  const keywords = spans.filter(({ from, to, as }) => as === 'keyword' && words.has(`${from} ${to}`))
  const values = first.flatMap(({ kind, start, end }): readonly CardSpan[] =>
    kind === 'text' || kind === 'number' ? [{ from: start, to: end, as: kind === 'text' ? 'string' : 'number' }] : [],
  )
  const comments = gapsOf(text, first).map((gap): CardSpan => ({ ...gap, as: 'comment' }))
  return [...keywords, ...values, ...comments].toSorted((a, b) => a.from - b.from)
}

/** What stands between tokens and is no blank: comments. */
function gapsOf(text: string, tokens: readonly Token[]): readonly { readonly from: number; readonly to: number }[] {
  const ends = [0, ...tokens.map(({ end }) => end)]
  return ends.flatMap((from, at) => {
    const gap = text.slice(from, tokens[at]?.start ?? text.length)
    const shown = gap.trim()
    const begin = from + gap.indexOf(shown)
    return shown === '' ? [] : [{ from: begin, to: begin + shown.length }]
  })
}

/** Spans with stretches of danger over them: what they cover looks dangerous, whatever it is besides. */
export function withDangers(
  spans: readonly CardSpan[],
  dangers: readonly { readonly from: number; readonly to: number }[],
): readonly CardSpan[] {
  const marked: { from: number; to: number }[] = []
  for (const { from, to } of dangers.toSorted((a, b) => a.from - b.from)) {
    const last = marked.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else if (from < to) marked.push({ from, to })
  }
  const rest = marked.reduce<readonly CardSpan[]>(
    (left, { from, to }) =>
      left.flatMap((span) =>
        [
          { ...span, to: Math.min(span.to, from) },
          { ...span, from: Math.max(span.from, to) },
        ].filter((part) => part.from < part.to),
      ),
    spans,
  )
  return [...rest, ...marked.map((range): CardSpan => ({ ...range, as: 'danger' }))].toSorted((a, b) => a.from - b.from)
}
