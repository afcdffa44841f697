// Reads whose answer holds a secret: of the places in which secrets are kept, and of variables. They change nothing, and
// what they print goes to the agent.
import { isSecretPlace } from '../../rating/secret-places.ts'
import { bare, withStarted, type Called } from './called.ts'
import { gitCall } from './git.ts'
import { printsVariables } from './secret-variables.ts'
import type { ShellWord } from './words.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** They say that a file is there, how it is called and how large it is, and not what it holds; or start what does. */
const namesOnly = new Set(
  words(`ls stat test [ find du df which who whereis command basename dirname readlink realpath tree echo printf pwd wc
    file cd for xargs true false sleep md5sum sha1sum sha256sum sha512sum cksum`),
)

/** Of a command whose first word that is no option is looked for, or a program, and no file. */
interface Search {
  /** An option that says what is looked for; then that word is a file, too. */
  readonly gives?: RegExp
  /** Options whose next word is no file. */
  readonly besides?: RegExp
  /** Options whose next word may be one. */
  readonly valued?: RegExp
}

const grep: Search = {
  gives: /^-(?!-)[^ABCmdD]*[ef]|^--(?:reg\w*|file)(?:=|$)/,
  besides: /^-(?!-)[^ABCmdDef]*e$|^--(?:regexp|include|exclude|exclude-dir)$/,
  valued: /^-(?!-)[^ABCmdDef]*[ABCmdDf]$|^--(?:after-context|before-context|context|max-count|label|file)$/,
}
const searches: ReadonlyMap<string, Search> = new Map<string, Search>([
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, grep] as const),
  [
    'rg',
    {
      gives: /^-(?!-)\w*e$/,
      besides: /^-(?!-)\w*e$/,
      valued: /^-(?!-)\w*[ABCmgtT]$|^--(?:glob|type|context|max-count|max-depth|color|sort)$/,
    },
  ],
  ['sed', {}],
  ['awk', {}],
  ['jq', {}],
])

/** The words of a command that may name a file which it reads. */
function filesOf({ name, args, inputs }: Called): readonly ShellWord[] {
  const search = searches.get(bare(name))
  // Behind `--` nothing is an option, whatever it looks like.
  if (search === undefined || args.some(({ exact }) => exact === '--')) return [...args, ...inputs]
  const options: ShellWord[] = []
  const operands: ShellWord[] = []
  let isGiven = false
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as ShellWord
    // What an option will be is not known beforehand.
    const option = word.exact ?? '-e'
    if (!word.pattern.startsWith('-')) {
      operands.push(word)
      continue
    }
    isGiven ||= search.gives?.test(option) === true
    if (word.exact !== undefined && search.besides?.test(option)) at++
    else if (word.exact !== undefined && search.valued?.test(option)) options.push(...args.slice(++at, at + 1))
    else if (!/^--(?:include|exclude(?:-dir)?)=/.test(option)) options.push(word)
  }
  return [...options, ...(isGiven ? operands : operands.slice(1)), ...inputs]
}

/** Subcommands of git that print what a file holds; the others say that it is there. */
const printing = new Set(words('blame cat-file diff grep log show stash'))

/** The place that a word names; of an option the one behind its sign, for git the one behind a revision (`HEAD:.env`). */
function placeIn({ pattern }: ShellWord, command: string): string | undefined {
  const path = pattern.replace(/^-[^=]*=/, '').replace(command === 'git' ? /^.*:/s : /^$/, '')
  return isSecretPlace(path) ? path : undefined
}

/** Whether a command, or the one that it starts, prints what files hold; the names of files that a file lists, too. */
function prints(called: Called): boolean {
  const { name, args } = withStarted(called).at(-1) ?? called
  // What `xargs` is given as its input becomes words of what it starts, which says them.
  if (bare(called.name) === 'xargs' && called.inputs.length > 0) return true
  if (bare(name) === 'git') return printing.has(gitCall(args)?.name ?? '')
  return (
    !namesOnly.has(bare(name)) ||
    (/^(?:wc|du)$/.test(bare(name)) && args.some(({ pattern }) => /^-(?:-f|\*)/.test(pattern)))
  )
}

/** What is said of each command of a line that prints a secret. */
export function secretReads(line: readonly Called[]): readonly (readonly [Called, string])[] {
  // What one command names, another may read: `find . -name .env | xargs cat`, `cd ~/.ssh && cat *`.
  const isHandedOn = line.some((each) => each.substituted || /^(?:xargs|for)$/.test(bare(each.name)))
  const isRead = (called: Called): boolean =>
    prints(called) || ((isHandedOn || called.name === 'cd') && line.some(prints))
  return line.flatMap((called): readonly (readonly [Called, string])[] => {
    const started = withStarted(called)
    const [variable] = started.flatMap((each) => printsVariables(each) ?? [])
    if (variable !== undefined) return [[called, variable]]
    const place = isRead(called)
      ? filesOf(started.at(-1) ?? called)
          .map((word) => placeIn(word, bare((started.at(-1) ?? called).name)))
          .find((each) => each !== undefined)
      : undefined
    return place === undefined
      ? []
      : [[called, `Reads ${place.slice(0, 100)}, where secrets are kept, and what it holds goes to the agent.`]]
  })
}
