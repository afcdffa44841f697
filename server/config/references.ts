// Secrets belong in the environment, not in a file that people mail to each other. `${VAR}` is what Claude Code reads,
// `${env:VAR}` what VS Code and Cursor read; `${VAR:-text}` has a default, `$${VAR}` stays as it is. `${secret:NAME}` is a
// secret that is kept sealed on this machine; it stands among the variables under the name `secret:NAME`.
import { fail, ok, type Result } from '../errors/result.ts'
import { isSecretName, secretNameWords } from '../model/secret-name.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** What references stand for. */
export interface Referents {
  /** Of the environment, and the secrets as `secret:NAME`. */
  readonly variables: Variables
  /** Why the secrets are not among them, where they cannot be opened; for operators. */
  readonly unread?: { readonly message: string; readonly next: string } | undefined
}

const reference =
  /\$(\$?)\{(?:(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?|(\s*[Ss](?:ecrets?|ECRETS?)\s*:(?!-)[^{}]*))\}/g
/** What is meant as a secret, with its mistakes: as plain text it would reach a server in place of one. */
const meantAsSecret = /\$(\$?)\{(\s*[Ss](?:ecrets?|ECRETS?)\s*:(?!-)[^{}]*)(\}?)/g

/** Whether a text is one reference and nothing else. */
export const isReference = (text: string): boolean => /^\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*\}$/.test(text)

/** Whether a text is one reference to a secret that is kept on this machine, and nothing else. */
export const isSecretReference = (text: string): boolean => isSecret(/^\$\{(.*)\}$/s.exec(text)?.[1] ?? '')

const isSecret = (inner: string): boolean => inner.startsWith('secret:') && isSecretName(inner.slice('secret:'.length))

/** Whether a text holds a reference: what it becomes is often a secret. */
export const hasReference = (text: string): boolean => [...text.matchAll(reference)].some(([, escape]) => escape === '')

/** The secrets of this machine that a value names, as `expandText` looks for them: `secret:NAME`. */
export const secretsNamed = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(reference)].flatMap(([, escape, , , inner]) =>
    escape !== '' || inner === undefined || !isSecret(inner) ? [] : [inner],
  )

/**
 * What is wrong with the first reference to a secret that is none, as the end of a sentence about where it stands;
 * `undefined` where there is no such. It repeats nothing: a default may be the secret itself.
 */
export function wrongReference(text: string): string | undefined {
  for (const [, escape, inner = '', end] of text.matchAll(meantAsSecret)) {
    if (escape !== '' || (end !== '' && isSecret(inner))) continue
    if (end === '') return 'has a reference to a secret that is not closed with "}"'
    return inner.includes(':-')
      ? 'gives a secret a default, which none has'
      : 'has a reference to a secret, and what stands in it cannot be its name'
  }
  return undefined
}

/** What to do about it. */
export const wrongReferenceNext = `Write "\${secret:NAME}" (${secretNameWords}) and keep it with \`countersign secrets set NAME\`; write "$\${…}" for text that is to stay as it is.`

/** What a missing reference is called in a sentence: "the environment variable X, which is not set". */
export const missingWords = (name: string): string =>
  name.startsWith('secret:')
    ? `the secret ${name.slice('secret:'.length)}, which is not kept on this machine`
    : `the environment variable ${name}, which is not set`

/**
 * What a variable holds. A host that hands one on which it does not have itself writes nothing there, or its own reference
 * as it stands, and a server must not start with that for a key: such a variable is not set.
 */
function valueOf(name: string, env: Variables): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  const unset = ['', `$${name}`, `\${${name}}`, `\${env:${name}}`, `{env:${name}}`]
  return value === undefined || unset.includes(value) ? undefined : value
}

/** Puts the variables into a text, or names the first that is missing. */
export function expandText(text: string, env: Variables): Result<string, string> {
  let missing: string | undefined
  const expanded = text.replace(
    reference,
    (whole, escape: string, variableName: string | undefined, fallback: string | undefined, secretName = '') => {
      if (escape !== '') return whole.slice(1)
      const name = variableName ?? secretName
      const value = valueOf(name, env) ?? fallback
      if (value === undefined) missing ??= name
      return value ?? ''
    },
  )
  return missing === undefined ? ok(expanded) : fail(missing)
}

/** The same for every text in a value, keys excepted. */
export function expandDeep<T>(value: T, env: Variables): Result<T, string> {
  if (typeof value === 'string') return expandText(value, env) as Result<T, string>
  if (typeof value !== 'object' || value === null) return ok(value)
  const entries: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    const expanded = expandDeep<unknown>(member, env)
    if (!expanded.ok) return expanded
    entries.push([key, expanded.value])
  }
  return ok((Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)) as T)
}
