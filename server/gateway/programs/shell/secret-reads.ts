// Reads whose answer holds a secret: of the places in which secrets are kept, and of variables. They change nothing, and
// what they print goes to the agent.
import { isSecretPlace } from '../../rating/secret-places.ts'
import { isSecretName } from '../../../policy/secret-names.ts'
import { bare, type Called } from './called.ts'
import type { ShellWord } from './words.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** They say that a file is there, how it is called and how large it is, and not what it holds. */
const naming = new Set(
  words(`ls stat test [ find du df which who type whereis command basename dirname readlink realpath tree echo printf pwd wc
    file cd for true false sleep md5sum sha1sum sha256sum sha512sum cksum`),
)

/** Their first word that is no option is looked for, or a program, and no file. */
const searching = new Set(words('grep egrep fgrep rg sed awk jq'))
const givesPattern = /^-[a-zA-Z]*[ef]$|^--(?:regexp|file|expression)(?:=|$)/

function filesOf({ name, args, inputs }: Called): readonly ShellWord[] {
  const isSearch = searching.has(bare(name)) && !args.some(({ exact }) => givesPattern.test(exact ?? ''))
  const first = isSearch ? args.findIndex(({ pattern }) => !pattern.startsWith('-')) : -1
  return [...args.filter((_, at) => at !== first), ...inputs]
}

/** The place that a word names; of an option the one behind its sign. */
function placeIn({ pattern }: ShellWord): string | undefined {
  const path = pattern.replace(/^-[^=]*=/, '')
  return isSecretPlace(path) ? path : undefined
}

/** Variables that are called like a secret, and not the one of the folder. */
const secretVariable = (name: string): boolean => !/^(?:OLD)?PWD$/.test(name) && isSecretName(name)

function variablesOf({ name, args, inputs }: Called): string | undefined {
  const command = bare(name)
  const shows = (which: string): string => `Prints ${which}, and what it holds goes to the agent.`
  if (command === 'test' || command === '[') return undefined
  if (command === 'env' || (command === 'printenv' && args.length === 0))
    return 'Prints every variable of its environment, secrets among them, and they go to the agent.'
  // Behind no dash `e` is an option of BSD and asks for it.
  const [first] = args.map(({ exact = '' }) => exact)
  if (
    command === 'ps' &&
    ((/^[a-z]+$/.test(first ?? '') && first?.includes('e')) || args.some((each) => each.exact === '-E'))
  )
    return 'Prints the environment of what runs, secrets in it, and they go to the agent.'
  const named = command === 'printenv' ? args.map(({ pattern }) => pattern) : []
  const found = [...named, ...[...args, ...inputs].flatMap(({ variables }) => variables)].find(secretVariable)
  return found === undefined ? undefined : shows(`the variable ${found}`)
}

/** What is said of each command of a line that prints a secret. */
export function secretReads(line: readonly Called[]): readonly (readonly [Called, string])[] {
  const prints = (called: Called): boolean => !naming.has(bare(called.name))
  // What one command names, another may read: `find . -name .env | xargs cat`, `cd ~/.ssh && cat *`.
  const isHandedOn = line.some((each) => each.substituted || /^(?:xargs|for)$/.test(bare(each.name)))
  const isRead = (called: Called): boolean =>
    prints(called) || ((isHandedOn || called.name === 'cd') && line.some(prints))
  return line.flatMap((called): readonly (readonly [Called, string])[] => {
    const variable = variablesOf(called)
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
