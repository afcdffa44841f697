// What of git reads. A repository says what runs: `core.fsmonitor`, filters and a hook with `git status`, `diff.external` and
// `textconv` with `git diff`, `gpg.program` with `git log`, a pager where somebody looks on; and where an object is missing,
// whatever reads one fetches it with `core.sshCommand`. What reads no object and no file runs none of that, whatever a
// repository says (`gitReads`); most only reads where a look at the repository finds nothing of that kind (`gitLooks`, ADR 43).
import { gitCommands } from './git-commands.ts'
import type { ShellWord } from './words.ts'

/** What is given to a subcommand, and what has to be; `unpaged` is what a pager may be started for. */
const harmless: Readonly<Record<string, { readonly args: RegExp; readonly needs?: string; readonly unpaged?: true }>> =
  {
    version: { args: /^$/ },
    'rev-parse': {
      args: /^(?:HEAD|--(?:verify|quiet|short|abbrev-ref|show-toplevel|show-prefix|show-cdup|git-dir|absolute-git-dir|git-common-dir|is-inside-work-tree|is-bare-repository))$/,
    },
    branch: { args: /^--show-current$/, needs: '--show-current' },
    remote: { args: /^$/, unpaged: true },
    'symbolic-ref': { args: /^(?:HEAD|--short|-q)$/, needs: 'HEAD', unpaged: true },
    config: { args: /^(?:--get|--global|--local|user\.(?:name|email)|init\.defaultBranch|pull\.rebase)$/ },
  }

/** The words of a call of git, taken apart. */
export interface GitCall {
  /** What `-C` says, in a row. */
  readonly folders: readonly ShellWord[]
  readonly isUnpaged: boolean
  /** The subcommand; empty where there is none. */
  readonly name: string
  readonly args: readonly ShellWord[]
}

/** Takes a call of git apart; nothing where an option stands before the subcommand that is not known here. */
export function gitCall(words: readonly ShellWord[]): GitCall | undefined {
  const folders: ShellWord[] = []
  let isUnpaged = false
  let at = 0
  for (; words[at]?.exact?.startsWith('-') === true; at++) {
    const next = words[at + 1]
    if (words[at]?.exact === '--no-pager') isUnpaged = true
    else if (words[at]?.exact === '--version' && words.length === at + 1)
      return { folders, isUnpaged, name: 'version', args: [] }
    else if (words[at]?.exact === '-C' && next !== undefined) {
      folders.push(next)
      at++
    } else if (words[at]?.exact !== '--no-optional-locks') return undefined
  }
  return { folders, isUnpaged, name: words[at]?.exact ?? '', args: words.slice(at + 1) }
}

/** Whether git with these words reads, and runs nothing that a repository names, whatever that is. */
export function gitReads(words: readonly ShellWord[]): boolean {
  const call = gitCall(words)
  const known = call !== undefined && Object.hasOwn(harmless, call.name) ? harmless[call.name] : undefined
  if (call === undefined || known === undefined || call.folders.some(({ exact }) => exact === undefined)) return false
  const given = call.args.map(({ exact }) => exact)
  return (
    (known.unpaged !== true || call.isUnpaged) &&
    (known.needs === undefined || given.includes(known.needs)) &&
    given.every((each) => each !== undefined && known.args.test(each)) &&
    // A second word would be what is set.
    given.filter((each) => each?.startsWith('-') === false).length <= 1
  )
}

/** Whether git with these words reads where nothing is configured that runs. */
export function gitLooks(words: readonly ShellWord[]): boolean {
  const call = gitCall(words)
  if (call === undefined || gitReads(words)) return call !== undefined
  // Behind a colon stands which of the files are meant, in ways that name a file otherwise: `:(icase).ENV`.
  return !call.args.some(({ pattern }) => pattern.startsWith(':')) && gitCommands.get(call.name)?.(call.args) === true
}
