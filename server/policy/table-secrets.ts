// Secrets below or beside their name: columns of tables (CSV, Markdown, the output of a database client), values of an
// INSERT, and manifests of Kubernetes Secrets.
import { isSecretName } from './secret-names.ts'
import { isValue, looksTyped } from './secret-shapes.ts'
import { groupSpans, type SearchedText, type Span } from './secret-values.ts'

interface Cell extends Span {
  readonly text: string
}

/** Two blanks or more separate columns that a program prints. */
const gap = '  '
const delimiters = ['|', '\t', ';', ',', gap] as const
const mostCells = 60
const rule = /^[\s|+:=-]+$/

/** The cells of a line, without blanks and quotes around them. */
function cellsOf(line: string, at: number, delimiter: string): readonly Cell[] {
  if (delimiter === gap)
    return [...line.matchAll(/\S+(?: \S+)*/g)].slice(0, mostCells).map(({ index, 0: part }) => cellOf(part, at + index))
  const cells: Cell[] = []
  let from = 0
  for (const part of line.split(delimiter, mostCells)) {
    cells.push(cellOf(part, at + from))
    from += part.length + delimiter.length
  }
  return cells
}

function cellOf(part: string, at: number): Cell {
  const text = part.replace(/^[\s"'`*]+|(?<![\s"'`*])[\s"'`*]+$/g, '')
  const start = at + (text === '' ? 0 : part.indexOf(text))
  return { text, start, end: start + text.length }
}

const isHeader = (cell: Cell): boolean => /^[\p{L}][\p{L}\d _.-]{0,30}$/u.test(cell.text) && isSecretName(cell.text)

/** The cells of columns whose header is the name of a secret. */
function columns(shown: string): readonly Span[] {
  if (!/[\n|]/.test(shown)) return []
  const found: Span[] = []
  let [at, open] = [
    0,
    undefined as { readonly by: string; readonly width: number; readonly secret: readonly number[] } | undefined,
  ]
  for (const line of shown.split('\n')) {
    const from = at
    at += line.length + 1
    if (rule.test(line) && line.trim() !== '') continue
    if (line.length > 2000) open = undefined
    const cells: readonly Cell[] = open === undefined ? [] : cellsOf(line, from, open.by)
    if (open !== undefined && cells.length === open.width) {
      const strict = open.by === ',' || open.by === ';' || open.by === gap
      for (const index of open.secret) {
        const cell = cells[index]
        if (
          cell !== undefined &&
          isValue(cell.text) &&
          !isHeader(cell) &&
          (!strict || looksTyped(cell.text)) &&
          !/\s/.test(cell.text)
        )
          found.push(cell)
      }
      continue
    }
    open = headerOf(line)
    if (open?.by === '|' && /^\s*\|/.test(line)) found.push(...besideName(cellsOf(line, from, '|')))
  }
  return found
}

function headerOf(line: string): { by: string; width: number; secret: readonly number[] } | undefined {
  if (line.length > 1000) return undefined
  for (const by of delimiters) {
    if (!line.includes(by) || (by === '|' && !/^\s*\||\s\|\s/.test(line))) continue
    const cells = cellsOf(line, 0, by)
    const secret = cells.flatMap((cell, index) => (isHeader(cell) ? [index] : []))
    if (cells.length > 1 && secret.length > 0 && cells.every(({ text }) => text.split(/\s+/).length <= 3))
      return { by, width: cells.length, secret }
  }
  return undefined
}

/** Values beside their name: `| Password | … |`. */
function besideName(cells: readonly Cell[]): readonly Span[] {
  return cells.flatMap((cell, index) => {
    const next = cells[index + 1]
    return isHeader(cell) && next !== undefined && isValue(next.text) && looksTyped(next.text) ? [next] : []
  })
}

const insert =
  /\binsert\s{1,4}(?:ignore\s{1,4})?into\s{1,4}[^\s(]{1,120}\s{0,4}\(([^()]{1,1000})\)\s{0,10}values\s{0,10}/gi
const item =
  /\s{0,20}(?:N|E)?(?:'((?:[^']|''){0,2000})'|"([^"]{0,2000})"|([^'",()]{1,200}(?:\([^()]{0,200}\))?))\s{0,20}(,|\))/dy

/** The values of an INSERT, by the names of its columns. */
function inserted(shown: string): readonly Span[] {
  const found: Span[] = []
  insert.lastIndex = 0
  for (let hit = insert.exec(shown); hit !== null; hit = insert.exec(shown)) {
    const names = (hit[1] ?? '').split(',').map((name) => name.replace(/["'`[\]\s]/g, ''))
    if (!names.some(isSecretName)) continue
    for (let at = insert.lastIndex; shown[at] === '(';) {
      let [index, next] = [0, at + 1]
      item.lastIndex = next
      for (let part = item.exec(shown); part !== null; part = item.exec(shown)) {
        const [start, end] = part.indices?.[1] ?? part.indices?.[2] ?? [0, 0]
        if (end > start && isSecretName(names[index] ?? '') && isValue(shown.slice(start, end)))
          found.push({ start, end })
        index += 1
        next = item.lastIndex
        if (part[4] === ')') break
      }
      at = next + (/^\s{0,10},\s{0,10}/.exec(shown.slice(next, next + 24))?.[0].length ?? 0)
      insert.lastIndex = Math.max(insert.lastIndex, next)
    }
  }
  return found
}

/** `kind: Secret` in YAML: what stands indented below `data:` and `stringData:`. */
function manifests(shown: string): readonly Span[] {
  if (!/\bkind:[ \t]{0,4}Secret[ \t]{0,8}(?:\n|$)/.test(shown)) return []
  const found: Span[] = []
  let [at, open] = [0, -1]
  for (const line of shown.split('\n')) {
    const from = at
    at += line.length + 1
    const indent = line.length - line.trimStart().length
    if (/^\s*(?:data|stringData):\s*$/.test(line)) open = indent
    else if (open >= 0 && indent > open)
      found.push(
        ...groupSpans(line, /^\s{1,60}[\w.-]{1,100}:[ \t]{1,8}["']?([^\s"'|>][^"'\n]{0,4000})/dg).map((span) => ({
          start: from + span.start,
          end: from + span.end,
        })),
      )
    else if (line.trim() !== '') open = -1
  }
  return found.filter(({ start, end }) => isValue(shown.slice(start, end)))
}

/** The secrets of a text that are below or beside their name in a table. */
export const tableSecrets = ({ shown }: SearchedText): readonly Span[] => [
  ...columns(shown),
  ...inserted(shown),
  ...manifests(shown),
]
