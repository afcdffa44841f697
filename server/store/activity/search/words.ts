// Words as they are searched for, on every database alike: whoever makes the index and whoever asks cut texts in one way, so
// that a database only compares, and no sign that somebody types is a sign of its query language.
import { createHash } from 'node:crypto'

/** Words of one question. */
export const mostWords = 12

/** Words of one row. */
const mostOfRow = 4_000

/** Characters of a word; what is longer is found by its beginning. */
const longestWord = 40

/** The words of a text: runs of letters and figures, in small letters, without accents; each once. */
export const wordsIn = (text: string): readonly string[] => {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = new Set<string>()
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(Array.from(word).slice(0, longestWord).join(''))
    if (words.size === mostOfRow) break
  }
  return [...words]
}

/** Columns in which words are searched, those that are JSON first. */
const jsonColumns = ['args', 'result', 'intent', 'notes'] as const
const textColumns = ['tool', 'subject', 'client', 'rationale', 'error_code', 'error_message'] as const
export const searchedColumns = [...jsonColumns, ...textColumns] as const

/** The texts of a row that are searched. */
export type SearchedRow = Readonly<Record<(typeof searchedColumns)[number], string | null>>

/** The words of a row; those of its short texts first, so that the name of the tool is always among them. */
export const wordsOfRow = (row: SearchedRow): readonly string[] =>
  wordsIn([...textColumns.map((name) => row[name]), ...jsonColumns.map((name) => unescaped(row[name] ?? ''))].join(' '))

/** What stands with the words of a row for its tenant: nothing that somebody searches for begins like it. */
export const tenantWord = (tenant: string): string => `=${createHash('sha256').update(tenant).digest('base64url')}`

/** Whether each of these words begins one of the row. */
export const hasWords = (row: SearchedRow, wanted: readonly string[]): boolean => {
  const words = wordsOfRow(row)
  return wanted.every((each) => words.some((word) => word.startsWith(each)))
}

/** JSON without its escapes, also where its end is missing: the letter of one would become part of the word behind it. */
const unescaped = (json: string): string =>
  json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|.)/g, (_, code?: string) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  )
