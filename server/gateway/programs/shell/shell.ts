// A line of a shell as an argument does whatever it says, so what it says decides whether a call is a read. Only what is
// known to read is one: another command, another option, a construct that is not listed here are high (ADR 43).
import type { ParsedScript, PipelineNode, Redirection, Statement, AndOr, Word } from 'unbash'
import type { Operation, Risk } from '../../../model/risk.ts'
import type { Machine } from '../git/machine.ts'
import { bare, type Called } from './called.ts'
import { onlyReads, readsInAnyShell } from './commands.ts'
import { dangersIn, type Danger } from './dangers.ts'
import { endlessOf } from './endless.ts'
import { anyOf, cdLeadsTo, type Folders } from './folders.ts'
import { gitLooks } from './git.ts'
import { shellParser, type ShellParser } from './parser.ts'
import { repositoryReads } from './repository-reads.ts'
import { secretReads } from './secret-reads.ts'
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

/**
 * Reads a text; one of an unknown shell is a read only where all would read. Without its parser every text is critical, and
 * without the machine on which a known shell runs it whatever looks into a repository is high.
 */
export function readShell(text: string, shells: Shells, itsMachine?: Machine): ShellReading {
  const machine = shells === 'posix' ? itsMachine : undefined
  const parser = shellParser()
  if (parser === undefined) return missingParser
  if (text.length > mostCharacters) return unread(`it is longer than ${mostCharacters.toLocaleString('en')} characters`)
  const script = parsed(parser, text)
  if (typeof script === 'string') return unread(script)
  if (script.commands.length === 0) return unread('it holds no command')
  const called: Called[] = []
  if (isPlain(text) && readsScript(script, called, { fed: false, where: placeOf(machine) })) {
    const asked = notUnasked(called, machine)
    if (asked !== undefined) return asked
    const names = called.map(({ name }) => name)
    if (shells === 'posix' || readsInAnyShell(text, names, shells))
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

/** What is said of a line that changes nothing and does not run unasked all the same; nothing where it does. */
function notUnasked(called: readonly Called[], machine: Machine | undefined): ShellReading | undefined {
  const repositories = repositoryReads(called, machine)
  const secrets = [...secretReads(called), ...repositories.secrets]
  const endless = called.flatMap((each) => {
    const why = endlessOf(each)
    return why === undefined ? [] : [[each, why] as const]
  })
  const all = [...repositories.more, ...secrets, ...endless]
  const dangers = all.map(([{ from, to }, sentence]) => ({ sentence, from, to }))
  if (dangers.length === 0) return undefined
  const sentences = [...new Set(dangers.map(({ sentence }) => sentence))]
  const advice = endless.length > 0 ? ['`timeout 60` before a command ends it.'] : []
  if (repositories.more.length > 0)
    return { risk: 'high', operation: 'destructive', reasons: someOf(sentences), dangers }
  return {
    risk: secrets.length > 0 ? 'high' : 'medium',
    operation: 'write',
    reasons: [...someOf(sentences), 'It changes nothing.', ...advice],
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

/** What a parser would have found nobody knows, so it is the worst that one can find: a line may delete everything. */
const missingParser: ShellReading = {
  risk: 'critical',
  operation: 'destructive',
  reasons: [
    'It cannot be read as a line of a shell (the package unbash, which reads such lines, is not loaded), so it is critical.',
  ],
  dangers: [],
}

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

/** What is known of a place in a line from what stands around it. */
interface Around {
  /** What runs there gets its input from something in the line. */
  readonly fed: boolean
  /** The word into which what runs there is put. */
  readonly into?: Word
  readonly where: Place
}

/** Where a line has come to. */
interface Place {
  readonly machine: Machine | undefined
  folders: Folders
}

const placeOf = (machine: Machine | undefined): Place => ({ machine, folders: [machine?.folder] })

/** Whether everything in a script is known to read; `called` takes its commands. */
function readsScript(script: Pick<ParsedScript, 'commands' | 'errors'>, called: Called[], around: Around): boolean {
  const { where } = around
  const home = where.machine?.home
  const statement = ({ command, background }: Statement, fed: boolean): boolean =>
    background !== true && reads(command, fed)
  const list = ({ commands }: { readonly commands: readonly Statement[] }, fed: boolean): boolean =>
    commands.every((each) => statement(each, fed))
  const word = (each: Word): ShellWord | undefined =>
    wordOf(each, (inner) => readsScript(inner, called, { ...around, into: around.into ?? each }))

  function add(
    { pos, end }: { readonly pos: number; readonly end: number },
    said: Pick<Called, 'name' | 'args' | 'inputs' | 'fed'>,
  ): void {
    const { into } = around
    called.push({
      ...said,
      folders: where.folders,
      from: into?.pos ?? pos,
      to: into?.end ?? end,
      substituted: into !== undefined,
    })
  }

  function reads(node: PipelineNode | AndOr, fed: boolean): boolean {
    switch (node.type) {
      case 'Command': {
        const [name, ...args] = [node.name, ...node.args].map((each) =>
          each?.type === 'Word' ? word(each) : undefined,
        )
        const inputs = inputsOf(node.redirects)
        if (node.prefix.some(({ type }) => type === 'Assignment') || inputs === undefined) return false
        if (name?.exact === undefined) return false
        const given = args.filter((each) => each !== undefined)
        if (given.length < args.length) return false
        add(node, { name: name.exact, args: given, inputs, fed })
        if (bare(name.exact) === 'cd') where.folders = anyOf(where.folders, cdLeadsTo(given, where.folders, home))
        return (
          onlyReads(name.exact, given) || (where.machine !== undefined && bare(name.exact) === 'git' && gitLooks(given))
        )
      }
      case 'Pipeline':
        return (
          node.prefixes.every(({ type }) => type === 'Negation') &&
          node.commands.every((each, at) => reads(each, fed || at > 0))
        )
      case 'AndOr': {
        const before = where.folders
        const isRead = node.commands.every((each) => {
          const from = where.folders
          if (!reads(each, fed)) return false
          // What stands behind it runs only where it did not fail; with a redirection it may, whatever the folder is.
          const isSure = node.operators.every((each) => each === '&&') && each.type === 'Command'
          const isCd = isSure && each.redirects.length === 0 && bare(each.name?.value ?? '') === 'cd'
          const args = isCd ? called.at(-1)?.args : undefined
          if (args !== undefined) where.folders = cdLeadsTo(args, from, home)
          return true
        })
        where.folders = anyOf(before, where.folders)
        return isRead
      }
      case 'Subshell':
      case 'BraceGroup':
        return list(node.body, fed)
      case 'Redirected': {
        const inputs = inputsOf(node.redirects)
        if (inputs === undefined) return false
        if (inputs.length > 0) add(node, { name: 'cat', args: inputs, inputs: [], fed: true })
        return reads(node.command, fed || inputs.length > 0)
      }
      case 'If':
        return (
          [node, ...node.elif].every(({ clause, then }) => list(clause, fed) && list(then, fed)) &&
          (!node.else || list(node.else, fed))
        )
      case 'For': {
        const words = node.wordlist?.map(word) ?? [undefined]
        const known = words.filter((each) => each !== undefined)
        add(node, { name: 'for', args: known, inputs: [], fed: true })
        const [before, first] = [where.folders, called.length]
        const isRead = list(node.body, fed)
        // Each time around it goes further.
        if (where.folders.length > before.length) {
          where.folders = [undefined]
          for (const each of called.splice(first)) called.push({ ...each, folders: where.folders })
        }
        // Other names mean something to a shell: PATH, IFS, and zsh's `path`.
        return isRead && known.length === words.length && /^(?:[a-z]|file|dir|name|line|item)$/.test(node.name.text)
      }
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

  /** The files that are read; nothing where a redirection may do more. */
  function inputsOf(redirects: readonly Redirection[]): readonly ShellWord[] | undefined {
    const found = redirects.map(harmless)
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? [])
  }

  function harmless(each: Redirection): readonly ShellWord[] | undefined {
    if (each.type !== 'Redirect' || each.descriptor?.type === 'FileDescriptorVariable') return undefined
    const target = each.target && word(each.target)
    if (target?.exact === undefined) return undefined
    // Where a shell takes one digit, more of them are a word: `uniq a 10>/dev/null` writes the file 10.
    if (each.descriptor !== undefined && each.descriptor.end - each.descriptor.pos > 1) return undefined
    // bash opens a connection where it reads /dev/tcp.
    if (each.operator === '<' && (target.exact === '/dev/null' || !/^\/+dev\//.test(target.exact))) return [target]
    // dash sees the end of a command in the "&" of `&>/dev/null touch a`.
    const isHarmless =
      target.exact === '/dev/null'
        ? /^(?:>>?|>\|)$/.test(each.operator)
        : /^[<>]&$/.test(each.operator) && /^(?:\d|-)$/.test(target.exact)
    return isHarmless ? [] : undefined
  }

  return script.errors?.[0] === undefined && list(script, around.fed)
}
