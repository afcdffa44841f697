// Replacing a name where it is meant, and not where its letters stand by chance.
import { nearest } from '../../../errors/nearest.ts'
import { type ProgramText, type Token } from '../program-text.ts'
import { spanEdits, type Edits } from './mistake.ts'

/** Name tokens; of attributes those behind a point, of others those that are none. */
export const namesIn = (program: ProgramText, attributes: boolean): readonly Token[] =>
  program.tokens.filter((token, at) => {
    if (token.kind !== 'name') return false
    const before = program.tokens[at - 1]?.text
    return (before === '.' || before === '?.') === attributes
  })

/** The edits that replace a name all over the program, in f-strings too. */
export function renamed(program: ProgramText, name: string, to: string, attributes = false): Edits {
  const spans = namesIn(program, attributes)
    .filter(({ text }) => text === name)
    .map(({ start }) => ({ start, end: start + name.length, after: to }))
  return spanEdits(program, [...spans, ...inFormatted(program, name, to, attributes)])
}

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\w$]/.test(letter)

/** Places of a name within the braces of f-strings and templates. */
function inFormatted(program: ProgramText, name: string, after: string, attributes: boolean) {
  const spans: { start: number; end: number; after: string }[] = []
  for (const { kind, text, start } of program.tokens) {
    if (kind !== 'string' || !text.includes(name) || !/^[a-zA-Z]{0,2}[fF]|^`/.test(text)) continue
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
      const inBraces = text.lastIndexOf('{', at) > text.lastIndexOf('}', at)
      const isAttribute = text[at - 1] === '.'
      if (inBraces && isAttribute === attributes && !isWord(text[at - 1]) && !isWord(text[at + name.length]))
        spans.push({ start: start + at, end: start + at + name.length, after })
    }
  }
  return spans
}

/** The one known name that is nearest, where it is near enough to be meant: two letters off, or swapped. */
export function meant(name: string, known: Iterable<string>): string | undefined {
  if (name.length < 3) return undefined
  const [best] = nearest(name, known, 1, name)
  if (best === undefined) return undefined
  const most = name.length <= 4 ? 1 : 2
  return distanceWithSwaps(name.toLowerCase(), best.toLowerCase()) <= most ? best : undefined
}

/** Levenshtein's distance in which two swapped neighbours count as one. */
export function distanceWithSwaps(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1] ?? []
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
