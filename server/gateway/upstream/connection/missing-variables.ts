// The commonest reason why a server does not start is a variable that it was not given, and it says so in its last words.
// Those are not for agents; the name of the variable is, because it is all that a person needs to put it right. A name is
// taken out of them only where it looks like one of a setting, and nothing else is.

/** A name in capitals, as variables are written; its last part says what it holds. */
const variable =
  /(?<![A-Z0-9_])[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){0,3}_(?:API|KEYS?|TOKENS?|PAT|SECRET|PASSWORD|PASS|PASSPHRASE|CREDENTIALS|USER|USERNAME|EMAIL|ACCOUNT|LOGIN|IDS?|NAME|URL|URI|HOST|HOSTNAME|ENDPOINT|SERVER|DOMAIN|SITE|PORT|DSN|DATABASE|DB|STRING|ORG|ORGANIZATION|TEAM|TENANT|WORKSPACE|PROJECT|REGION|BUCKET|PATH|DIR|DIRECTORY|FILE|ROOT|HOME)(?![A-Z0-9_])/g

/** Words by which a text says that something is to be set. */
const wanting =
  /\b(?:env(?:ironment)?|variables?|requires?d?|missing|needs?|must|set|unset|provided?|specif(?:y|ied)|configured?|defined?|undefined|not found|empty|invalid|credentials?)\b/i

/** Error codes and variables of runtimes, which nobody forgets. */
const ofRuntimes = /^(?:ERR|ERROR|NODE|NPM|PYTHON|UV|DOCKER|JAVA)_/

const mostNamed = 3

/**
 * Which variables a server names in its last words, as words for everybody and as an instruction; `undefined` where it names
 * none. `env` and `args`: what it was started with, which may hold what looks like a name and is a part of a secret.
 */
export function missingVariables(
  lastWords: string,
  { env, args }: { readonly env: Readonly<Record<string, string>>; readonly args: readonly string[] },
): { readonly why: string; readonly remedy: string } | undefined {
  // `docker run -e NAME` names a variable and gives no value.
  const given = [...Object.values(env), ...args.filter((_, at) => !/^(?:-e|--env)$/.test(args[at - 1] ?? ''))]
  const lines = lastWords.split('\n').filter((line) => wanting.test(line))
  const found = [...new Set(lines.flatMap((line) => line.match(variable) ?? []))]
    .filter((name) => !ofRuntimes.test(name) && !given.some((value) => value.includes(name)))
    .slice(0, mostNamed)
  const unset = found.filter((name) => (env[name] ?? '') === '')
  const named = unset.length > 0 ? unset : found
  if (named.length === 0) return undefined
  const names = named.join(', ')
  return unset.length > 0
    ? {
        why: `it names ${names}, which ${named.length === 1 ? 'is' : 'are'} not set for it`,
        remedy: `a person sets ${names} in the \`env\` of its entry (a secret as \`"\${secret:${named[0]}}"\`, after \`countersign secrets set ${named[0]}\`) and starts Countersign anew`,
      }
    : { why: `it names ${names}`, remedy: `a person looks at the value of ${names} in the \`env\` of its entry` }
}
