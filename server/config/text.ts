// A mistake in a file of a hundred lines has to be named by its line, and a parser that answers a plain value has
// forgotten it. So the tree is kept beside the value. Comments and trailing commas are welcome; a key that stands there twice is not, because
// one of the two does nothing and nobody sees which.
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { fail, ok, type Result } from '../errors/result.ts'

/** Line and column, from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

/** A file's value, and where each part of it stands. */
export interface ConfigText {
  /** As messages name it. */
  readonly file: string
  readonly value: Readonly<Record<string, unknown>>
  /** The place of what is at this path; of the nearest thing around it, where there is nothing. */
  placeOf(path: readonly PropertyKey[]): Place
  /** The place of a key itself. */
  keyPlaceOf(path: readonly PropertyKey[]): Place
}

/** What is wrong, where. */
export interface TextProblem extends Place {
  readonly message: string
  readonly next: string
}

/** Reads JSON with comments and trailing commas, as formatters write it. Every problem is named. */
export function parseConfigText(source: string, file: string): Result<ConfigText, readonly TextProblem[]> {
  // A byte order mark is no part of the text, but a column of it is.
  const text = source.startsWith('\uFEFF') ? ` ${source.slice(1)}` : source
  const lines = lineStarts(text)
  const at = (offset: number): Place => placeAt(lines, offset)
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false })
  const [first] = errors
  if (first !== undefined || root === undefined) {
    const offset = first?.offset ?? text.length
    return fail([{ ...at(offset), message: `is not JSON: ${why(first)}`, next: 'Correct it at that place.' }])
  }
  if (root.type !== 'object')
    return fail([{ ...at(root.offset), message: 'is no object', next: 'Write { … } around everything.' }])
  const twice: TextProblem[] = []
  const value = valueOf(root, (key) =>
    twice.push({
      ...at(key.offset),
      message: key.value === '__proto__' ? 'has a key "__proto__"' : `has the key ${JSON.stringify(key.value)} twice`,
      next: key.value === '__proto__' ? 'Take it out.' : 'Keep one of the two.',
    }),
  ) as Readonly<Record<string, unknown>>
  if (twice.length > 0) return fail(twice)
  return ok({
    file,
    value,
    placeOf: (path) => at(nodeAt(root, path).offset),
    keyPlaceOf: (path) => at(keyOf(nodeAt(root, path)).offset),
  })
}

function why(error: ParseError | undefined): string {
  const code = error === undefined ? 'ValueExpected' : printParseErrorCode(error.error)
  const words: Readonly<Record<string, string>> = {
    PropertyNameExpected: 'a key in double quotes is expected here (a comma too many?)',
    ValueExpected: 'a value is expected here (a comma too many?)',
    ColonExpected: 'a colon is expected here',
    CommaExpected: 'a comma is missing before this',
    CloseBraceExpected: 'a closing brace } is missing',
    CloseBracketExpected: 'a closing bracket ] is missing',
    EndOfFileExpected: 'there is more after the end',
    UnexpectedEndOfComment: 'a comment is not closed',
    UnexpectedEndOfString: 'a string is not closed',
    InvalidEscapeCharacter: 'a backslash in front of a character that needs none',
  }
  return words[code] ?? 'this is not understood'
}

/** Offsets at which lines begin. */
const lineStarts = (text: string): readonly number[] => [
  0,
  ...[...text.matchAll(/\n/g)].map((found) => found.index + 1),
]

function placeAt(lines: readonly number[], offset: number): Place {
  const after = lines.findIndex((start) => start > offset)
  const line = after < 0 ? lines.length : after
  return { line, column: offset - (lines[line - 1] ?? 0) + 1 }
}

/** The node at a path, or the innermost one on the way to it. */
function nodeAt(root: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length--) {
    const found = findNodeAtLocation(
      root,
      path.slice(0, length).map((key) => (typeof key === 'number' ? key : String(key))),
    )
    if (found !== undefined) return found
  }
  return root
}

const keyOf = (node: Node): Node => (node.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node)

/** The value of a node. Our own walk, because the library's lets the later of two keys win and sets prototypes. */
function valueOf(node: Node, twice: (key: Node) => void): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child) => valueOf(child, twice))
  if (node.type !== 'object') return node.value as unknown
  const value: Record<string, unknown> = {}
  for (const { children = [] } of node.children ?? []) {
    const [key, member] = children
    if (key === undefined || member === undefined) continue
    const name = String(key.value)
    if (name === '__proto__' || Object.hasOwn(value, name)) twice(key)
    else value[name] = valueOf(member, twice)
  }
  return value
}
