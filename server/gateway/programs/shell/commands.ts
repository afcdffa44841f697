// Commands that only read, each with the options that are known to read: as GNU, BSD with macOS, and BusyBox have them. What
// is not listed is no read. Absent on purpose, though they read as a rule: what does what the files of a folder configure
// (most of `git`), `tar` and `zip` (programs by option, machines by name), `less` and `man` (commands of their own), `curl`
// (sends what its address says).
import { bare } from './called.ts'
import { gitReads } from './git.ts'
import { listed, type Rule } from './listed.ts'
import { jqProgram } from './secret-variables.ts'
import { exactWord, type ShellWord } from './words.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** They neither write nor run anything, whatever they are given. */
const any = words(`
  : basename cat cd cksum cmp column comm cut df diff dirname du echo egrep expand expr false fgrep fmt fold free grep
  groups head hexdump id join ls lsblk lscpu md5sum nl nproc od paste printenv ps pwd readlink realpath rev seq sha1sum
  sha256sum sha512sum sleep stat strings tac tail tr true tty type unexpand uptime wc whereis which who whoami`)

const nothing: Rule = (args) => args.length === 0

const tests = new Set(
  words(`( ) ! , -a -o -and -or -not -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -type
    -size -mtime -mmin -atime -amin -ctime -cmin -newer -newermt -maxdepth -mindepth -empty -perm -user -group -uid -gid
    -nouser -nogroup -links -inum -samefile -readable -writable -executable -prune -quit -print -print0 -printf -ls -mount
    -xdev -depth -follow -true -false -H -L -P -E`),
)

/** A variable or a pattern may become any test of `find`, `-delete` too. */
const find: Rule = (args) =>
  args.every(({ exact, operand }) => (exact === undefined ? operand : tests.has(exact) || /^[^-]|^-?\d/.test(exact)))

const address = String.raw`(?:\+?\d+|\$|/[^/\\\n[\]]*/)`
const part = String.raw`(?:(?!\1)[^\\\n[\]{}])*`
/** Addresses with p, d, q and =, and replacements: never w, r, e, or a command in braces. */
const command = new RegExp(
  String.raw`^(?:${address}(?:,${address})?)? ?(?:[pdq=]|s([/|#,])${part}\1${part}\1[gpIi\d]*)$`,
)

const sed: Rule = (args) => {
  const first = args.findIndex(({ exact }) => !/^-[nErs]+$/.test(exact ?? ''))
  const [script, ...files] = args.slice(Math.max(first, 0))
  return (
    first >= 0 &&
    script?.exact !== undefined &&
    script.exact.split(';').every((each) => command.test(each.trim())) &&
    files.every(({ operand }) => operand)
  )
}

/** Fields, counts and sums, printed: no ">" and no "|", which lead elsewhere, no pattern, and no other name. */
const program =
  /^(?:[\s{}()[\];,+*%?:=!&<.\d-]|\$(?=[\dN])|"(?:[^"\\\n|>]|\\[nt])*"|\b(?:BEGIN|END|NR|NF|FNR|FS|OFS|RS|ORS|FILENAME|printf?|length|substr|toupper|tolower|index|int|if|else|in|next|seen|sum|total|count|max|min|[a-z])\b)+$/

const awk: Rule = (args) => {
  const isApart = args[0]?.exact === '-F'
  const [given, ...files] = args.slice(isApart ? 2 : /^-F./s.test(args[0]?.exact ?? '') ? 1 : 0)
  return (
    (!isApart || args[1]?.exact !== undefined) &&
    given?.operand === true &&
    program.test(given.exact ?? '') &&
    // An address of gawk.
    files.every(({ operand, exact }) => operand && exact?.startsWith('/inet') !== true)
  )
}

const unary = /^-[bcdefhLnprsSuwxz]$/

/** One test. Numbers are compared by evaluating them, and what is evaluated may run something. */
const test: Rule = (args) => {
  const [first, second, third, ...more] = args[0]?.exact === '!' ? args.slice(1) : args
  if (more.length > 0 || !args.every((word) => word.one)) return false
  return third === undefined ? unary.test(first?.exact ?? '') : /^!?=$/.test(second?.exact ?? '')
}

/** Formats of numbers evaluate what they are given, and `-v` names a variable to set. */
const printf: Rule = ([format]) => /^(?!-)(?:[^%\\]|\\[nt\\]|%-?\d{0,3}s|%%)*$/.test(format?.exact ?? '-')

const jqOptions = listed({
  flags: /^-[rcesnSMCRaj]+$|^--(?:raw-output|compact-output|slurp|null-input|sort-keys|tab)$/,
})

/** A program that is known beforehand and brings no file along. */
const jq: Rule = (args) =>
  jqOptions(args) && !/\b(?:import|include|modulemeta)\b/.test(jqProgram(args)?.exact ?? 'import')

const ignored = words('-0 -r -t --null --no-run-if-empty')

/** Runs a command that may be given anything, with whatever comes. */
const xargs: Rule = (args) => {
  let at = 0
  for (; args[at]?.exact?.startsWith('-'); at++) {
    if (ignored.includes(args[at]?.exact ?? '') || /^-[nPL]\d+$|^-I(?:\{\}|%)$/.test(args[at]?.exact ?? '')) continue
    // BusyBox replaces in the command, too: `-I 1 sha1sum`.
    const value = args[at]?.exact === '-I' ? /^(?:\{\}|%)$/ : /^\d+$/
    if (!/^-[nPLI]$/.test(args[at]?.exact ?? '') || !value.test(args[++at]?.exact ?? '')) return false
  }
  const { exact } = args[at] ?? {}
  return at === args.length || (exact !== undefined && any.includes(bare(exact)))
}

const timeout: Rule = ([time, command, ...args]) =>
  /^\d{1,6}[smh]?$/.test(time?.exact ?? '') && command?.exact !== undefined && onlyReads(command.exact, args)

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...any.map((name) => [name, () => true] as const),
  ['[', (args) => args.at(-1)?.exact === ']' && test(args.slice(0, -1))],
  ['awk', awk],
  ['base64', listed({ flags: /^(?:-[dD]|-w\d+|--decode)$/, most: 1 })],
  ['command', ([first, ...names]) => /^-[vV]$/.test(first?.exact ?? '') && names.every(({ operand }) => operand)],
  ['date', listed({ flags: /^(?:-[uR]|-I(?:date|hours|minutes|seconds)?|--utc)$/, operand: /^\+/, most: 1 })],
  ['env', nothing],
  ['file', listed({ flags: /^-[bhiIL]+$|^--(?:brief|mime|mime-type|mime-encoding)$/ })],
  ['find', find],
  ['git', gitReads],
  ['hostname', listed({ flags: /^-[fsiI]$/, most: 0 })],
  ['jq', jq],
  // `-i@host` asks for the address of the host, `+r` never ends.
  ['lsof', listed({ flags: /^-i[^\s@]*$|^-[nPta]+$/, valued: /^-[puc]$/, operand: /^[^+@]/ })],
  ['netstat', listed({ flags: /^-[tulnpae46]+$/, most: 0 })],
  ['printf', printf],
  [
    'rg',
    listed({
      flags:
        /^-[aFHhIiLlNnoPpqSsUuvwxc]+$|^-[ABCm]\d+$|^--(?:files|hidden|no-ignore|count|stats|json|files-with-matches|line-number|ignore-case|no-heading|heading|(?:glob|type|context|max-count|max-depth|color|sort)=.+)$/,
      valued: /^-[FHhIiLlNnoPSsUuvwxc]*[ABCmgtTe]$|^--(?:glob|type|context|max-count|max-depth|color|sort)$/,
    }),
  ],
  ['sed', sed],
  [
    'sort',
    listed({
      flags:
        /^-[bdfghiMnRrsuVzcC]+$|^-[bdfghiMnRrsuVz]*(?:k[\d.,bdfghiMnRrV]+|t.)$|^--(?:reverse|unique|numeric-sort|human-numeric-sort|version-sort|ignore-case)$/s,
      valued: /^-[bdfghiMnRrsuVz]*[kt]$/,
    }),
  ],
  ['sleep', listed({ flags: /^$/, operand: /^\d{1,3}(?:\.\d+)?s?$/, most: 1 })],
  ['ss', listed({ flags: /^-[tulnpaxe46sioH]+$/, most: 0 })],
  ['test', test],
  ['timeout', timeout],
  [
    'tree',
    listed({ flags: /^-[adfilnphsugDFCQNqxvtrU]+$|^--(?:dirsfirst|du|prune|noreport|gitignore)$/, valued: /^-[LIP]$/ }),
  ],
  ['uname', listed({ flags: /^-[asnrmpiov]+$/, most: 0 })],
  ['uniq', listed({ flags: /^-[cdiuz]+$|^-[fsw]\d+$|^--(?:count|repeated|unique)$/, most: 1 })],
  ['xargs', xargs],
])

const versions: ReadonlyMap<string, RegExp> = new Map([
  ...words('bash curl docker jq').map((name) => [name, /^--version$/] as const),
  ['node', /^(?:--version|-v)$/],
  ...words('python python3').map((name) => [name, /^(?:--version|-V)$/] as const),
])

/** Whether a command with these arguments is known to read, and no more. */
export function onlyReads(called: string, args: readonly ShellWord[]): boolean {
  const name = bare(called)
  const [only, ...more] = args
  return rules.get(name)?.(args) ?? (more.length === 0 && versions.get(name)?.test(only?.exact ?? '') === true)
}

/** Commands that read under the same name in PowerShell and in cmd, or do not exist there. */
const onWindows = words('cat cd echo find grep head ls ps pwd tail type wc whoami')

/**
 * Whether each command of a pipe also reads in PowerShell, where some are others: their `-OutVariable` sets a variable,
 * which may be a file, `ps -ComputerName` asks another machine, and what comes through a pipe is a path.
 */
const readsInPowerShell = (text: string): boolean =>
  text.split('|').every((command, at) => {
    const [name = '', ...args] = command.trim().split(/\s+/)
    if (!/^(?:cat|cd|echo|ls|ps|pwd|type)$/.test(name)) return true
    const option = name === 'ps' ? /^-(?:A|ef)$/ : /^-[1AaFGhlnRrSst]*$/
    return (
      (at === 0 || name === 'echo' || name === 'pwd') && args.every((each) => /^[^-]/.test(each) || option.test(each))
    )
  })

/**
 * Whether a line, of which the shell reads with these commands, also reads where less is known of what runs it: a shell
 * that gets it in quotes of somebody else's, a program that cuts it at the blanks and has no shell. `shells` that nobody
 * knows may be PowerShell and cmd.
 */
export function readsInAnyShell(text: string, called: readonly string[], shells: 'said' | 'unknown'): boolean {
  const isPlain = shells === 'said' ? /^[\w .,:/=+*~|;&\n-]*$/ : /^[\w .,:/=+*~|-]*$/
  const [name = '', ...args] = text.trim().split(/\s+/)
  return (
    isPlain.test(text) &&
    !text.includes('//') &&
    onlyReads(name.replace(/;$/, ''), args.map(exactWord)) &&
    (shells === 'said' || (called.every((each) => onWindows.includes(each)) && readsInPowerShell(text)))
  )
}

/** Every command of which something is known to read, and those that may be given anything, for the tests that run them. */
export const knownCommands: readonly string[] = [...rules.keys()]
export const anyArguments: readonly string[] = any
