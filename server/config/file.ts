// The settings of a server: defaults, under its file, under the environment, under flags. They are joined before they
// are parsed, so that one schema judges them all, and each remembers where it came from: a message names the line, the
// variable or the flag to change, and `config check` can say what is in force and why.
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { configSchema, type ServerConfig } from './config.schema.ts'
import { explain, isSecretAt, type Said } from './problems.ts'
import { expandText, hasReference, isReference, missingWords, wrongReference } from './references.ts'
import { parseConfigText, type ConfigText } from './text.ts'
import { configVariable, readVariables, type Override } from './variables.ts'
import { fail, ok, type Result } from '../errors/result.ts'

export type { Override } from './variables.ts'

type Variables = Readonly<Record<string, string | undefined>>
type Path = readonly PropertyKey[]

/** Where a value comes from. */
type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly line: number; readonly column: number }
  /** An environment variable or a flag. */
  | { readonly kind: 'override'; readonly source: string }

export interface Config {
  readonly server: ServerConfig
  /** The file, where there is one: the gateway reads its own keys of it. */
  readonly text: ConfigText | undefined
  originOf(path: Path): Origin
  /** What the file says, references and all, where it holds a reference. */
  referenceAt(path: Path): string | undefined
}

/** One mistake: `place` is "file:line:column", a variable or a flag. */
interface ConfigProblem {
  readonly place: string
  readonly path: string
  readonly message: string
  readonly next: string
}

/** Why a server cannot start with these settings. `message` and `next` are the first problem's, for one line. */
export interface ConfigFailure {
  readonly message: string
  readonly next: string
  readonly problems: readonly ConfigProblem[]
}

/** Whoever has these has everything: they never stand in a file that is mailed or committed. */
const onlyReferences: ReadonlyMap<string, string> = new Map([
  ['secret', 'COUNTERSIGN_SECRET'],
  ['operators.admin_token', 'COUNTERSIGN_ADMIN_TOKEN'],
  ['access.secret', 'COUNTERSIGN_ACCESS_SECRET'],
])

/** Keys that another schema reads; references in them are put in there. */
const foreign = ['mcpServers', 'confirmation', 'intent_declaration']

/**
 * Reads the settings in force.
 * @param file path of the file; `COUNTERSIGN_CONFIG` when absent, and none where that is absent too.
 * @param flags what a command line says, over everything else.
 */
export function readConfig(
  file: string | undefined,
  env: Variables,
  flags: readonly Override[] = [],
): Result<Config, ConfigFailure> {
  const named = file ?? env[configVariable]
  if (named === undefined) return joinConfig(undefined, env, flags)
  try {
    return readConfigText(readFileSync(named, 'utf8'), named, env, flags)
  } catch (error) {
    const source = file === undefined ? `${configVariable} names ${JSON.stringify(named)}, which` : `The file ${named}`
    return fail(
      oneProblem({
        place: named,
        path: '',
        message: `${source} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
        next: 'Name a file that is there; `countersign config init` writes one to begin with.',
      }),
    )
  }
}

/** The same for a text that has been read already. */
export function readConfigText(
  text: string,
  file: string,
  env: Variables,
  flags: readonly Override[] = [],
): Result<Config, ConfigFailure> {
  const parsed = parseConfigText(text, file)
  if (parsed.ok) return joinConfig(parsed.value, env, flags)
  return fail(
    failureOf(
      parsed.failure.map(({ line, column, message, next }) => {
        const place = `${file}:${line}:${column}`
        return { place, path: '', message: `${place}: ${message}`, next }
      }),
    ),
  )
}

function joinConfig(
  text: ConfigText | undefined,
  env: Variables,
  flags: readonly Override[],
): Result<Config, ConfigFailure> {
  const problems: ConfigProblem[] = []
  const references = new Map<string, string>()
  const raw = expanded(text, env, references, problems)
  const overrides = [...readVariables(env), ...flags]
  const merged = overrides.reduce<Record<string, unknown>>((held, { path, value }) => put(held, path, value), raw)
  const parsed = configSchema.safeParse(merged, { jitless: true })
  const originOf = originsIn(text, overrides)
  const isSecret = (path: Path): boolean => references.has(keyOf(path)) || isSecretAt(configSchema, path)
  if (!parsed.success)
    for (const said of explain(configSchema, parsed.error, merged, isSecret))
      // What is missing behind a reference has been said; that it does not fit either is no news.
      if (!problems.some(({ path }) => path === said.path.map(String).join('.')))
        problems.push(placed(said, text, originOf(said.path)))
  if (!parsed.success || problems.length > 0) return fail(failureOf(problems))
  return ok({
    server: besideFile(parsed.data, text, originOf),
    text,
    originOf,
    referenceAt: (path) => references.get(keyOf(path)),
  })
}

/** The file's own values with variables put in, but for those that another schema reads. */
function expanded(
  text: ConfigText | undefined,
  env: Variables,
  references: Map<string, string>,
  problems: ConfigProblem[],
): Record<string, unknown> {
  if (text === undefined) return {}
  const problem = (path: Path, message: string, next: string): void =>
    void problems.push(placed({ path, key: false, message: `${path.map(String).join('.')} ${message}`, next }, text))
  const walk = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') {
      const variable = onlyReferences.get(path.join('.'))
      if (variable !== undefined && !isReference(value))
        problem(path, 'must be a reference, not the secret itself', `Write "\${${variable}}" and set that variable.`)
      if (!value.includes('$')) return value
      if (hasReference(value)) references.set(keyOf(path), value)
      const wrong = wrongReference(value)
      if (wrong !== undefined) problem(path, wrong, secretsElsewhere)
      const result = expandText(value, env)
      if (result.ok || wrong !== undefined) return result.ok ? result.value : value
      const missing = result.failure
      problem(
        path,
        `needs ${missingWords(missing)}`,
        missing.startsWith('secret:') ? secretsElsewhere : `Set ${missing}, or write a default as \${${missing}:-…}.`,
      )
      return value
    }
    if (Array.isArray(value)) return value.map((member, at) => walk(member, [...path, at]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, [...path, key])]))
  }
  return Object.fromEntries(
    Object.entries(text.value).map(([key, value]) => [key, foreign.includes(key) ? value : walk(value, [key])]),
  )
}

const secretsElsewhere = 'Secrets of this kind are for servers in mcpServers; use an environment variable here.'

/** A copy with one value set; what stands in the way and is no object stays, for the schema to refuse. */
function put(held: unknown, [key, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  if (key === undefined) return held as Record<string, unknown>
  if (held !== undefined && (typeof held !== 'object' || held === null || Array.isArray(held)))
    return held as unknown as Record<string, unknown>
  const own = (held ?? {}) as Record<string, unknown>
  return { ...own, [key]: rest.length === 0 ? value : put(own[key], rest, value) }
}

function originsIn(text: ConfigText | undefined, overrides: readonly Override[]): Config['originOf'] {
  return (path) => {
    const over = overrides.findLast((one) => one.path.every((key, at) => key === path[at]))
    if (over !== undefined) return { kind: 'override', source: over.source }
    return text !== undefined && isIn(text.value, path) ? { kind: 'file', ...text.placeOf(path) } : { kind: 'default' }
  }
}

const isIn = (value: unknown, [key, ...rest]: Path): boolean =>
  key === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, key) &&
    isIn((value as Record<PropertyKey, unknown>)[key], rest))

function placed(said: Said, text: ConfigText | undefined, origin?: Origin): ConfigProblem {
  const path = said.path.map(String).join('.')
  if (origin?.kind === 'override') {
    const words = said.key ? 'is unknown' : said.message.replace(`${path} `, '')
    const next = said.key ? said.next : 'Change it or unset it, and start again.'
    return { place: origin.source, path, message: `${origin.source} ${words}`, next }
  }
  if (text === undefined) return { place: 'the settings', path, message: said.message, next: said.next }
  const { line, column } = said.key ? text.keyPlaceOf(said.path) : text.placeOf(said.path)
  const place = `${text.file}:${line}:${column}`
  return { place, path, message: `${place}: ${said.message}`, next: said.next }
}

/** Paths in a file are relative to its folder: who starts the server somewhere else means the same files. */
function besideFile(server: ServerConfig, text: ConfigText | undefined, originOf: Config['originOf']): ServerConfig {
  if (text === undefined) return server
  const folder = dirname(resolve(text.file))
  const beside = (path: Path, value: string | undefined): string | undefined =>
    value === undefined || originOf(path).kind !== 'file' || isAddress(value) ? value : resolve(folder, value)
  const db = beside(['db'], server.db)
  const anchor = beside(['activity', 'anchor'], server.activity.anchor)
  const exports = beside(['sandbox', 'export_folder'], server.sandbox.export_folder)
  const files = beside(['files', 'folder'], server.files.folder)
  return {
    ...server,
    ...(files === undefined ? {} : { files: { ...server.files, folder: files } }),
    ...(exports === undefined ? {} : { sandbox: { ...server.sandbox, export_folder: exports } }),
    ...(db === undefined ? {} : { db }),
    ...(anchor === undefined ? {} : { activity: { ...server.activity, anchor } }),
  }
}

const isAddress = (place: string): boolean =>
  place === ':memory:' || /^[a-z][a-z\d+.-]*:\/\//i.test(place) || isAbsolute(place)

const keyOf = (path: Path): string => JSON.stringify(path.map(String))

/** As somebody reads the file; what stands outside of it comes first. */
const lineOf = ({ place }: ConfigProblem): number => {
  const [, line = '0', column = '0'] = /:(\d+):(\d+)$/.exec(place) ?? []
  return Number(line) * 10_000 + Number(column)
}

const oneProblem = (problem: ConfigProblem): ConfigFailure => failureOf([problem])

function failureOf(found: readonly ConfigProblem[]): ConfigFailure {
  const problems = found.toSorted((a, b) => lineOf(a) - lineOf(b))
  const [first] = problems
  const more =
    problems.length > 1 ? ` (and ${problems.length - 1} more; \`countersign config check\` names them all)` : ''
  return {
    message: `${first?.message ?? 'The settings cannot be used'}.`,
    next: `${first?.next ?? ''}${more}`,
    problems,
  }
}
