// What a word of a line will be when its command runs. A variable, a substitution and a pattern are known only then, and
// may become an option, or several words.
import type { DoubleQuotedChild, ParsedScript, Word, WordPart } from 'unbash'

/** One word, as far as it is known beforehand. */
export interface ShellWord {
  /** The word itself; nothing where it is known only when the line runs. */
  readonly exact: string | undefined
  /** Whether it is surely one word. */
  readonly one: boolean
  /** Whether it, and each word that it may become, surely begins with something else than a dash. */
  readonly operand: boolean
  /** The word with `*` for what is known only then. */
  readonly pattern: string
  /** Whether a shell puts the home folder in the place of the `~` that it begins with. */
  readonly home: boolean
  /** The variables in it. */
  readonly variables: readonly string[]
}

/** A word that stands as it is. */
export const exactWord = (exact: string): ShellWord => ({
  exact,
  one: true,
  operand: !exact.startsWith('-'),
  pattern: exact,
  home: false,
  variables: [],
})

/** Whether what a substitution runs only reads. */
export type ReadsScript = (script: ParsedScript) => boolean

interface Piece {
  /** Nothing where it is known only when the line runs. */
  readonly text: string | undefined
  /** What it looks like where it is not known. */
  readonly pattern?: string
  readonly variables?: readonly string[]
  readonly becomes?: 'words' | 'files'
}

const patternOf = ({ text, pattern }: Piece): string => text ?? pattern ?? '*'

/** Other machines, as bash of Windows, ksh and gawk name them; devices that never end or act when they are opened. */
const elsewhere = /^(?:\/\/+[^/]|\\\\+[^\\]+\\|\/+inet|\/+dev\/+(?:tcp|udp|sctp|zero|full|u?random|tty$|watchdog))/

/**
 * Reads a word; nothing where it does more than name something (`${x:=y}` assigns, `${x@P}` runs what it holds), or where
 * bash, dash and zsh would not all see the same.
 */
export function wordOf(word: Word, reads: ReadsScript): ShellWord | undefined {
  // zsh evaluates what stands in brackets behind a variable, and bash `$[…]`; what is evaluated may run something.
  if (/\$[^\s"'()$]*\[/.test(word.text) || elsewhere.test(word.value)) return undefined
  const pieces = word.parts?.map((part) => pieceOf(part, reads)) ?? [plain(word.text, word.value)]
  const known = pieces.filter((piece) => piece !== undefined)
  if (known.length < pieces.length) return undefined
  const unknownAt = known.findIndex(({ text }) => text === undefined)
  const start = known.slice(0, unknownAt < 0 ? known.length : unknownAt).map(({ text }) => text ?? '')
  return {
    exact: unknownAt < 0 ? start.join('') : undefined,
    one: known.every(({ becomes }) => becomes === undefined),
    operand: /^[^-]/s.test(start.join('')) && known.every(({ becomes }) => becomes !== 'words'),
    pattern: known.map(patternOf).join(''),
    home: /^~(?:\/|$)/.test(word.text),
    variables: known.flatMap(({ variables = [] }) => variables),
  }
}

function pieceOf(part: WordPart | DoubleQuotedChild, reads: ReadsScript): Piece | undefined {
  switch (part.type) {
    case 'Literal':
      return plain(part.text, part.value)
    case 'SingleQuoted':
      return { text: part.value }
    case 'DoubleQuoted': {
      const inside = part.parts.map((each) =>
        each.type === 'Literal' ? quoted(each.text, each.value) : pieceOf(each, reads),
      )
      const known = inside.filter((piece) => piece !== undefined)
      if (known.length < inside.length) return undefined
      const pattern = known.map(patternOf).join('')
      return {
        text: known.every(({ text }) => text !== undefined) ? pattern : undefined,
        pattern,
        variables: known.flatMap(({ variables = [] }) => variables),
      }
    }
    case 'Glob':
      return part.kind === 'bracket' && !/^\[[\w^-]+\]$/.test(part.text)
        ? undefined
        : { text: undefined, pattern: part.text, becomes: 'files' }
    case 'SimpleExpansion':
      return { text: undefined, variables: [part.text.slice(1)], becomes: 'words' }
    case 'ParameterExpansion':
      return /^\$\{\w+\}$/.test(part.text)
        ? { text: undefined, variables: [part.text.slice(2, -1)], becomes: 'words' }
        : undefined
    case 'CommandExpansion':
      return part.script !== undefined && reads(part.script) ? { text: undefined, becomes: 'words' } : undefined
    case 'AnsiCQuoted':
    case 'LocaleString':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return undefined
    default:
      return part satisfies never
  }
}

/** zsh takes `$~x` as a pattern, and runs what a pattern says. Braces may end a command of zsh wherever they stand, and interactive shells put earlier lines in the place of "!". */
const plain = (text: string, value: string): Piece | undefined =>
  /^(?:\{\}|!=?)$/.test(text) || !/[{}!]|\\\n|\$[~=^+]/.test(text) ? { text: value } : undefined

const quoted = (text: string, value: string): Piece | undefined =>
  /!\S|\\\n|\$[~=^+]/.test(text) ? undefined : { text: value }
