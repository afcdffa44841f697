// The environment says the same things as the file, for containers and for one machine that differs from the others. One
// table of names, so that nothing is read from the environment that `config check` does not show.

import { nearest } from '../errors/nearest.ts'

/** How the text of a variable becomes a value. */
type Form = 'text' | 'number' | 'list'

interface Variable {
  readonly path: readonly string[]
  readonly form: Form
}

/** Name of the variable that names the file. */
export const configVariable = 'COUNTERSIGN_CONFIG'

/** Variables over the file, by name. */
export const variables: Readonly<Record<string, Variable>> = {
  COUNTERSIGN_DB: { path: ['db'], form: 'text' },
  COUNTERSIGN_SECRET: { path: ['secret'], form: 'text' },
  COUNTERSIGN_ADMIN_TOKEN: { path: ['operators', 'admin_token'], form: 'text' },
  COUNTERSIGN_ACCESS_SECRET: { path: ['access', 'secret'], form: 'text' },
  COUNTERSIGN_LANGUAGES: { path: ['languages'], form: 'list' },
  COUNTERSIGN_HOST: { path: ['http', 'host'], form: 'text' },
  COUNTERSIGN_PORT: { path: ['http', 'port'], form: 'number' },
  COUNTERSIGN_PUBLIC_URL: { path: ['http', 'public_url'], form: 'text' },
  COUNTERSIGN_ANCHOR: { path: ['activity', 'anchor'], form: 'text' },
  COUNTERSIGN_ACTIVITY_DAYS: { path: ['activity', 'days'], form: 'number' },
  COUNTERSIGN_ACTIVITY_ROWS: { path: ['activity', 'rows'], form: 'number' },
  COUNTERSIGN_ACTIVITY_BYTES: { path: ['activity', 'bytes'], form: 'number' },
  COUNTERSIGN_LOG_LEVEL: { path: ['log', 'level'], form: 'text' },
  COUNTERSIGN_METRICS_TOKEN: { path: ['metrics', 'token'], form: 'text' },
}

/** Variables with our prefix that nobody reads, with what may have been meant: a misspelt one does nothing, silently. */
export const strayVariables = (
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly near: string | undefined }[] => {
  const known = [configVariable, ...Object.keys(variables)]
  return Object.keys(env)
    .filter((name) => name.startsWith('COUNTERSIGN_') && !known.includes(name))
    .map((name) => ({ name, near: nearest(name, known)[0] }))
}

/** A value that was set outside the file. */
export interface Override {
  readonly path: readonly string[]
  readonly value: unknown
  /** The variable or the flag, as messages name it. */
  readonly source: string
}

/** What an environment says. What cannot be read as a number stays a text, so that the schema refuses it. */
export const readVariables = (env: Readonly<Record<string, string | undefined>>): readonly Override[] =>
  Object.entries(variables).flatMap(([name, { path, form }]) => {
    const text = env[name]
    return text === undefined ? [] : [{ path, value: valueOf(text, form), source: `The environment variable ${name}` }]
  })

function valueOf(text: string, form: Form): unknown {
  if (form === 'list') return text.split(/[\s,;]+/).filter((word) => word !== '')
  return form === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text
}
