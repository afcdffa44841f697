// Taking servers out of a TOML file of somebody's, and putting one in, line by line: no line of anything else is touched,
// and no table becomes another kind of table, which its host might not take.
import { parseTOML, type AST } from 'toml-eslint-parser'
import type { KeyPath } from './host-kind.ts'
import type { HostEdit } from './host-text.ts'

/** A table or a key with its whole path, and the lines on which it stands. */
interface Piece {
  readonly path: KeyPath
  readonly start: number
  readonly end: number
  readonly isTable: boolean
  /** The path of the table around a key. */
  readonly around: KeyPath
}

/** As hosts read it; a text of TOML 1.1 is none of theirs. */
export const parseHostToml = (text: string): AST.TOMLProgram => parseTOML(text, { tomlVersion: '1.0' })

/** The text with the edit. Throws where it cannot be made by whole lines. */
export function editToml(text: string, { remove, set }: HostEdit): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const pieces = piecesOf(text)
  const gone = remove.flatMap((path) => {
    const found = pieces.filter((piece) => startsWith(piece.path, path))
    if (found.length === 0) throw new Error(`${path.join('.')} does not stand on lines of its own.`)
    // What stands in a table that goes is gone with it.
    return found.filter((piece) => piece.isTable || !startsWith(piece.around, path))
  })
  const ordered = gone.toSorted((a, b) => b.start - a.start)
  const place = set === undefined ? undefined : ordered.at(-1)
  const edited = ordered.reduce((held, piece) => {
    const written = piece === place && set !== undefined ? lines(piece, set, eol) : ''
    const before = held.slice(0, piece.start)
    // A table goes with the blank line that kept it apart from the one before.
    const kept = piece.isTable && written === '' ? before.replace(/(\n)\r?\n$/, '$1') : before
    return kept + written + held.slice(piece.end)
  }, text)
  if (set === undefined || place !== undefined) return edited
  const whole = edited === '' || edited.endsWith('\n') ? edited : `${edited}${eol}`
  return `${whole}${whole === '' ? '' : eol}${table(set, eol)}`
}

function piecesOf(text: string): readonly Piece[] {
  const piece = (node: AST.TOMLNode, path: KeyPath, around: KeyPath): Piece => {
    const lineEnd = text.indexOf('\n', node.range[1])
    return {
      path,
      around,
      isTable: node.type === 'TOMLTable',
      start: text.lastIndexOf('\n', node.range[0] - 1) + 1,
      end: lineEnd < 0 ? text.length : lineEnd + 1,
    }
  }
  return parseHostToml(text).body[0].body.flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return [piece(node, keysOf(node.key), [])]
    const path = node.resolvedKey.map(String)
    return [piece(node, path, path), ...node.body.map((inner) => piece(inner, [...path, ...keysOf(inner.key)], path))]
  })
}

const keysOf = ({ keys }: AST.TOMLKey): KeyPath => keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))

const startsWith = (path: KeyPath, with_: KeyPath): boolean => with_.every((key, at) => path[at] === key)

type Set = NonNullable<HostEdit['set']>

/** A table in the place of a table, a key in the place of a key. */
function lines({ isTable, around }: Piece, set: Set, eol: string): string {
  if (isTable) return table(set, eol)
  if (!startsWith(set.at, around)) throw new Error('It belongs to another table.')
  return `${set.at.slice(around.length).map(keyText).join('.')} = ${valueText(set.value)}${eol}`
}

const table = ({ at, value }: Set, eol: string): string =>
  [
    `[${at.map(keyText).join('.')}]`,
    ...Object.entries(value).map(([key, member]) => `${keyText(key)} = ${valueText(member)}`),
    '',
  ].join(eol)

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : textOf(key))

/** A string of JSON is one of TOML, but for a character that only TOML forbids. */
const textOf = (text: string): string => JSON.stringify(text).replaceAll('\u007F', '\\u007F')

function valueText(value: unknown): string {
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${keyText(key)} = ${valueText(member)}`)
      .join(', ')} }`
  return String(value)
}
