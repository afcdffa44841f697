// Reads whose answer holds a secret: of the places in which secrets are kept, and of variables. They change nothing, and
// what they print goes to the agent.
import { isSecretPlace } from '../../rating/secret-places.ts'
import { isSecretName } from '../../../policy/secret-names.ts'
import { bare, type Called } from './called.ts'
import type { ShellWord } from './words.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** They say that a file is there, how it is called and how large it is, and not what it holds. */
const naming = new Set(
  words(`ls stat test [ find du df which who whereis command basename dirname readlink realpath tree echo printf pwd wc
    file cd for true false sleep md5sum sha1sum sha256sum sha512sum cksum`),
)

/** Their first word that is no option is looked for, or a program, and no file. */
const searching = new Set(words('grep egrep fgrep rg sed awk jq'))
const givesPattern = /^-[a-zA-Z]*[ef]$|^--(?:regexp|file|expression)(?:=|$)/

/** Behind these the next word is theirs: `rg -g .env KEY`. */
const takesNext = /^-[a-zA-Z]*[ABCmgtT]$|^--(?:glob|iglob|type|type-not|context|max-count|max-depth|color|sort)$/

function filesOf({ name, args, inputs }: Called): readonly ShellWord[] {
  const isSearch = searching.has(bare(name)) && !args.some(({ exact }) => givesPattern.test(exact ?? ''))
  const first = isSearch
    ? args.findIndex(({ pattern }, at) => !pattern.startsWith('-') && !takesNext.test(args[at - 1]?.pattern ?? ''))
    : -1
  return [...args.filter((_, at) => at !== first), ...inputs]
}

/** The place that a word names; of an option the one behind its sign. */
function placeIn({ pattern }: ShellWord): string | undefined {
  const path = pattern.replace(/^-[^=]*=/, '')
  return isSecretPlace(path) ? path : undefined
}

/** Addresses of databases, in which a password stands. */
const databaseAddress =
  /^(?:\w+_)?(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|AMQP|BROKER)_(?:URL|URI|DSN)$/i

/** Variables that are called like a secret, and not the one of the folder. */
const secretVariable = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (isSecretName(name) || databaseAddress.test(name))

/** A command, and those that it starts: `timeout 60 env`. What `xargs` starts is given more than stands there. */
function withStarted(called: Called, given = false): readonly (Called & { readonly given: boolean })[] {
  const { name, args } = called
  const isXargs = bare(name) === 'xargs'
  const at = isXargs
    ? args.findIndex(({ exact = '' }) => !/^-|^\d+$|^(?:\{\}|%)$/.test(exact))
    : bare(name) === 'timeout'
      ? 1
      : -1
  const started = args[at]?.exact
  const inner = started === undefined ? [] : [{ ...called, name: started, args: args.slice(at + 1) }]
  return [{ ...called, given }, ...inner.flatMap((each) => withStarted(each, given || isXargs))]
}

/** Options of `ps` whose value is the next word. */
const valuedOfPs = /^-[a-zA-Z]*[CUuGgtpoOskq]$|^--(?:sort|pid|ppid|user|format)$/

/** Without a dash `e` is an option of BSD and asks for the environment, wherever it stands. */
const showsEnvironment = (args: readonly ShellWord[]): boolean =>
  args.some(
    ({ exact }, at) =>
      exact === undefined ||
      exact === '-E' ||
      /environ/i.test(exact) ||
      (/^[a-z]+$/i.test(exact) && /e/i.test(exact) && !valuedOfPs.test(args[at - 1]?.exact ?? '')),
  )

/** What is said of a command that prints variables which hold secrets. */
function printsVariables({ name, args, inputs, given }: Called & { readonly given: boolean }): string | undefined {
  const command = bare(name)
  if (command === 'test' || command === '[') return undefined
  const isOneEach = args.length > 0 && !given && args.every(({ exact }) => /^\w+$/.test(exact ?? ''))
  // PowerShell has a drive of them.
  const isDrive = args.some(({ pattern }) => /^env:/i.test(pattern))
  if (command === 'env' || (command === 'printenv' && !isOneEach) || isDrive)
    return 'Prints every variable of its environment, secrets among them, and they go to the agent.'
  if (command === 'ps' && (given || showsEnvironment(args)))
    return 'Prints the environment of what runs, secrets in it, and they go to the agent.'
  const named = command === 'printenv' ? args.map(({ pattern }) => pattern) : []
  const found = [...named, ...[...args, ...inputs].flatMap(({ variables }) => variables)].find(secretVariable)
  return found === undefined ? undefined : `Prints the variable ${found}, and what it holds goes to the agent.`
}

/** What is said of each command of a line that prints a secret. */
export function secretReads(line: readonly Called[]): readonly (readonly [Called, string])[] {
  const prints = ({ name, args }: Called): boolean =>
    !naming.has(bare(name)) || args.some(({ pattern }) => pattern.startsWith('--files0-from'))
  // What one command names, another may read: `find . -name .env | xargs cat`, `cd ~/.ssh && cat *`.
  const isHandedOn = line.some((each) => each.substituted || /^(?:xargs|for)$/.test(bare(each.name)))
  const isRead = (called: Called): boolean =>
    prints(called) || ((isHandedOn || called.name === 'cd') && line.some(prints))
  return line.flatMap((called): readonly (readonly [Called, string])[] => {
    const [variable] = withStarted(called).flatMap((each) => printsVariables(each) ?? [])
    if (variable !== undefined) return [[called, variable]]
    const place = isRead(called)
      ? filesOf(called)
          .map(placeIn)
          .find((each) => each !== undefined)
      : undefined
    return place === undefined
      ? []
      : [[called, `Reads ${place.slice(0, 100)}, where secrets are kept, and what it holds goes to the agent.`]]
  })
}
