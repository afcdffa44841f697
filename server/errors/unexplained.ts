// Errors that no rule explains come in thousands of texts and a handful of kinds. A fingerprint counts the kinds: of two
// texts that differ in numbers, ids, paths, addresses, quoted words or case, it is the same. Pure.
import { hash } from 'node:crypto'

/** Rules that only know that something went wrong: exceptions of a tool or the server, and what a server behind says. */
const fallbacks: ReadonlySet<string> = new Set([
  'tool.read',
  'tool.preview',
  'tool.before',
  'tool.run',
  'server.internal',
  'upstream.unexplained',
  'failures.upstream_error',
  'failures.dry_run_failed',
])

/** Whether an error that this rule found is one that no nearer rule explains. */
export const isUnexplained = (rule: string): boolean => fallbacks.has(rule)

/** Whether it is a fault on this side: an exception of a tool or of the server. */
export const isException = (rule: string): boolean => rule.startsWith('tool.') || rule === 'server.internal'

/** An error that no rule explains, as it is counted and listed. */
export interface Unexplained {
  /** Twelve hexadecimal digits, the same for errors that differ in their values only. */
  readonly fingerprint: string
  /** The text with marks in the place of values: `no order <id> in <path>`. */
  readonly sample: string
}

/** In characters: of a text that is read, and of what is kept of it. */
const longestText = 2000
const longestSample = 300
/** In characters, of one word. */
const longestWord = 100

/** The fingerprint of an error's text. The text has been redacted: what is left of it is kept and shown. */
export function fingerprintOf(text: string): Unexplained {
  const form = formOf(text.slice(0, longestText).toWellFormed())
  return { fingerprint: hash('sha256', form, 'hex').slice(0, 12), sample: form.slice(0, longestSample).toWellFormed() }
}

/** What is quoted on one line; an apostrophe within a word quotes nothing. */
const quotes = [/"[^"\n]*"/g, /`[^`\n]*`/g, /“[^“”\n]*”/g, /(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu] as const

/** A text whose values are marks, in small letters, with single blanks. */
function formOf(text: string): string {
  let form = text
    .toLowerCase()
    .split(/([\s"'`<>]+)/)
    .map((part) => (part.includes('://') ? '<url>' : part))
    .join('')
  for (const quoted of quotes) form = form.replace(quoted, ' <quoted> ')
  return form
    .split(/[\s,;()[\]{}]+/)
    .map(markOf)
    .filter((word) => word !== '')
    .join(' ')
}

/** As RFC 9562 writes one, in small letters. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A word as it is, or the mark that stands for its value. */
function markOf(word: string): string {
  const core = trimmed(word)
  if (core === '') return ''
  if (core === '<quoted>' || core === '<url>') return core
  if (core.includes('@') || isAddress(core)) return '<address>'
  // Before numbers: one of digits alone would be a date otherwise.
  if (uuid.test(core)) return '<id>'
  if (isNumber(core)) return '<number>'
  if (isPath(core)) return '<path>'
  // No word of a language is longer.
  if (core.length > longestWord) return '<id>'
  // `key=value`, `code:404`: the name stays.
  const cut = core.search(/[=:]/)
  if (cut > 0 && cut < core.length - 1) return `${markOf(core.slice(0, cut))}= ${markOf(core.slice(cut + 1))}`
  if (/\d/.test(core) || /^[a-f]{8,}$/.test(core)) return '<id>'
  return core
}

const edges = '.:!?<>"\'`*=…'

/** A word without the marks of sentences around it. */
function trimmed(word: string): string {
  if (word === '<quoted>' || word === '<url>') return word
  let [from, to] = [0, word.length]
  while (from < to && edges.includes(word.charAt(from)) && word.charAt(from + 1) !== '/') from++
  while (to > from && edges.includes(word.charAt(to - 1))) to--
  return word.slice(from, to)
}

/** An IPv4 or IPv6 address, or `localhost`, with or without a port. */
const isAddress = (word: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/.test(word) ||
  /^localhost(?::\d{1,5})?$/.test(word) ||
  (/^[\da-f:]{3,45}$/.test(word) && word.split(':').length > 2 && !/^\d+:\d+:\d+$/.test(word))

/** A number, a date, a time, a share. */
const isNumber = (word: string): boolean =>
  (/^[\d.+\-_%/:]+$/.test(word) && /\d/.test(word)) || /^\d{4}-\d\d-\d\dt\d/.test(word)

/** `/var/x`, `./x`, `~/x`, `c:\x`, `src/a/b.ts`. */
const isPath = (word: string): boolean =>
  /^(?:[a-z]:)?[/\\]/.test(word) || /^(?:\.{1,2}|~)[/\\]/.test(word) || word.split(/[/\\]/).length > 2
