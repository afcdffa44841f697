// The subcommands of git that look, each with the options that are known to look. None writes a file, waits for input or
// checks a signature, which starts gpg: `--output`, `--batch`, `%GK`, `%+GK` and the rest are absent on purpose.
import { listed, type Rule } from './listed.ts'

/** Options, each of which one of these patterns takes whole. */
interface Options {
  test(option: string): boolean
}

const either = (...patterns: readonly Options[]): Options => ({
  test: (option) => patterns.some((each) => each.test(option)),
})

/** How each entry is printed: by no name to which a setting gives a meaning, and with what is known to read the entry alone. */
const format =
  /^--(?:pretty|format)=(?:(?:oneline|short|medium|full|fuller|reference|email|raw)$|(?:t?format:|(?=[^]*%))(?:[^%]|%(?:[+\- ]?(?:[HhTtPpsSbBfdDeNm]|[ac][nNeEdDrtiIslLh]|g[DdsnNeE])|[n%]|x[\da-fA-F]{2}|C(?:\([\w, ]*\)|red|green|blue|reset)|[<>]\(\d+(?:,l?m?trunc)?\)))*$)/
/** What is printed of a branch or a tag, or sorts them: all but `signature`, which starts gpg. */
const field =
  /\*?(?:refname|objectname|objecttype|objectsize|upstream|push|HEAD|subject|body|contents|creator|creatordate|(?:tagger|committer|author)(?:name|email|date)?|worktreepath|symref|tag|type|object|tree|parent|if|then|else|end|align|color)(?::[\w:=,./ -]*)?/
    .source
const formatOfRefs = new RegExp(String.raw`^--format=(?:[^%]|%(?:%|[\da-fA-F]{2}|\(${field}\)))*$`)
const sortKey = new RegExp(`^-?(?:v(?:ersion)?:)?${field}$`)
const color = /^--no-color$|^--color(?:=\w+)?$/
const count = /^(?:-\d+|-n\d+|--(?:max-count|skip)=\d+)$/

const diff = either(
  color,
  /^(?:--|-[pusaRwbzcmMCBWrt]|-[MCB]\d+%?|-U\d+)$/,
  /^-[SG]./,
  /^--(?:stat|dirstat|unified|word-diff|word-diff-regex|color-words|color-moved|color-moved-ws|find-renames|find-copies|abbrev|diff-filter|relative|ignore-submodules|inter-hunk-context|diff-algorithm|stat-width|ws-error-highlight)(?:=|$)/,
  // Other values run a `git diff` within submodules, or merge anew with the drivers of the repository.
  /^--(?:submodule=short|diff-merges=(?:off|none|first-parent|1|separate|combined|c|dense-combined|cc))$/,
  /^--(?:shortstat|numstat|compact-summary|summary|name-only|name-status|patch|no-patch|patch-with-stat|raw|cc|check|exit-code|quiet|minimal|patience|histogram|function-context|full-index|binary|text|no-renames|no-ext-diff|no-textconv|no-prefix|no-abbrev|no-relative|no-indent-heuristic|indent-heuristic|pickaxe-all|pickaxe-regex|find-copies-harder|ignore-all-space|ignore-space-change|ignore-space-at-eol|ignore-cr-at-eol|ignore-blank-lines|cached|staged|merge-base|root|no-color-moved)$/,
)
const log = either(
  format,
  count,
  /^--$|^-[giEFPq]$|^-L./,
  /^--(?:oneline|graph|decorate|no-decorate|abbrev-commit|no-abbrev-commit|all|branches|tags|remotes|reverse|merges|no-merges|first-parent|follow|topo-order|date-order|author-date-order|relative-date|parents|children|left-right|left-only|right-only|cherry|cherry-pick|cherry-mark|boundary|simplify-by-decoration|simplify-merges|full-history|dense|sparse|source|no-walk|walk-reflogs|not|all-match|invert-grep|regexp-ignore-case|extended-regexp|fixed-strings|no-notes|no-mailmap|use-mailmap|no-expand-tabs|no-show-signature)$/,
  /^--(?:decorate|branches|tags|remotes|glob|exclude|date|min-parents|max-parents|since|until|after|before|author|committer|grep)=/,
)
const valuedOfLog = /^-[nSGL]$|^--(?:max-count|skip|since|until|after|before|author|committer|grep)$/

const logs = listed({ flags: either(diff, log), valued: valuedOfLog })

const ofRefs = either(
  formatOfRefs,
  color,
  count,
  /^--(?:list|ignore-case|column|no-column|omit-empty|no-abbrev)$/,
  /^--(?:column|sort|abbrev|count|contains|no-contains|merged|no-merged|points-at)=/,
)

/** With keys to sort by that are known to be read from the entry alone. */
const sorted =
  (rule: Rule): Rule =>
  (args) =>
    rule(args) &&
    args.every(({ exact = '' }, at) => {
      const [, inOne] = /^--sort=(.*)$/s.exec(exact) ?? []
      const key = inOne ?? (args[at - 1]?.exact === '--sort' ? exact : undefined)
      return key === undefined || sortKey.test(key)
    })

const chosen = /^--(?:sort|count|contains|no-contains|merged|no-merged|points-at)$/

/** A name that stands by itself would be made, unless an option says that there is a list. */
const refs = (short: RegExp, lists: RegExp): Rule =>
  sorted((args) => {
    const isList = args.some(({ exact = '' }) => lists.test(exact))
    const isLast = chosen.test(args.at(-1)?.exact ?? '')
    return listed({ flags: either(ofRefs, short), valued: chosen, most: isList ? Infinity : 0 })(
      isLast ? args.slice(0, -1) : args,
    )
  })

const behind =
  (verbs: readonly string[], rule: Rule): Rule =>
  ([verb, ...args]) =>
    verbs.includes(verb?.exact ?? '') && rule(args)

/** Whether what stands behind each subcommand is known to look, and no more. */
export const gitCommands: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'blame',
    listed({
      flags: either(
        color,
        /^(?:--|-[wMCsltepfnbk]|--(?:porcelain|line-porcelain|show-email|root))$/,
        /^-L.|^--(?:date|abbrev|ignore-rev)=/,
      ),
      valued: /^-L$/,
    }),
  ],
  [
    'branch',
    refs(
      /^-(?:[avilr]|vv|ar|ra|av|avv|rv)$|^--(?:all|remotes|verbose)$/,
      /^--(?:list|(?:no-)?(?:contains|merged)|points-at)(?:=|$)/,
    ),
  ],
  ['cat-file', listed({ flags: /^-[tspe]$/, most: 2 })],
  [
    'check-ignore',
    (args) =>
      args.some(({ operand }) => operand) &&
      listed({ flags: /^-[vnq]$|^--(?:verbose|non-matching|quiet|no-index)?$/ })(args),
  ],
  ['count-objects', listed({ flags: /^-(?:v|H|vH)$|^--(?:verbose|human-readable)$/, most: 0 })],
  [
    'describe',
    listed({
      flags:
        /^--(?:all|tags|always|long|first-parent|exact-match|contains|debug|(?:abbrev|candidates)=\d+|(?:match|exclude|dirty|broken)=.+|dirty|broken)$/,
    }),
  ],
  ['diff', listed({ flags: diff, valued: /^-[SG]$/ })],
  ['for-each-ref', sorted(listed({ flags: ofRefs, valued: chosen }))],
  [
    'grep',
    listed({
      flags: either(
        color,
        /^(?:--|-[niIlLcwvEFGPhHoqpWza]+|-[ABCm]\d+|--(?:cached|untracked|count|ignore-case|word-regexp|line-number|column|files-with-matches|files-without-match|name-only|show-function|function-context|heading|break|and|or|not|all-match|full-name|only-matching|extended-regexp|fixed-strings|perl-regexp|max-depth=\d+))$/,
      ),
      valued: /^-[ABCme]$/,
    }),
  ],
  ['log', logs],
  [
    'ls-files',
    listed({
      flags:
        /^-[cdmoiksutvz]+$|^--(?:cached|deleted|modified|others|ignored|stage|unmerged|killed|exclude-standard|error-unmatch|full-name|directory|no-empty-directory|eol|deduplicate|abbrev(?:=\d+)?|exclude=.+)?$/,
      valued: /^-x$/,
    }),
  ],
  [
    'ls-tree',
    listed({
      flags: /^-[drtlz]+$|^--(?:long|name-only|name-status|object-only|full-name|full-tree|abbrev(?:=\d+)?)?$/,
    }),
  ],
  ['merge-base', listed({ flags: /^-a$|^--(?:all|octopus|independent|is-ancestor|fork-point)$/ })],
  [
    'reflog',
    (args) =>
      args.length === 0 ||
      (args[0]?.operand === true ? behind(['show'], logs)(args) : logs(args) && args.every(({ operand }) => !operand)),
  ],
  [
    'remote',
    (args) =>
      listed({ flags: /^(?:-v|--verbose)$/, most: 0 })(args) ||
      behind(['get-url'], listed({ flags: /^--(?:push|all)$/, most: 1 }))(args),
  ],
  ['rev-list', listed({ flags: either(log, /^--(?:count|objects|header|timestamp)$/), valued: valuedOfLog })],
  [
    'rev-parse',
    listed({
      flags:
        /^--(?:verify|quiet|short(?:=\d+)?|abbrev-ref(?:=\w+)?|symbolic|symbolic-full-name|all|branches|tags|remotes|show-toplevel|show-prefix|show-cdup|show-superproject-working-tree|show-object-format|git-dir|absolute-git-dir|git-common-dir|is-inside-work-tree|is-inside-git-dir|is-bare-repository|is-shallow-repository)$/,
      valued: /^--git-path$/,
    }),
  ],
  [
    'shortlog',
    (args) =>
      args.some(({ operand, exact }) => operand || exact === '--all') &&
      listed({ flags: either(log, /^-[snec]+$|^--(?:summary|numbered|email)$|^--group=/) })(args),
  ],
  ['show', logs],
  [
    'show-ref',
    listed({
      flags: /^-[qdsh]$|^--(?:head|heads|branches|tags|dereference|quiet|verify|exists|hash(?:=\d+)?|abbrev(?:=\d+)?)$/,
    }),
  ],
  ['stash', behind(['list', 'show'], logs)],
  [
    'status',
    listed({
      flags:
        /^-(?:s|b|sb|bs|v|vv|z|u(?:no|normal|all)?)$|^--(?:|short|branch|long|verbose|show-stash|no-show-stash|porcelain(?:=(?:v?[12]))?|untracked-files(?:=\w+)?|ignored(?:=\w+)?|ignore-submodules(?:=\w+)?|ahead-behind|no-ahead-behind|renames|no-renames|find-renames(?:=\d+%?)?|column(?:=[\w,=]+)?|no-column)$/,
    }),
  ],
  ['tag', refs(/^-[li]$|^-n\d*$/, /^-l$|^-n|^--(?:list|(?:no-)?(?:contains|merged)|points-at)(?:=|$)/)],
  ['worktree', behind(['list'], listed({ flags: /^--(?:porcelain|verbose)$|^-[vz]$/, most: 0 }))],
])
