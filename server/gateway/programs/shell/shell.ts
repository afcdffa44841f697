// A line of a shell as an argument does whatever it says, so what it says decides whether a call is a read. Only what is
// known to read is one: another command, another option, a construct that is not listed here are high (ADR 43).
import type { ParsedScript, PipelineNode, Redirection, Statement, AndOr, Word } from 'unbash'
import type { Operation, Risk } from '../../../model/risk.ts'
import { onlyReads, readsElsewhere } from './commands.ts'
import { dangersIn, type Danger } from './dangers.ts'
import { shellParser, type ShellParser } from './parser.ts'
import { wordOf, type ShellWord } from './words.ts'

/**
 * What runs a line. `posix`: sh, bash, dash or zsh gets it as it stands. `said`: its server says that one of them does.
 * `unknown`: PowerShell and cmd may.
 */
export type Shells = 'posix' | 'said' | 'unknown'

/** What a line does, at worst. */
export interface ShellReading {
  readonly risk: Risk
  readonly operation: Operation
  /** One sentence for each thing that it does beside reading, or one that says why it could not be read. */
  readonly reasons: readonly string[]
  /** What it does beside reading, the worst first, with the place of it in the text, in UTF-16 units. */
  readonly dangers: readonly Danger[]
}

/** Longer texts are programs, and nobody has seen a read among them. */
const mostCharacters = 10_000

/** Reads a text; one of an unknown shell is a read only where all would read. Without its parser every text is high. */
export function readShell(text: string, shells: Shells): ShellReading {
  const parser = shellParser()
  if (parser === undefined) return unread('its parser is not loaded yet')
  if (text.length > mostCharacters) return unread(`it is longer than ${mostCharacters.toLocaleString('en')} characters`)
  const script = parsed(parser, text)
  if (typeof script === 'string') return unread(script)
  if (script.commands.length === 0) return unread('it holds no command')
  const called: string[] = []
  if (isPlain(text) && readsScript(script, called)) {
    if (shells === 'posix' || readsElsewhere(text, called, shells))
      return { risk: 'low', operation: 'read', reasons: ['It only reads.'], dangers: [] }
    return {
      risk: 'high',
      operation: 'destructive',
      reasons: ['It only reads where a shell of Unix gets it as it stands. Nobody knows that one does, so it is high.'],
      dangers: [],
    }
  }
  const worstFirst = (a: Danger, b: Danger): number => Number(b.critical === true) - Number(a.critical === true)
  const dangers = dangersIn(script, parser).toSorted(worstFirst)
  const sentences = [...new Set(dangers.map(({ sentence }) => sentence))]
  return {
    risk: dangers.some(({ critical }) => critical) ? 'critical' : 'high',
    operation: dangers.length > 0 && dangers.every(({ adds }) => adds) ? 'write' : 'destructive',
    reasons: sentences.length > 0 ? someOf(sentences) : ['It is not known that it only reads, so it is high.'],
    dangers,
  }
}

const mostReasons = 6

const someOf = (sentences: readonly string[]): readonly string[] =>
  sentences.length <= mostReasons
    ? sentences
    : [...sentences.slice(0, mostReasons), `It does ${sentences.length - mostReasons} more such things.`]

const unread = (why: string): ShellReading => ({
  risk: 'high',
  operation: 'destructive',
  reasons: [`It cannot be read as a line of a shell (${why}), so it is high.`],
  dangers: [],
})

/** The tree, or why there is none. Trees are made one level at a time; the depth of the parser's is bounded. */
function parsed({ parse }: ShellParser, text: string): ParsedScript | string {
  try {
    const script = parse(text)
    return script.errors?.[0] === undefined ? script : script.errors[0].message
  } catch (error) {
    return error instanceof Error ? error.message : 'its parser refused it'
  }
}

/**
 * No character that is not seen, and no comment that does harm in a shell that has none, as zsh where somebody types:
 * `find . # -delete`. Nor a backslash beside backquotes, between which each shell reads it in its own way.
 * Nor a letter of which a byte is a blank where the C library takes bytes for letters: `find xà-delete` may be cut there.
 */
const isPlain = (text: string): boolean =>
  !/(?![\n ])[\p{C}\p{Z}]/u.test(text) &&
  !Buffer.from(text).some((byte) => byte === 0x85 || byte === 0xa0) &&
  !/[ ;|&()<>`]#|^#.*[;|&<>()`$'"\\]/m.test(text) &&
  !(text.includes('`') && text.includes('\\'))

/** Whether everything in a script is known to read; `called` takes the names of its commands. */
function readsScript(script: Pick<ParsedScript, 'commands' | 'errors'>, called: string[]): boolean {
  const statement = ({ command, background }: Statement): boolean => background !== true && reads(command)
  const list = ({ commands }: { readonly commands: readonly Statement[] }): boolean => commands.every(statement)
  const word = (each: Word): ShellWord | undefined => wordOf(each, (inner) => readsScript(inner, called))

  function reads(node: PipelineNode | AndOr): boolean {
    switch (node.type) {
      case 'Command': {
        const [name, ...args] = [node.name, ...node.args].map((each) =>
          each?.type === 'Word' ? word(each) : undefined,
        )
        if (node.prefix.some(({ type }) => type === 'Assignment') || !node.redirects.every(isHarmless)) return false
        if (name?.exact === undefined || args.includes(undefined)) return false
        called.push(name.exact)
        return onlyReads(
          name.exact,
          args.filter((each) => each !== undefined),
        )
      }
      case 'Pipeline':
        return node.prefixes.every(({ type }) => type === 'Negation') && node.commands.every(reads)
      case 'AndOr':
        return node.commands.every(reads)
      case 'Subshell':
      case 'BraceGroup':
        return list(node.body)
      case 'Redirected':
        return node.redirects.every(isHarmless) && reads(node.command)
      case 'If':
        return (
          [node, ...node.elif].every(({ clause, then }) => list(clause) && list(then)) &&
          (!node.else || list(node.else))
        )
      case 'For':
        // Other names mean something to a shell: PATH, IFS, and zsh's `path`.
        return (
          /^(?:[a-z]|file|dir|name|line|item)$/.test(node.name.text) &&
          node.wordlist !== undefined &&
          node.wordlist.every((each) => word(each) !== undefined) &&
          list(node.body)
        )
      case 'ArithmeticFor':
      case 'Select':
      case 'While':
      case 'Case':
      case 'TestCommand':
      case 'ArithmeticCommand':
      case 'Function':
      case 'Coproc':
        return false
      default:
        return node satisfies never
    }
  }

  function isHarmless(each: Redirection): boolean {
    if (each.type !== 'Redirect' || each.descriptor?.type === 'FileDescriptorVariable') return false
    const target = each.target && word(each.target)?.exact
    if (target === undefined) return false
    // Where a shell takes one digit, more of them are a word: `uniq a 10>/dev/null` writes the file 10.
    if (each.descriptor !== undefined && each.descriptor.end - each.descriptor.pos > 1) return false
    // dash sees the end of a command in the "&" of `&>/dev/null touch a`.
    if (target === '/dev/null') return /^(?:>>?|>\||<)$/.test(each.operator)
    // bash opens a connection where it reads /dev/tcp.
    return each.operator === '<'
      ? !/^\/+dev\//.test(target)
      : /^[<>]&$/.test(each.operator) && /^(?:\d|-)$/.test(target)
  }

  return script.errors?.[0] === undefined && list(script)
}
