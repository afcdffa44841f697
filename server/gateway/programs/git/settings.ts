// Which settings of git matter where somebody only looks. Of those that a repository brings only a few that are plainly data
// are harmless, each by its whole name; of its user's own, which hold for every repository, all but what is known to run
// something. No value is ever shown: some are secrets.
// Git itself was asked, with a program as the value of each (`test/server/gateway/programs/git-settings.test.ts`).

/** One setting that holds for a folder. */
export interface Setting {
  /** As git prints it: section and name in small letters. */
  readonly key: string
  readonly value: string
  /** The file, or where else it stands. */
  readonly origin: string
  /** Whether the user of the machine says it, and not the repository. */
  readonly ofUser: boolean
}

/** What a repository may say: how its files lie there, names, addresses, and what only other subcommands read. */
const data =
  /^(?:core\.(?:repositoryformatversion|filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths|quotepath|hookspath|sparsecheckout|sparsecheckoutcone)|extensions\.(?:objectformat|worktreeconfig)|remote\.[\w./-]+\.(?:url|pushurl|fetch|gh-resolved)|branch\..+\.(?:remote|merge|rebase|pushremote|vscode-merge-base|gh-merge-base)|remote\.pushdefault|user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|commit\.gpgsign|gc\.auto|lfs\.repositoryformatversion|submodule\.(?:active|.+\.(?:active|url)))$/

/** What runs or reaches something, switches on what does, or prints an address, also where the user has set it. */
const runs =
  /^(?:core\.(?:fsmonitor|gvfs|virtual.*|worktree)|diff\.(?:external|submodule|.+\.(?:command|textconv))|extensions\.partialclone|filter\..+\.(?:clean|process|smudge)|format\.pretty|hook\..*|log\.(?:diffmerges|showsignature)|pretty\..*|remote\..+\.(?:partialclonefilter|promisor)|branch\..+\.(?:remote|pushremote)|remote\.pushdefault|status\.submodulesummary)$/

/** Of these the value is a command. */
const commands = /^(?:core\.fsmonitor|diff\.(?:external|.+\.(?:command|textconv))|filter\..+|hook\..*\.command)$/

type Fits = readonly (readonly [key: RegExp, value: RegExp])[]

/** Values with which they run nothing of somebody's choice. What git-lfs writes of itself starts git-lfs, by name. */
const harmless: Fits = [
  [/^core\.(?:bare|fsmonitor)$/, /^(?:false|)$/i],
  [/^diff\.submodule$/, /^short$/],
  [/^(?:log\.showsignature|status\.submodulesummary|remote\..+\.promisor)$/, /^(?:false|no|off|0)$/i],
  [/^(?:branch\..+\.(?:remote|pushremote)|remote\.pushdefault)$/, /^[\w.-]+$/],
  [/^filter\.lfs\.(?:clean|smudge)$/, /^git-lfs (?:clean|smudge(?: --skip)?) -- %f$/],
  [/^filter\.lfs\.process$/, /^git-lfs filter-process(?: --skip)?$/],
  [/^filter\..+\.required$/, /^(?:true|false)$/],
]

/** The same of what only its user may say. */
const harmlessOfUser: Fits = [
  [/^core\.fsmonitor$/, /^true$/i],
  [/^(?:format\.pretty|pretty\..+)$/, /^[^G]*$/],
]

const fits = (list: Fits, key: string, value: string): boolean =>
  list.some(([name, those]) => name.test(key) && those.test(value))

/** A key without an address in it, in which a token may stand: `url.https://token@host.insteadof`. */
const shown = (key: string): string => {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  return /[:@]/.test(key.slice(first, last)) ? `${key.slice(0, first)}.…${key.slice(last)}` : key
}

/** What is said of a setting with which git may do more than read; nothing where it does not. */
export function objectionTo(
  { key, value, origin, ofUser }: Setting,
  isItsOwn: (worktree: string) => boolean,
): string | undefined {
  if (fits(harmless, key, value) || (ofUser && fits(harmlessOfUser, key, value))) return undefined
  if (key === 'core.worktree' && isItsOwn(value)) return undefined
  if (commands.test(key)) return `git would run what ${shown(key)} names in ${origin}.`
  if (runs.test(key)) return `git may do more than read by ${shown(key)} in ${origin}.`
  return ofUser || data.test(key) ? undefined : `It is not known that git only reads with ${shown(key)} in ${origin}.`
}
