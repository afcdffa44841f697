// One server as a host has it, in whatever words, as one of ours. An entry comes from a file that people and programs
// write, so it is parsed; what is wrong with one keeps that one out and no other.
import { z } from 'zod'
import { fail, ok, type Result } from '../../errors/result.ts'

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
  readonly tools?: Readonly<Record<string, { readonly risk: 'forbidden' }>>
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
  disabledTools: z.array(z.string()).nullish(),
  disabled_tools: z.array(z.string()).nullish(),
  excludeTools: z.array(z.string()).nullish(),
}
const entrySchema = z.looseObject(shape)

/** Said to people, or about this host's own prompts and pictures: nothing that a server is started with. */
const silent = new Set(
  'autoApprove alwaysAllow autoStart gallery version name description display_name bundled trust iconPath source settings available_tools startup_timeout_sec startup_timeout_ms'.split(
    ' ',
  ),
)
/** Lists of the only tools that a host offers; an empty one and `*` are all. */
const onlyTools = ['includeTools', 'enabled_tools', 'available_tools', 'tools']

export interface Entry {
  readonly server: Server
  /** A whole line where a host wants one program; it has still to be cut. */
  readonly line?: string
  /** What of it was not carried over. */
  readonly notes: readonly string[]
}

/** Reads an entry. `timeout`: the unit of the host's `timeout`, where it is known. Fails with why it is left out. */
export function readEntry(raw: unknown, timeout: 's' | 'ms' | undefined): Result<Entry, string> {
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
    const kind = entry['source'] ?? entry.type
    return fail(
      typeof kind === 'string' && kind !== 'custom'
        ? `it is of the kind "${kind}", which only its host can start`
        : 'it has neither command nor url',
    )
  }
  const notes = [
    ...notCarried(
      Object.keys(entry).filter(
        (key) => !(key in shape) && !silent.has(key) && !onlyTools.includes(key) && key !== 'transport',
      ),
    ),
    ...onlyTools.flatMap((key) => onlyNote(entry[key])),
  ]
  const common = {
    ...(entry.disabled === true || entry.enabled === false ? ({ enabled: false } as const) : {}),
    ...timeoutOf(entry, timeout),
    ...forbidden([...(entry.disabledTools ?? []), ...(entry.disabled_tools ?? []), ...(entry.excludeTools ?? [])]),
  }
  if (command === undefined)
    return ok({
      server: { ...typeOf(entry), url: url ?? '', ...filled('headers', headersOf(entry)), ...common },
      notes,
    })
  const env = {
    ...Object.fromEntries([...(entry.env_vars ?? []), ...(entry.env_keys ?? [])].map((name) => [name, `\${${name}}`])),
    ...literals(entry.envs),
    ...literals(entry.environment),
    ...command.env,
    ...literals(entry.env),
  }
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

function timeoutOf(
  { timeout, tool_timeout_sec: seconds }: Raw,
  unit: 's' | 'ms' | undefined,
): Pick<Server, 'timeout_ms'> {
  const ms =
    typeof seconds === 'number'
      ? seconds * 1000
      : typeof timeout === 'number' && unit !== undefined
        ? timeout * (unit === 's' ? 1000 : 1)
        : undefined
  return ms === undefined || ms < 100 ? {} : { timeout_ms: Math.min(Math.round(ms), 86_400_000) }
}

/** A tool that its host keeps from its model is kept from agents here, too. */
const forbidden = (tools: readonly string[]): Pick<Server, 'tools'> =>
  tools.length === 0 ? {} : { tools: Object.fromEntries(tools.map((tool) => [tool, { risk: 'forbidden' }])) }

const notCarried = (keys: readonly string[]): readonly string[] =>
  keys.length === 0 ? [] : [`${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} not carried over.`]

function onlyNote(listed: unknown): readonly string[] {
  if (!Array.isArray(listed) || listed.length === 0 || listed.includes('*')) return []
  const first = listed.slice(0, 5).map(String).join(', ')
  return [`its host offers only ${first}${listed.length > 5 ? ' and others' : ''}; here all of its tools are offered.`]
}
