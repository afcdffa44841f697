// Which settings of git matter where somebody only looks. Of those that a repository brings only what is known to run and to
// reach nothing is harmless; of its user's own, which hold for every repository, all but what is known to run something.
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

/** Whole sections of which nothing runs where somebody looks; the second half matters only to what changes or fetches. */
const sections =
  /^(?:advice|author|blame|branch|color|column|committer|grep|i18n|include|includeif|index|notes|tag|user|versionsort|alias|checkout|clean|clone|commit|credential|difftool|fetch|gc|gpg|gui|http|init|maintenance|merge|mergetool|pack|protocol|pull|push|rebase|receive|rerere|safe|stash|transfer|url|worktree)\./

const names: Readonly<Record<string, RegExp>> = {
  core: /^(?:abbrev|askpass|attributesfile|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commitgraph|compression|editor|eol|excludesfile|filemode|fscache|fsync|fsyncmethod|hidedotfiles|hookspath|ignorecase|logallrefupdates|longpaths|loosecompression|multipackindex|notesref|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|splitindex|sshcommand|symlinks|trustctime|untrackedcache|usereplacerefs|warnambiguousrefs|whitespace)$/,
  diff: /^(?:algorithm|autorefreshindex|colormoved|colormovedws|context|dirstat|guitool|ignoresubmodules|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|relative|renamelimit|renames|statgraphwidth|submodule|suppressblankempty|tool|wordregex|wserrorhighlight|.+\.(?:algorithm|binary|funcname|wordregex|xfuncname))$/,
  extensions: /^(?:noop|objectformat|preciousobjects|refstorage|relativeworktrees|worktreeconfig)$/,
  feature: /^(?:experimental|manyfiles)$/,
  lfs: /^(?:repositoryformatversion|.+\.access|.+\.locksverify)$/,
  log: /^(?:abbrevcommit|date|decorate|follow|mailmap|showroot)$/,
  remote:
    /^(?:pushdefault|.+\.(?:fetch|gh-resolved|mirror|prune|prunetags|push|pushurl|skipdefaultupdate|skipfetchall|tagopt|url))$/,
  status:
    /^(?:aheadbehind|branch|displaycommentprefix|relativepaths|renamelimit|renames|short|showstash|showuntrackedfiles)$/,
  submodule: /^(?:active|recurse|.+\.(?:active|branch|fetchrecursesubmodules|ignore|path|update|url))$/,
}

/** What runs or reaches something, or switches on what does, also where the user has set it. */
const runs =
  /^(?:core\.(?:fsmonitor|gvfs|virtual.*|worktree)|diff\.(?:external|.+\.(?:command|textconv))|extensions\.partialclone|filter\..+\.(?:clean|process|smudge)|format\.pretty|hook\..*|log\.showsignature|pretty\..*|remote\..+\.(?:partialclonefilter|promisor)|status\.submodulesummary)$/

/** Of these the value is a command. */
const commands = /^(?:core\.fsmonitor|diff\.(?:external|.+\.(?:command|textconv))|filter\..+|hook\..*\.command)$/

/** Values with which they run nothing of somebody's choice. What git-lfs writes of itself starts git-lfs, by name. */
const harmless: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^core\.fsmonitor$/, /^(?:true|false|)$/i],
  [/^(?:log\.showsignature|status\.submodulesummary|remote\..+\.promisor)$/, /^(?:false|no|off|0)$/i],
  [/^(?:format\.pretty|pretty\..+)$/, /^(?!.*%G)/s],
  [/^filter\.lfs\.(?:clean|smudge)$/, /^git-lfs (?:clean|smudge(?: --skip)?) -- %f$/],
  [/^filter\.lfs\.process$/, /^git-lfs filter-process(?: --skip)?$/],
  [/^filter\..+\.required$/, /^(?:true|false)$/],
]

/** What is said of a setting with which git may do more than read; nothing where it does not. */
export function objectionTo(
  { key, value, origin, ofUser }: Setting,
  isItsOwn: (worktree: string) => boolean,
): string | undefined {
  if (harmless.some(([name, fits]) => name.test(key) && fits.test(value))) return undefined
  if (key === 'core.worktree' && isItsOwn(value)) return undefined
  const shown = JSON.stringify(value.slice(0, 100))
  if (commands.test(key)) return `git would run ${shown}, which ${key} names in ${origin}.`
  if (runs.test(key)) return `git may do more than read by ${key} = ${shown} in ${origin}.`
  if (ofUser || sections.test(key)) return undefined
  const dot = key.indexOf('.')
  return names[key.slice(0, dot)]?.test(key.slice(dot + 1)) === true
    ? undefined
    : `It is not known that git runs nothing by ${key} = ${shown} in ${origin}.`
}
