// Secrets belong in the environment, not in a file that people mail to each other. `${VAR}` is what Claude Code reads,
// `${env:VAR}` what VS Code and Cursor read; `${VAR:-text}` has a default, `$${VAR}` stays as it is. `${secret:NAME}` is a
// secret that is kept sealed on this machine; it stands among the variables under the name `secret:NAME`.
import { fail, ok, type Result } from '../errors/result.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const reference = /\$(\$?)\{(?:(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?|(secret:[A-Za-z0-9_][A-Za-z0-9_.-]*))\}/g

/** Whether a text is one reference and nothing else. */
export const isReference = (text: string): boolean => /^\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*\}$/.test(text)

/** Whether a text holds a reference: what it becomes is often a secret. */
export const hasReference = (text: string): boolean => [...text.matchAll(reference)].some(([, escape]) => escape === '')

/** The secrets of this machine that a value names, as `expandText` looks for them: `secret:NAME`. */
export const secretsNamed = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(reference)].flatMap(([, escape, , , secret]) =>
    escape !== '' || secret === undefined ? [] : [secret],
  )

/** What a missing reference is called in a sentence: "the environment variable X, which is not set". */
export const missingWords = (name: string): string =>
  name.startsWith('secret:')
    ? `the secret ${name.slice('secret:'.length)}, which is not kept on this machine`
    : `the environment variable ${name}, which is not set`

/** Puts the variables into a text, or names the first that is missing. */
export function expandText(text: string, env: Variables): Result<string, string> {
  let missing: string | undefined
  const expanded = text.replace(
    reference,
    (whole, escape: string, variable: string | undefined, fallback: string | undefined, secret = '') => {
      if (escape !== '') return whole.slice(1)
      const name = variable ?? secret
      const value = env[name] ?? fallback
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
