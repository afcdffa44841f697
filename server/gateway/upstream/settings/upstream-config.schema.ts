// The gateway's file. People paste `mcpServers` from their host and add to it, so the host's own keys keep their
// meaning, and a key that nobody knows is a mistake to be named, not a wish to be ignored: a misspelt `risk` that does
// nothing would be worse than no file.
import { z } from 'zod'
import type { KnownServer } from '../../profiles/tool-profile.ts'
import { linearPattern } from '../../rules/linear-pattern.ts'
import { operations, risks } from '../../../model/risk.ts'
import { isProtected } from '../../../ip-address.ts'
import { plainScopes } from '../login/login-need.ts'

const risk = z.enum(risks)
const operation = z.enum(operations)
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** A regular expression that takes linear time. */
export const pattern = z
  .string()
  .refine(isPattern, { error: 'must be a regular expression', abort: true })
  .refine(
    (text) => linearPattern(text) !== undefined,
    'must be a regular expression of RE2: at most 2,000 characters, no lookaround, no back references, no huge repeats',
  )

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u').test('')
    return true
  } catch {
    return false
  }
}

/** What one argument must be for a rule to hold. All that is named must be true of it. */
export const conditionSchema = z
  .strictObject({
    present: z.boolean().optional().describe('Whether the argument is there.'),
    equals: scalar.optional().describe('Its value.'),
    one_of: z.array(scalar).min(1).optional().describe('Its value is one of these.'),
    matches: pattern
      .optional()
      .describe('A regular expression (RE2: no lookaround, no back references) that its text fits.'),
    greater_than: z.number().optional().describe('It is a number above this.'),
    less_than: z.number().optional().describe('It is a number below this.'),
  })
  .refine((condition) => Object.keys(condition).length > 0, 'must name at least one condition')

/** JSON Pointers (RFC 6901) or plain top-level names, each with what must be true there. */
const ruleSchema = z
  .strictObject({
    if: z
      .record(z.string().min(1), conditionSchema)
      .describe('Argument (a name, or a JSON Pointer) → what must be true of it. All of them.'),
    risk: risk.optional().describe('The risk of such a call.'),
    operation: operation.optional().describe('What such a call does.'),
  })
  .refine((rule) => rule.risk !== undefined || rule.operation !== undefined, 'must set risk or operation')

export const toolSchema = z.strictObject({
  risk: risk.optional().describe('How much is at stake.'),
  operation: operation.optional().describe('What it does, where its annotations say nothing or the wrong thing.'),
  when: z
    .array(ruleSchema)
    .min(1)
    .optional()
    .describe("Rules on the arguments; the first that holds wins over the tool's own `risk` and `operation`."),
  autonomous: z
    .boolean()
    .optional()
    .describe('Runs without a preview when the caller says `preview=false`; at medium risk and below.'),
  dry_run: z
    .strictObject({
      parameter: z.string().min(1).describe('Its name.'),
      value: scalar.describe('The value that makes it so.'),
    })
    .optional()
    .describe('The argument that makes this tool only say what it would do. Never guessed from a name.'),
  permissions: z.array(z.string().min(1)).optional().describe('What a caller must be permitted.'),
  error_effect: z
    .enum(['none', 'partial', 'unknown'])
    .optional()
    .describe('What an answer with `isError` leaves behind; `unknown` when absent, because MCP does not say.'),
})

const common = {
  enabled: z
    .boolean()
    .default(true)
    .describe('false switches the server off; it may then name variables that are not set.'),
  trusted_host: z
    .boolean()
    .default(false)
    .describe('The host keeps app-only tools from its model: a click in the card then counts.'),
  default_risk: risk.optional().describe('For every tool of this server that has no risk of its own in `tools`.'),
  tools: z
    .record(z.string().min(1), toolSchema)
    .default({})
    .describe(
      'Name of a tool, or a pattern in which `*` stands for any text ("list_*") → what its annotations do not say. Each setting comes from the most specific key that has it. A key that fits no tool is a mistake.',
    ),
  enabled_tools: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Only these tools of the server are offered: names, or patterns as in `tools`. Absent: all. The others are neither listed nor found nor called. An entry that fits no tool is a mistake.',
    ),
  disabled_tools: z
    .array(z.string().min(1))
    .optional()
    .describe('These tools of the server are left out, also where `enabled_tools` has them: names, or patterns.'),
  permissions: z.array(z.string().min(1)).default([]).describe('What a caller must be permitted for any of its tools.'),
  passing_permissions: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'What a caller must be permitted besides for its resources, prompts and completions; absent: all that any of its tools takes.',
    ),
  rationale: z
    .enum(['required', 'optional'])
    .default('required')
    .describe('`optional`: calls of its low-risk reads may come without a rationale; one that is given is checked.'),
  cheatsheet: z.string().min(1).optional().describe('File with the cheatsheet of this server, relative to this one.'),
  profile: z
    .union([z.literal(false), z.string().min(1)])
    .optional()
    .describe(
      'What is known of this server: a file relative to this one ("./ours.yaml"), or the name of a profile that is shipped. Absent: the shipped one that fits; false: none.',
    ),
  timeout_ms: z.int().min(100).max(86_400_000).default(60_000).describe('How long one call may be silent.'),
  start_timeout_ms: z
    .int()
    .min(1000)
    .max(3_600_000)
    .default(120_000)
    .describe('How long it may take to start and to list its tools; then it is ended and started again.'),
  concurrency: z.int().min(1).max(1000).default(16).describe('Calls at the same time; more wait in line.'),
  start: z.enum(['eager', 'lazy']).default('eager').describe('Whether it is started at once or with its first call.'),
}

export const stdioServerSchema = z.strictObject({
  type: z.literal('stdio').optional().describe('A server on this machine.'),
  command: z.string().min(1).describe('What starts it.'),
  args: z.array(z.string()).default([]).describe('Its arguments.'),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe('Its environment; secrets as "${VARIABLE}" or "${secret:NAME}".'),
  cwd: z.string().min(1).optional().describe('The folder in which it starts.'),
  ...common,
})

/** How a person logs in at a remote server with `countersign login`; nothing of it is needed where that registers clients. */
const oauthSchema = z.strictObject({
  client_id: z
    .string()
    .min(1)
    .optional()
    .describe('As what we are registered there, where it registers nobody itself.'),
  client_secret: z
    .string()
    .min(1)
    .optional()
    .describe('Of that client. Only as a reference: "${TRACKER_CLIENT_SECRET}". It goes to `issuer` alone.')
    .meta({ writeOnly: true }),
  scopes: z
    .array(z.string().refine((scope) => plainScopes(scope) !== undefined && !scope.includes(' '), 'must be one scope'))
    .min(1)
    .optional()
    .describe('What a login asks for; what the server names when absent.'),
  issuer: z
    .string()
    .refine(isProtected, 'must be an https address (http only on this machine)')
    .optional()
    .describe(
      'The issuer that its authorization server calls itself: needed with `client_secret`, and where it is not its address.',
    ),
  private_network: z
    .boolean()
    .default(false)
    .describe('Lets its authorization server lie on this machine or in a private network.'),
})

export const remoteServerSchema = z.strictObject({
  type: z
    .enum(['http', 'streamable-http', 'sse'])
    .optional()
    .describe('Absent: Streamable HTTP, and SSE where the server is an old one.'),
  url: z.string().min(1).describe('Its address.'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('Sent with each request; secrets as "${VARIABLE}" or "${secret:NAME}".'),
  oauth: oauthSchema.optional().describe('How `countersign login` logs in there.'),
  not_run_statuses: z
    .array(z.int().min(400).max(599))
    .default([])
    .describe('HTTP statuses with which it says that a call was not run, beside 401 and 413, which always say so.'),
  ...common,
})

export const gatewaySchema = z.strictObject({
  $schema: z.string().optional(),
  mcpServers: z.record(z.string(), z.unknown()),
  /** `host`: the host's own prompt for each tool is the confirmation. */
  confirmation: z.enum(['rail', 'host']).default('rail'),
  intent_declaration: z
    .strictObject({
      shape: z
        .enum(['nested', 'flat'])
        .default('nested')
        .describe('`nested`: one object `intent`; `flat`: its members beside the other arguments.'),
      strict_server_validation: z
        .boolean()
        .default(true)
        .describe(
          'false turns a contradiction between intent and annotations into a warning; through call_tool_read a change then waits for an approval.',
        ),
    })
    .prefault({}),
})

export type Condition = z.output<typeof conditionSchema>
export type ToolRule = z.output<typeof ruleSchema>
export type ToolOverride = z.output<typeof toolSchema>
type StdioServer = z.output<typeof stdioServerSchema>
export type RemoteServer = z.output<typeof remoteServerSchema>
export type ServerConfig = (StdioServer | RemoteServer) & {
  /** Why it must not be started: "it needs …". Its settings then still hold their references. */
  readonly unstartable?: string
  /** Values that stand in it as `${secret:NAME}`: secret whatever they look like. */
  readonly kept?: readonly string[]
}
export type IntentSettings = z.output<typeof gatewaySchema>['intent_declaration']

export interface GatewayConfig {
  readonly confirmation: 'rail' | 'host'
  readonly intent: IntentSettings
  /** The enabled servers by name. */
  readonly servers: Readonly<Record<string, ServerConfig>>
  /** Under what a server's pins are kept, where its name may be another server's as well. */
  readonly pinKeys?: Readonly<Record<string, string>>
  /** What `countersign login` is given for a server that stands in no file: its address, and its name where it has one. */
  readonly loginWords?: Readonly<Record<string, readonly string[]>>
  /** What is known of the servers that have a profile, by name. */
  readonly profiles?: Readonly<Record<string, KnownServer>>
  /** Names of the servers that are switched off. */
  readonly disabled: readonly string[]
  /** What keeps single servers from starting, with its place in the file. The others work. */
  readonly unstartable?: readonly { readonly message: string; readonly next: string }[]
}

export const isStdio = (server: ServerConfig): server is StdioServer & Pick<ServerConfig, 'unstartable'> =>
  'command' in server
