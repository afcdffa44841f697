// What of git reads, whatever a repository configures. A repository says what runs: `core.fsmonitor`, filters and a hook with
// `git status`, `diff.external` and `textconv` with `git diff`, `gpg.program` with `git log`, a pager where somebody looks
// on; and where an object is missing, whatever reads one fetches it with `core.sshCommand`: a list of branches or tags, too,
// where `branch.sort` or `tag.sort` orders it by what they point to. What reads no object and no file runs none (ADR 43).
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

/** Whether git with these words reads, and runs nothing that a repository names. */
export function gitReads(args: readonly ShellWord[]): boolean {
  const words = args.map(({ exact }) => exact)
  let at = 0
  let isUnpaged = false
  for (; words[at]?.startsWith('-'); at++) {
    if (words[at] === '--no-pager') isUnpaged = true
    else if (words[at] === '--version') return at === words.length - 1
    else if (words[at] !== '-C' || words[++at] === undefined) return false
  }
  const [name = '', ...given] = words.slice(at)
  const known = Object.hasOwn(harmless, name) ? harmless[name] : undefined
  return (
    known !== undefined &&
    (known.unpaged !== true || isUnpaged) &&
    (known.needs === undefined || given.includes(known.needs)) &&
    given.every((each) => each !== undefined && known.args.test(each)) &&
    // A second word would be what is set.
    given.filter((each) => each?.startsWith('-') === false).length <= 1
  )
}
