// The gateway's file. People paste `mcpServers` from their host and add to it, so the host's own keys keep their
// meaning, and a key that nobody knows is a mistake to be named, not a wish to be ignored: a misspelt `risk` that does
// nothing would be worse than no file.
import { z } from 'zod'

const risk = z.enum(['low', 'medium', 'high', 'critical', 'forbidden'])
const operation = z.enum(['read', 'write', 'destructive'])
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const pattern = z.string().refine(isPattern, 'must be a regular expression')

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u').test('')
    return true
  } catch {
    return false
  }
}

/** What one argument must be for a rule to hold. All that is named must be true of it. */
const conditionSchema = z
  .strictObject({
    present: z.boolean().optional(),
    equals: scalar.optional(),
    one_of: z.array(scalar).min(1).optional(),
    matches: pattern.optional(),
    greater_than: z.number().optional(),
    less_than: z.number().optional(),
  })
  .refine((condition) => Object.keys(condition).length > 0, 'must name at least one condition')

/** JSON Pointers (RFC 6901) or plain top-level names, each with what must be true there. */
const ruleSchema = z
  .strictObject({
    if: z.record(z.string().min(1), conditionSchema),
    risk: risk.optional(),
    operation: operation.optional(),
  })
  .refine((rule) => rule.risk !== undefined || rule.operation !== undefined, 'must set risk or operation')

const toolSchema = z.strictObject({
  risk: risk.optional(),
  operation: operation.optional(),
  /** Rules on the arguments; the first that holds wins over the tool's own `risk` and `operation`. */
  when: z.array(ruleSchema).min(1).optional(),
  /** Runs without a preview when the caller says `preview=false`; at medium risk and below. */
  autonomous: z.boolean().optional(),
  /** The argument that makes this tool only say what it would do. Never guessed from a name. */
  dry_run: z.strictObject({ parameter: z.string().min(1), value: scalar }).optional(),
  permissions: z.array(z.string().min(1)).optional(),
  /** What an answer with `isError` leaves behind; `unknown` when absent, because MCP does not say. */
  error_effect: z.enum(['none', 'partial', 'unknown']).optional(),
})

const common = {
  enabled: z.boolean().default(true),
  /** Marks a connection whose host keeps app-only tools from its model. */
  trusted_host: z.boolean().default(false),
  /** For every tool of this server that has no risk of its own in `tools`. */
  default_risk: risk.optional(),
  tools: z.record(z.string().min(1), toolSchema).default({}),
  permissions: z.array(z.string().min(1)).default([]),
  /** File with the cheatsheet of this server. */
  cheatsheet: z.string().min(1).optional(),
  /** How long one call may be silent. */
  timeout_ms: z.int().min(100).max(86_400_000).default(60_000),
  /** Calls at the same time; more wait in line. */
  concurrency: z.int().min(1).max(1000).default(16),
  start: z.enum(['eager', 'lazy']).default('eager'),
}

export const stdioServerSchema = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().min(1).optional(),
  ...common,
})

export const remoteServerSchema = z.strictObject({
  /** Absent: Streamable HTTP, and SSE where the server is an old one. */
  type: z.enum(['http', 'streamable-http', 'sse']).optional(),
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).default({}),
  ...common,
})

export const gatewaySchema = z.strictObject({
  $schema: z.string().optional(),
  mcpServers: z.record(z.string(), z.unknown()),
  /** `host`: the host's own prompt for each tool is the confirmation. */
  confirmation: z.enum(['rail', 'host']).default('rail'),
  intent_declaration: z
    .strictObject({
      shape: z.enum(['nested', 'flat']).default('nested'),
      /** false turns a contradiction between intent and annotations into a warning. */
      strict_server_validation: z.boolean().default(true),
    })
    .prefault({}),
})

export type Condition = z.output<typeof conditionSchema>
export type ToolRule = z.output<typeof ruleSchema>
export type ToolOverride = z.output<typeof toolSchema>
export type StdioServer = z.output<typeof stdioServerSchema>
export type RemoteServer = z.output<typeof remoteServerSchema>
export type ServerConfig = StdioServer | RemoteServer
export type IntentSettings = z.output<typeof gatewaySchema>['intent_declaration']

export interface GatewayConfig {
  readonly confirmation: 'rail' | 'host'
  readonly intent: IntentSettings
  /** The enabled servers by name. */
  readonly servers: Readonly<Record<string, ServerConfig>>
  /** Names of the servers that are switched off. */
  readonly disabled: readonly string[]
}

export const isStdio = (server: ServerConfig): server is StdioServer => 'command' in server
