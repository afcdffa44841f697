// Commands that print variables in which secrets stand: those of a line, or of everything that runs.
import { isSecretName } from '../../../policy/secret-names.ts'
import { bare, type Called } from './called.ts'
import type { ShellWord } from './words.ts'

/** Addresses of databases, in which a password stands. */
const databaseAddress =
  /^(?:\w+_)?(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|AMQP|BROKER)_(?:URL|URI|DSN)$/i

/** Their values would say more than these names do; a line has none. */
const keys = /(?<!PUB(?:LIC)?|PRIMARY|SORT|CACHE)_(?:KEY|PAT)$/

/** Variables that are called like a secret, and not the one of the folder. */
const secretVariable = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (isSecretName(name) || keys.test(name) || databaseAddress.test(name))

/** Options of `ps` whose value is the next word. */
const valuedOfPs = /^-[a-zA-Z]*[CUuGgtpoOskq]$|^--(?:sort|pid|ppid|user|format)$/

/** Words with a dash beside which `-e` means every process to Linux; with any other it may read all of them as BSD does. */
const everyProcess = /^-(?:[AadefFlLjHMTwyZNP]*o?|[CGgpqstuU])$|^--/

/**
 * Without a dash `e` is an option of BSD and asks for the environment, wherever it stands; so it is where Linux takes a dash
 * for one too many (`ps -auxe`). With a dash `E` asks macOS for it.
 */
function showsEnvironment(args: readonly ShellWord[]): boolean {
  const words = args.map(({ exact }) => exact)
  const dashed = words.filter((word) => word?.startsWith('-'))
  return (
    words.some(
      (word, at) =>
        word === undefined ||
        /^-[a-zA-Z]*E/.test(word) ||
        /environ/i.test(word) ||
        (/^[a-z]+$/i.test(word) && /e/i.test(word) && !valuedOfPs.test(words[at - 1] ?? '')),
    ) ||
    (dashed.some((word) => /^-[^-CGgopqstU]*e/.test(word ?? '')) &&
      !dashed.every((word) => everyProcess.test(word ?? '')))
  )
}

/** The word of a call of jq that is its program: the first that is no option. */
export const jqProgram = (args: readonly ShellWord[]): ShellWord | undefined =>
  args.find(({ pattern }) => !pattern.startsWith('-'))

/** `env` and `$ENV` of jq, and no field of that name; a comment may stand behind the `$`. */
const environmentOfJq = /(?<![.\w"])(?:env|ENV)\b/

/** What is said of a command that prints variables which hold secrets; `given`: it gets more words than stand there. */
export function printsVariables({
  name,
  args,
  inputs,
  given,
}: Called & { readonly given: boolean }): string | undefined {
  const command = bare(name)
  if (command === 'test' || command === '[') return undefined
  const isOneEach = args.length > 0 && !given && args.every(({ exact }) => /^\w+$/.test(exact ?? ''))
  // PowerShell has a drive of them.
  const isDrive = args.some(({ pattern }) => /^env:/i.test(pattern))
  const isOfJq = command === 'jq' && environmentOfJq.test(jqProgram(args)?.exact ?? '')
  if (command === 'env' || (command === 'printenv' && !isOneEach) || isDrive || isOfJq)
    return 'Prints variables of its environment, secrets among them, and they go to the agent.'
  if (command === 'ps' && (given || showsEnvironment(args)))
    return 'Prints the environment of what runs, secrets in it, and they go to the agent.'
  const named = command === 'printenv' ? args.map(({ pattern }) => pattern) : []
  const found = [...named, ...[...args, ...inputs].flatMap(({ variables }) => variables)].find(secretVariable)
  return found === undefined ? undefined : `Prints the variable ${found}, and what it holds goes to the agent.`
}
