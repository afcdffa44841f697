// One server as a host has it, in whatever words, as one of ours. An entry comes from a file that people and programs
// write, so it is parsed; what is wrong with one keeps that one out and no other.
import { z } from 'zod'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { HostKind } from './host-kind.ts'

/** A server as the gateway's file has it. */
export interface Server {
  readonly type?: 'http' | 'sse'
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly enabled?: false
  readonly timeout_ms?: number
  readonly start_timeout_ms?: number
  readonly enabled_tools?: readonly string[]
  readonly disabled_tools?: readonly string[]
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const texts = z.array(scalar)
const text = z.string().min(1).optional()
const variables = z
  .record(z.string(), scalar.nullable())
  .transform((held) =>
    Object.fromEntries(Object.entries(held).filter((pair): pair is [string, string] => pair[1] !== null)),
  )
const names = z.array(z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)]))
const line = z.union([
  z.string().min(1),
  texts.min(1),
  z.looseObject({ path: z.string().min(1), args: texts.nullish(), env: variables.nullish() }),
])

const shape = {
  command: line.optional(),
  cmd: text,
  args: texts.nullish(),
  env: variables.nullish(),
  envs: variables.nullish(),
  environment: variables.nullish(),
  /** Variables that are handed through under their own names. */
  env_vars: names.nullish(),
  env_keys: names.nullish(),
  cwd: z.string().nullish(),
  url: text,
  serverUrl: text,
  httpUrl: text,
  uri: text,
  headers: variables.nullish(),
  http_headers: variables.nullish(),
  /** Name of a header → variable with its value. */
  env_http_headers: variables.nullish(),
  bearer_token_env_var: text,
  type: z.string().nullish(),
  transportType: z.string().nullish(),
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
  timeout: z.number().nonnegative().nullish(),
  tool_timeout_sec: z.number().nonnegative().nullish(),
  startup_timeout_sec: z.number().nonnegative().nullish(),
  startup_timeout_ms: z.number().nonnegative().nullish(),
  disabledTools: texts.nullish(),
  disabled_tools: texts.nullish(),
  excludeTools: texts.nullish(),
  includeTools: texts.nullish(),
  enabled_tools: texts.nullish(),
  available_tools: texts.nullish(),
  /** Copilot CLI has a list of the only ones here, Codex what it asks before each of them. */
  tools: z.union([texts, z.record(z.string(), z.looseObject({ approval_mode: z.string().nullish() }))]).nullish(),
  /** What the host runs without asking anybody. */
  autoApprove: z.union([texts, z.boolean()]).nullish(),
  alwaysAllow: z.union([texts, z.boolean()]).nullish(),
  trust: z.boolean().nullish(),
  default_tools_approval_mode: z.string().nullish(),
}
const entrySchema = z.looseObject(shape)

/** Said to people, or about this host's own prompts and pictures: nothing that a server is started with. */
const silent = new Set(
  'autoStart gallery version name description display_name bundled iconPath source settings transport'.split(' '),
)

export interface Entry {
  readonly server: Server
  /** A whole line where a host wants one program; it has still to be cut. */
  readonly line?: string
  /** What of it was not carried over. */
  readonly notes: readonly string[]
}

/** Reads an entry. `timeout`: what the host means by that key, where it is known. Fails with why it is left out. */
export function readEntry(raw: unknown, timeout: HostKind['timeout']): Result<Entry, string> {
  // Cline nests the transport's keys, VS Code does not.
  const nested = z.looseObject({ transport: z.looseObject({}) }).safeParse(raw)
  const parsed = entrySchema.safeParse(nested.success ? { ...nested.data, ...nested.data.transport } : raw)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return fail(`${issue?.path.map(String).join('.') || 'it'}: ${issue?.message ?? 'is not understood'}`)
  }
  const entry = parsed.data
  const command = commandOf(entry)
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl ?? entry.uri
  if (command === undefined && url === undefined) {
    // Zed writes what an extension brings as its settings alone.
    const kind = entry['source'] ?? entry.type ?? ('settings' in entry ? 'extension' : undefined)
    return fail(
      typeof kind === 'string' && kind !== 'custom'
        ? `it is of the kind "${kind}", which only its host can start`
        : 'it has neither command nor url',
    )
  }
  const timeouts = timeoutsOf(entry, timeout)
  const lists = listsIn(entry)
  const notes = [
    ...notCarried([
      ...Object.keys(entry).filter((key) => !(key in shape) && !silent.has(key) && !saysNothing(key, entry[key])),
      ...timeouts.lost,
      ...lists.lost,
    ]),
    ...unaskedNote(entry),
  ]
  const common = {
    ...(entry.disabled === true || entry.enabled === false ? ({ enabled: false } as const) : {}),
    ...timeouts.kept,
    ...lists.kept,
  }
  const env = {
    ...Object.fromEntries([...(entry.env_vars ?? []), ...(entry.env_keys ?? [])].map((name) => [name, `\${${name}}`])),
    ...literals(entry.envs),
    ...literals(entry.environment),
    ...command?.env,
    ...literals(entry.env),
  }
  if (command === undefined)
    return ok({
      server: { ...typeOf(entry), url: url ?? '', ...filled('headers', withValues(headersOf(entry), env)), ...common },
      notes,
    })
  const args = [...command.args, ...(entry.args ?? [])]
  return ok({
    server: {
      command: command.program,
      ...(args.length === 0 ? {} : { args }),
      ...filled('env', env),
      ...(typeof entry.cwd === 'string' && entry.cwd !== '' ? { cwd: entry.cwd } : {}),
      ...common,
    },
    ...(command.isLine ? { line: command.program } : {}),
    notes,
  })
}

/** Whether a key is only there because its host writes every key that it knows. */
const saysNothing = (key: string, value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (key === 'remote' && value === false)

/** Goose puts the variables of a remote server into its headers. */
const withValues = (
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([header, text]) => [
      header,
      text.replaceAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) =>
        Object.hasOwn(env, name) ? (env[name] ?? '') : whole,
      ),
    ]),
  )

type Raw = z.output<typeof entrySchema>

function commandOf({ command, cmd }: Raw) {
  const given = command ?? cmd
  if (given === undefined) return undefined
  if (typeof given === 'string') return { program: given, args: [], env: {}, isLine: true }
  if (!Array.isArray(given)) return { program: given.path, args: given.args ?? [], env: given.env ?? {}, isLine: false }
  const [program = '', ...args] = given
  return { program, args, env: {}, isLine: false }
}

const literals = (held: Readonly<Record<string, string>> | null | undefined): Readonly<Record<string, string>> =>
  held ?? {}

const headersOf = ({ headers, http_headers, env_http_headers, bearer_token_env_var: bearer }: Raw) => ({
  ...headers,
  ...http_headers,
  ...Object.fromEntries(Object.entries(env_http_headers ?? {}).map(([name, variable]) => [name, `\${${variable}}`])),
  ...(bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` }),
})

function typeOf({ type, transportType, httpUrl }: Raw): Pick<Server, 'type'> {
  const said = type ?? transportType ?? ''
  if (said === 'sse') return { type: 'sse' }
  return /http/i.test(said) || httpUrl !== undefined ? { type: 'http' } : {}
}

const filled = <Key extends string>(key: Key, held: Readonly<Record<string, string>>): { [K in Key]?: typeof held } =>
  Object.keys(held).length === 0 ? {} : ({ [key]: held } as { [K in Key]: typeof held })

type Kept = Pick<Server, 'timeout_ms' | 'start_timeout_ms'>

/** How long a call and a start may take, within what the gateway takes; what cannot be said is lost. */
function timeoutsOf(entry: Raw, means: HostKind['timeout']) {
  const { timeout, tool_timeout_sec: call, startup_timeout_sec: start, startup_timeout_ms: startMs } = entry
  const unit = means?.unit === 's' ? 1000 : 1
  const isOfStart = means?.of === 'start'
  const given = [
    ['tool_timeout_sec', 'timeout_ms', call, 1000],
    ['startup_timeout_ms', 'start_timeout_ms', startMs, 1],
    ['startup_timeout_sec', 'start_timeout_ms', start, 1000],
    ['timeout', isOfStart ? 'start_timeout_ms' : 'timeout_ms', timeout, means === undefined ? 0 : unit],
  ] as const
  const kept: { -readonly [Key in keyof Kept]: Kept[Key] } = {}
  const lost: string[] = []
  for (const [key, ours, value, factor] of given) {
    if (typeof value !== 'number') continue
    const [least, most] = ours === 'timeout_ms' ? [100, 86_400_000] : [1000, 3_600_000]
    // None at all, or a unit that nobody knows.
    if (value * factor === 0) lost.push(`${key} (${value})`)
    else kept[ours] = Math.min(Math.max(Math.round(value * factor), least), most)
  }
  return { kept, lost }
}

/** Which tools the host keeps from its model. A star is a pattern for us, and in most hosts' lists the name of no tool. */
function listsIn(entry: Raw) {
  const { tools, includeTools, enabled_tools: enabled, available_tools: available } = entry
  const copilot = Array.isArray(tools) && !tools.includes('*') ? tools : undefined
  // An empty list offers nothing, but of Goose, where it is the absence of one.
  const goose = available?.length === 0 ? undefined : available
  const only = copilot ?? includeTools?.map((tool) => tool.split('(')[0] ?? '') ?? enabled ?? goose ?? undefined
  const not = [...(entry.disabledTools ?? []), ...(entry.disabled_tools ?? []), ...(entry.excludeTools ?? [])]
  const lost = (only ?? []).filter((tool) => tool.includes('*')).map((tool) => `the tool ${JSON.stringify(tool)}`)
  const kept: Pick<Server, 'enabled_tools' | 'disabled_tools'> = {
    ...(only === undefined ? {} : { enabled_tools: named(only.filter((tool) => !tool.includes('*'))) }),
    ...(not.length === 0 ? {} : { disabled_tools: named(not) }),
  }
  return { kept, lost }
}

const named = (tools: readonly string[]): readonly string[] => [...new Set(tools)].filter((tool) => tool !== '')

/** Nobody was asked before these in the host. Here a person is, so that is no setting of ours. */
function unaskedNote(entry: Raw): readonly string[] {
  const { autoApprove, alwaysAllow, trust, default_tools_approval_mode: mode, tools } = entry
  const listed = [autoApprove, alwaysAllow].flatMap((list) => (Array.isArray(list) ? list : []))
  const single = Array.isArray(tools) ? [] : Object.entries(tools ?? {})
  const approved = single.flatMap(([tool, { approval_mode: said }]) => (said === 'approve' ? [tool] : []))
  const all = trust === true || autoApprove === true || alwaysAllow === true || mode === 'approve'
  const which = all ? 'any of its tools' : firstOf([...listed, ...approved])
  return which === '' ? [] : [`its host asks nobody before ${which}; here whatever changes something asks.`]
}

const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and others' : ''}`

const notCarried = (keys: readonly string[]): readonly string[] =>
  keys.length === 0 ? [] : [`${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} not carried over.`]
